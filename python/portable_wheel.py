# SPDX-License-Identifier: GPL-3.0-or-later
"""portable_wheel.py WHEEL FOLDER: a wheel that contains its shared libraries.

Each library that the files of WHEEL need, except those of glibc and the runtime of C++, is copied into the package beside libdelassus. They find each other there by
RPATH. The platform tag names the oldest glibc that has all of their symbols. The licence of each library must be in LICENCES; the texts,
as Debian distributes them, are in the folder `licenses` of the metadata. Needs patchelf and objdump.
"""
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

from wheel.wheelfile import WheelFile

SYSTEM = {"libc", "libm", "libdl", "librt", "libpthread", "libutil", "ld-linux-x86-64", "ld-linux-aarch64",  # glibc
          "libgcc_s", "libstdc++"}  # beside it everywhere; a copy would need the glibc of this machine
GCC = "GPL-3+ with the GCC Runtime Library Exception"
LICENCES = {  # of what Debian's binary of the library contains; all of them allow distribution under GPL-3.0-or-later
    "libamd": "BSD-3-clause",
    "libblas": "BSD-3-clause",
    "libbtf": "LGPL-2.1+",
    "libcamd": "BSD-3-clause",
    "libccolamd": "BSD-3-clause",
    "libcholmod": "LGPL-2.1+, GPL-2+",
    "libcolamd": "BSD-3-clause",
    "libflint": "LGPL-2.1+; from 3.0 on LGPL-3+",
    "libflint-arb": "LGPL-2.1+",
    "libgf2x": "GPL-2+",
    "libgfortran": GCC,
    "libgmp": "LGPL-3+ or GPL-2+",
    "libgomp": GCC,
    "libgsl": "GPL-3+",
    "libgslcblas": "GPL-3+",
    "libklu": "LGPL-2.1+",
    "liblapack": "BSD-3-clause",
    "libmetis": "Apache-2.0",
    "libmpfr": "LGPL-3+",
    "libntl": "LGPL-2.1+",
    "libopenblas": "BSD-3-clause",
    "libquadmath": "LGPL-2+",
    "libsuitesparseconfig": "BSD-3-clause",
    "libsundials_arkode": "BSD-3-clause",
    "libsundials_core": "BSD-3-clause",
    "libsundials_cvode": "BSD-3-clause",
    "libumfpack": "GPL-2+",
    "libyaml-0": "MIT",
}


def output(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def stem(name):
    return re.sub(r"\.so(\.[0-9.]+)?$", "", pathlib.Path(name).name)


def is_binary(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def needed(path):
    """Name and place of every library that a file needs, those of the system left out."""
    libraries = {}
    for line in output("ldd", path).splitlines():
        name, arrow, place = line.strip().partition(" => ")
        if arrow and place.startswith("not found"):
            sys.exit(f"portable_wheel.py: {path.name} needs {name}, which is not installed")
        if arrow and stem(name) not in SYSTEM:
            libraries[name] = pathlib.Path(place.rpartition(" (")[0])
    return libraries


def glibc_version(paths):
    """The newest version of glibc's symbols that the files use."""
    versions = re.findall(r"\(GLIBC_(\d+)\.(\d+)", "".join(output("objdump", "-T", path) for path in paths))
    return max((int(major), int(minor)) for major, minor in versions)


def package_of(place):
    """The Debian package that a file belongs to. Files of merged /usr may be listed under /lib."""
    real = place.resolve()
    for path in (real, pathlib.Path("/") / real.relative_to("/usr") if real.is_relative_to("/usr") else real, place):
        found = subprocess.run(["dpkg", "-S", str(path)], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.partition(":")[0]
    sys.exit(f"portable_wheel.py: {place} belongs to no package of Debian: its licence is not known")


def keep_licence(name, place, folder):
    if stem(name) not in LICENCES:
        sys.exit(f"portable_wheel.py: {name} ({place}): its licence is not in LICENCES: check it and add a row")
    folder.mkdir(exist_ok=True)
    package = package_of(place)
    shutil.copyfile(f"/usr/share/doc/{package}/copyright", folder / f"{package}.txt")
    with open(folder / "README", "a", encoding="utf-8") as file:
        if file.tell() == 0:
            file.write("Libraries of Debian in this wheel; their sources are Debian's source packages, https://sources.debian.org.\n")
        file.write(f"{name}: {LICENCES[stem(name)]}, of Debian's package {package}, see {package}.txt\n")


def bundle(tree):
    """Copy the libraries into an unpacked wheel. @return its platform tag"""
    libraries_folder, metadata = tree / "delassus" / "lib", next(tree.glob("*.dist-info"))
    own = [path for path in sorted(tree.rglob("*")) if path.is_file() and is_binary(path)]
    libraries = {name: place for path in own for name, place in needed(path).items() if stem(name) != "libdelassus"}
    for name, place in sorted(libraries.items()):
        keep_licence(name, place, metadata / "licenses")
        shutil.copyfile(place, libraries_folder / name)
    for path in own + [libraries_folder / name for name in libraries]:
        output("patchelf", "--force-rpath", "--set-rpath", "$ORIGIN/" + os.path.relpath(libraries_folder, path.parent), path)
    major, minor = glibc_version(own + [libraries_folder / name for name in libraries])
    return f"manylinux_{major}_{minor}_{platform.machine()}"


def unpack(wheel, tree):
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            path = archive.extract(entry, tree)
            os.chmod(path, entry.external_attr >> 16 & 0o777 or 0o644)


def main(wheel, folder):
    wheel, folder = pathlib.Path(wheel), pathlib.Path(folder)
    with tempfile.TemporaryDirectory() as place:
        tree = pathlib.Path(place) / "tree"
        unpack(wheel, tree)
        tag = bundle(tree)
        metadata = next(tree.glob("*.dist-info")) / "WHEEL"
        metadata.write_text(re.sub(r"(?m)^(Tag: py3-none-).*$", rf"\g<1>{tag}", metadata.read_text(encoding="utf-8")), encoding="utf-8")
        folder.mkdir(parents=True, exist_ok=True)
        made = folder / re.sub(r"-py3-none-.*\.whl$", f"-py3-none-{tag}.whl", wheel.name)
        with WheelFile(made, "w") as archive:
            archive.write_files(tree)
    print(made)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
