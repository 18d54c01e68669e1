# SPDX-License-Identifier: GPL-3.0-or-later
"""Plugins by the C compiler, each made once and kept."""
import glob
import hashlib
import os
import pathlib
import shlex
import subprocess
import tempfile

from delassus._library import Error, library_path, package_folder, prefix_folder

FLAGS = ["-std=c11", "-O2", "-fPIC", "-shared", "-ffp-contract=off", "-Werror=incompatible-pointer-types"]


def include_folders():
    """Folders with delassus/plugin.h: those of DELASSUS_INCLUDE (apart by :), of the wheel, of the prefix, or
    none (the system's)."""
    if "DELASSUS_INCLUDE" in os.environ:
        return os.environ["DELASSUS_INCLUDE"].split(":")
    places = [os.path.join(place, "include") for place in (package_folder(), prefix_folder())]
    return [place for place in places if os.path.exists(os.path.join(place, "delassus", "plugin.h"))][:1]


def cache_folder():
    """Where plugins are kept: DELASSUS_CACHE, else delassus/ in the user's folder for caches."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.environ.get("DELASSUS_CACHE") or os.path.join(home, "delassus")


def build(name, source):
    """The path of a plugin of this C source; it is compiled unless it was before, by the same command with
    the same headers."""
    compiler = shlex.split(os.environ.get("CC") or "cc")
    flags = FLAGS + [f"-I{folder}" for folder in include_folders()]
    key = hashlib.sha256(
        "\0".join([source, *compiler, *flags, library_path(), *_headers()]).encode()
    ).hexdigest()[:16]
    target = pathlib.Path(cache_folder()) / f"{name}-{key}.so"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        _compile(source, [*compiler, *flags], target)
    return str(target)


def _headers():
    """What the headers say: a plugin must be made anew when they change."""
    paths = [
        path
        for folder in include_folders()
        for path in sorted(glob.glob(os.path.join(folder, "delassus", "*.h")))
    ]
    return [pathlib.Path(path).read_text(encoding="utf-8") for path in paths]


def _compile(source, command, target):
    """The plugin appears whole or not at all; its source stays beside it."""
    text = target.with_suffix(".c")
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        made, written = os.path.join(folder, target.name), os.path.join(folder, text.name)
        pathlib.Path(written).write_text(source, encoding="utf-8")
        try:
            done = subprocess.run(
                [*command, "-o", made, written, library_path(), "-lm"], capture_output=True, text=True
            )
        except OSError as error:
            raise Error(f"no C compiler: {command[0]}: {error.strerror}; install gcc, or set CC") from None
        if done.returncode != 0:
            os.replace(written, text)
            raise Error(f"{text} cannot be compiled by {' '.join(command)}: {done.stderr}")
        os.replace(written, text)
        os.replace(made, target)
