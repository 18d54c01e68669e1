"""The binaries are hardened: python3 test_hardening.py FILE...

Of every file: it is independent of its position, its stack is not executable, the tables of the linker are filled at the start and read
only afterwards, the stack has canaries, and calls of the C library whose sizes are known are checked (_FORTIFY_SOURCE).
SPDX-License-Identifier: GPL-3.0-or-later"""

import re
import subprocess
import sys


def readelf(option, path):
    return subprocess.run(["readelf", "-W", option, path], capture_output=True, text=True, check=True).stdout


def missing(path):
    """What the file does not have."""
    segments, dynamic, symbols = (readelf(option, path) for option in ("-l", "-d", "--dyn-syms"))
    undefined = re.findall(r" UND (\w+)", symbols)
    found = {
        "an independent position (PIE)": "Elf file type is DYN" in segments,
        "a stack that is not executable": re.search(r"GNU_STACK .* RW +0x", segments),
        "RELRO": "GNU_RELRO" in segments,
        "BIND_NOW": re.search(r"\(FLAGS_1\).*\bNOW\b|\(BIND_NOW\)|\(FLAGS\).*\bBIND_NOW\b", dynamic),
        "canaries on the stack": "__stack_chk_fail" in undefined,
        "checked calls of the C library": any(re.fullmatch(r"__\w+_chk", name) for name in undefined),
    }
    return [what for what, there in found.items() if not there]


def main():
    wrong = [f"{path}: it lacks {what}" for path in sys.argv[1:] for what in missing(path)]
    print("\n".join(wrong) or f"{len(sys.argv) - 1} binaries are hardened")
    return 1 if wrong or len(sys.argv) == 1 else 0


if __name__ == "__main__":
    sys.exit(main())
