"""What pyproject.toml cannot say: which packages there are, and how the kernels are compiled.

Every file of `exporter/kernels` is a kernel: ordinary Python that Cython can compile. All of
them are optional, so a machine without a compiler installs the same files and interprets them.
What every compiled kernel needs for its arrays is compiled once, into a module they share: it
would be three quarters of each.
"""

import os
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

PACKAGES = [
    *find_packages(include=["exporter", "exporter.*"]),
    "exporter.docs",  # files, no modules
    "exporter.templates",  # the top-level folder `templates`
]
SHARED = "exporter.kernels._cython_arrays"
KERNELS = [path for path in Path("exporter/kernels").glob("*.py") if path.name[0] != "_"]


class Kernel(Extension):
    """An extension that can be put into a set, as `cythonize` does with those that fail."""

    __hash__ = object.__hash__


class BuildKernels(build_ext):
    """Translates and compiles all kernels at once, on every processor there is."""

    def finalize_options(self):
        """Use all processors, unless told otherwise."""
        super().finalize_options()
        self.parallel = self.parallel or _processors()

    def build_extensions(self):
        """Build what can be built; leave the rest to the interpreter."""
        self.extensions = self._translated()
        for extension in self.extensions:
            extension.extra_compile_args = self._flags(extension.name == SHARED)
        super().build_extensions()
        if not Path(self.get_ext_fullpath(SHARED)).exists():
            # A compiled kernel without it cannot even be imported.
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)

    def copy_extensions_to_source(self):
        """Replace the kernels of an editable installation, or remove what no longer compiles."""
        for extension in self.distribution.ext_modules:
            position, built = self._get_inplace_equivalent(
                self.get_finalized_command("build_py"), extension
            )
            if not Path(built).exists():
                Path(position).unlink(missing_ok=True)
        super().copy_extensions_to_source()

    def _translated(self):
        """Return the extensions that Cython can translate, with their C files as sources."""
        from Cython.Build import cythonize

        translated = cythonize(
            [Kernel(extension.name, extension.sources) for extension in self.extensions],
            nthreads=self.parallel,
            build_dir=self.build_temp,
            exclude_failures=True,
            compiler_directives={"auto_pickle": False},
            shared_utility_qualified_name=SHARED,
        )
        sources = {extension.name: extension.sources for extension in translated}
        remaining = [extension for extension in self.extensions if extension.name in sources]
        for extension in remaining:
            extension.sources = sources[extension.name]
        return remaining

    def _flags(self, shared):
        """Return the compiler's flags: fast, and the same floating point on every machine."""
        if self.compiler.compiler_type == "msvc":
            return ["/O2", "/fp:strict"]
        # Python itself was often built with debugging information, which takes long to write.
        return ["-O1" if shared else "-O3", "-ffp-contract=off", "-g0"]


def _processors():
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _extension(name, source):
    return Extension(name, [source], optional=True, depends=["setup.py"])


if __name__ == "__main__":
    # The largest first, so that no processor waits at the end.
    by_size = sorted(KERNELS, key=lambda path: -path.stat().st_size)
    setup(
        packages=PACKAGES,
        ext_modules=[
            _extension(SHARED, f"{SHARED.replace('.', '/')}.c"),
            *(_extension(f"exporter.kernels.{path.stem}", path.as_posix()) for path in by_size),
        ],
        cmdclass={"build_ext": BuildKernels},
    )
