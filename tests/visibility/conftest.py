"""What the tests of visibility share: the references beside them, and interpreted kernels."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import exporter.kernels

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def interpreted() -> Callable[[str], ModuleType]:
    """Load a kernel's source under another name, so that no compiled file shadows it."""

    def load(name: str) -> ModuleType:
        path = Path(exporter.kernels.__path__[0]) / f"{name}.py"
        loader = importlib.machinery.SourceFileLoader(f"{name}_interpreted", str(path))
        spec = importlib.util.spec_from_loader(loader.name, loader)
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
        return module

    return load
