# SPDX-License-Identifier: GPL-3.0-or-later
"""Plugins by the C compiler, each compiled once and kept.

A kept plugin is loaded only if its seal is valid: an HMAC-SHA256 of its sources, its command and its own bytes, with a
key that only this user can read. A file that somebody else put into the folder has no valid seal.
"""
import contextlib
import functools
import glob
import hashlib
import hmac
import os
import pathlib
import shlex
import shutil
import stat
import subprocess
import tempfile

from delassus._library import Error, library_path, package_folder, prefix_folder
from delassus._names import model_name

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


def _search_path():
    """The absolute folders of PATH: whoever made the current folder must not choose the compiler."""
    return os.pathsep.join(folder for folder in os.get_exec_path() if os.path.isabs(folder))


def _compiler():
    """The words of CC, else of cc. Its program is found in PATH unless it has a slash."""
    program, *options = shlex.split(os.environ.get("CC") or "cc")
    found = program if os.sep in program else shutil.which(program, path=_search_path())
    if found is None:
        raise Error(f"no C compiler: {program}: it is in no absolute folder of PATH; install gcc, or set CC")
    return [found, *options]


def build(name, write, text=None):
    """The path of a plugin of the C source that write() returns. It is compiled, unless this user compiled it
    before by the same command with the same headers and nobody changed it since. text, if there is one,
    determines that source: what was compiled is then found without writing it."""
    compiler = _compiler()
    flags = FLAGS + [f"-I{folder}" for folder in include_folders()]
    source = write() if text is None else None
    made_of = hashlib.sha256(
        "\0".join([text or source, *compiler, *flags, library_path(), *_headers()]).encode()
    ).hexdigest()
    folder = _private_folder(cache_folder(), "set DELASSUS_CACHE to a folder of your own")
    target = folder / f"{model_name(name)}-{made_of[:16]}.so"
    if not _is_sealed(target, made_of):
        _compile(source or write(), [*compiler, *flags], target, made_of)
    return str(target)


def _private_folder(path, advice):
    """The folder, made if it is missing; Error if another user may write into it or exchange it."""
    try:
        pathlib.Path(path).mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = pathlib.Path(path).resolve(strict=True)
        owner = folder.stat().st_uid
        if owner != os.geteuid():
            raise Error(f"{folder} belongs to user {owner}, not to {os.geteuid()}: {advice}")
        for place in (folder, *folder.parents):
            mode = place.stat().st_mode
            shared = mode & (stat.S_IWGRP | stat.S_IWOTH) if place == folder else mode & stat.S_IWOTH
            if shared and (place == folder or not mode & stat.S_ISVTX):  # sticky: files stay their owners'
                raise Error(
                    f"{place} has mode {mode & 0o7777:o}, others may write there: chmod 700 {place}, or {advice}"
                )
    except OSError as error:
        raise Error(f"{path}: {error.strerror}: {advice}") from None
    return folder


_key_of_process = os.urandom(32)


def _key():
    """32 bytes that only this user knows, kept in the home; those of this process where they cannot be kept."""
    try:
        home = os.path.join(os.path.expanduser("~"), ".local", "state", "delassus")
        path = _private_folder(home, "") / "formulas.key"
        if not path.exists():
            with tempfile.NamedTemporaryFile(dir=path.parent) as file:  # mode 0600
                file.write(os.urandom(32))
                file.flush()
                with contextlib.suppress(FileExistsError):  # another process was first
                    os.link(file.name, path)
        with open(path, "rb") as file:
            state = os.fstat(file.fileno())
            key = file.read()
        if state.st_uid == os.geteuid() and not state.st_mode & 0o077 and len(key) == 32:
            return key
    except (Error, OSError):
        pass
    return _key_of_process


def _seal(plugin, made_of):
    """The HMAC of these bytes."""
    return hmac.new(_key(), made_of.encode() + b"\0" + plugin, hashlib.sha256).hexdigest()


def _is_sealed(target, made_of):
    try:
        seal = target.with_suffix(".seal").read_text(encoding="ascii")
        return hmac.compare_digest(seal, _seal(target.read_bytes(), made_of))
    except (OSError, UnicodeDecodeError):
        return False


def _headers():
    """What the headers say: a plugin must be made anew when they change."""
    paths = [
        path
        for folder in include_folders()
        for path in sorted(glob.glob(os.path.join(folder, "delassus", "*.h")))
    ]
    return [pathlib.Path(path).read_text(encoding="utf-8") for path in paths]


@functools.cache
def package_sources():
    """What the modules of this package say: another version of them writes other plugins."""
    folder = pathlib.Path(__file__).parent
    return [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))]


def _compile(source, command, target, made_of):
    """The plugin appears whole or not at all; its source stays beside it."""
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        text, plugin, seal = (pathlib.Path(folder) / (target.stem + suffix) for suffix in (".c", ".so", ".seal"))
        text.write_text(source, encoding="utf-8")
        try:
            done = subprocess.run(
                [*command, "-o", str(plugin), str(text), library_path(), "-lm"],
                env={**os.environ, "PATH": _search_path()},  # for assembler and linker
                capture_output=True,
                text=True,
            )
        except OSError as error:
            raise Error(f"no C compiler: {command[0]}: {error.strerror}; install gcc, or set CC") from None
        kept = text.replace(target.with_suffix(".c"))
        if done.returncode != 0:
            raise Error(f"{kept} cannot be compiled by {' '.join(command)}: {done.stderr}")
        seal.write_text(_seal(plugin.read_bytes(), made_of), encoding="ascii")
        for file in (plugin, seal):
            file.chmod(0o600)
            file.replace(target.parent / file.name)
