"""No binary searches a folder that its user did not choose: python3 test_search_paths.py FOLDER...

Every entry of RPATH and RUNPATH of every ELF file below the folders is absolute or begins with $ORIGIN. An empty entry is the current
folder, whose libraries belong to whoever made it.
SPDX-License-Identifier: GPL-3.0-or-later"""

import pathlib
import re
import subprocess
import sys


def is_elf(path):
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def search_paths(path):
    """The strings of DT_RPATH and DT_RUNPATH; an object file has none."""
    text = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", text)


def wrong_entries(path):
    return [entry for text in search_paths(path) for entry in text.split(":") if not entry.startswith(("/", "$ORIGIN"))]


def main():
    files = [path for folder in sys.argv[1:] for path in sorted(pathlib.Path(folder).rglob("*")) if is_elf(path) and path.suffix != ".o"]
    wrong = [f"{path}: the search path has the entry '{entry}'" for path in files for entry in wrong_entries(path)]
    if not any(search_paths(path) for path in files):
        wrong.append(f"none of {len(files)} binaries has a search path, not even the tool")
    print("\n".join(wrong) or f"all search paths of {len(files)} binaries are absolute or begin with $ORIGIN")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
