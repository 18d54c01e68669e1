# SPDX-License-Identifier: GPL-3.0-or-later
"""The command-line tool of the wheel, under its name in the environment that the wheel is installed to."""
import os
import sys

from delassus._library import package_folder


def main():
    tool = os.path.join(package_folder(), "bin", "delassus")
    os.execv(tool, [tool, *sys.argv[1:]])
