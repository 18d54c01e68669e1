"""System calls of a command that works in a folder from elsewhere: python3 inside.py CALLS FOLDER PLACE...

CALLS is what strace -f -y -e trace=file,network wrote. Nothing is written outside of FOLDER and PLACE..., no program of FOLDER is started, no
library is looked for in it, nothing connects to another machine.
SPDX-License-Identifier: GPL-3.0-or-later"""

import os
import re
import sys

CHANGES = {
    "creat", "rename", "renameat", "renameat2", "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat", "link", "linkat", "symlink",
    "symlinkat", "truncate", "chmod", "fchmodat", "chown", "fchownat", "utimensat", "mknod", "mknodat",
}  # fmt: skip
FREE = ("/dev/null", "/dev/tty")


def paths(arguments, folder):
    """The absolute paths among the arguments, each relative one below the folder that stands before it."""
    found, base = [], folder
    for descriptor, text in re.findall(r'(?:AT_FDCWD|\d+)<([^>]*)>|"((?:[^"\\]|\\.)*)"', arguments):
        if descriptor:
            base = descriptor
        else:
            found.append(os.path.normpath(os.path.join(base, text)))
    return found


def below(path, folders):
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


def wrong(line, folder, places):
    """What is wrong with the call, or None."""
    match = re.match(r"(?:\d+ +)?(\w+)\((.*)\) += (-?\d+)", line)
    if match is None:
        return None
    name, arguments, result = match[1], match[2], int(match[3])
    named = paths(arguments, folder)
    library = any(re.search(r"\.so(\.|$)", path) and below(path, [folder]) and "/tricks/" not in path for path in named)
    if name in ("open", "openat") and library:
        return "a library is looked for in the folder"
    if name == "execve" and named and below(named[0], [folder]):
        return "a program of the folder is started"
    if name == "connect" and "AF_INET" in arguments:
        return "a connection"
    if "O_TMPFILE" in arguments:
        return None  # a file without a name
    writes = name in CHANGES or (name in ("open", "openat") and re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", arguments))
    outside = [path for path in named if not below(path, [folder, *places, *FREE])]
    return f"{outside[0]} changes" if writes and result >= 0 and outside else None


def main():
    calls, folder, *places = sys.argv[1:]
    with open(calls, encoding="utf-8", errors="replace") as file:
        lines = file.readlines()
    found = [f"{what}: {line.strip()[:300]}" for line in lines for what in [wrong(line, folder, places)] if what]
    print("\n".join(found[:5]), end="\n" if found else "")
    return 1 if found or not any("execve(" in line for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
