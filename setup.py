# SPDX-License-Identifier: GPL-3.0-or-later
"""The wheel: the package of python/, and in it what CMake builds: library, headers, tool.

DELASSUS_BUILD_DIR names a folder in which CMake has built them already.
"""
import os
import pathlib
import re
import shutil
import subprocess

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel  # setuptools from 70.1 on
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

ROOT = pathlib.Path(__file__).resolve().parent
BASE = ROOT / "build-wheel"


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(delassus VERSION ([0-9.]+)", text).group(1)


def build_by_cmake():
    """A folder with the built library and tool."""
    if "DELASSUS_BUILD_DIR" in os.environ:
        return pathlib.Path(os.environ["DELASSUS_BUILD_DIR"])
    folder = BASE / "cmake"
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-DDLS_TESTS=OFF", "-DDLS_BENCH=OFF"], check=True)
    subprocess.run(["cmake", "--build", folder, "--parallel", str(os.cpu_count())], check=True)
    return folder


class BuildWithLibrary(build_py):
    """The modules, then lib/, include/ and bin/ beside them."""

    def run(self):
        super().run()
        prefix = BASE / "prefix"
        shutil.rmtree(prefix, ignore_errors=True)
        subprocess.run(["cmake", "--install", build_by_cmake(), "--prefix", prefix], check=True)
        package = pathlib.Path(self.build_lib) / "delassus"
        library = next(path for path in prefix.rglob("libdelassus.so.*") if path.is_symlink())
        rigorous = list(prefix.rglob("delassus-rigorous.so"))  # without FLINT there is none
        binaries = [(library, "lib"), (prefix / "bin" / "delassus", "bin"), *((path, "bin") for path in rigorous)]
        for source, folder in binaries:
            target = package / folder
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)  # of a link: what it leads to, under the link's name
        shutil.copytree(prefix / "include", package / "include", dirs_exist_ok=True)


class PlatformWheel(bdist_wheel):
    """For any Python 3: the library is loaded by ctypes."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


BASE.mkdir(exist_ok=True)
setup(
    version=version(),
    packages=["delassus"],
    package_dir={"": "python"},
    package_data={"delassus": ["*.pyi", "py.typed"]},
    distclass=WithLibrary,
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel},
)
