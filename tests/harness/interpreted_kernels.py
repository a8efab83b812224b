"""Kernels as ordinary Python, beside their compiled selves."""

from __future__ import annotations

import importlib.machinery
import importlib.util
from pathlib import Path
from types import ModuleType

import exporter.kernels


def interpreted(name: str) -> ModuleType:
    """Load a kernel's source under another name, so that no compiled file shadows it."""
    path = Path(exporter.kernels.__path__[0]) / f"{name}.py"
    loader = importlib.machinery.SourceFileLoader(f"{name}_interpreted", str(path))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module
