# test_python_doc.py -- the examples of every function run, and every command of the tool has its function. Run by test_python.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
import doctest
import importlib
import inspect
import re
import subprocess
import unittest

import delassus

RENAMED = {"check-model": "check_model", "list": "entries"}  # `list` is Python's own word


def load_tests(loader, tests, pattern):
    for name in sorted({getattr(delassus, name).__module__ for name in delassus.__all__ if inspect.isfunction(getattr(delassus, name))}):
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        finder = doctest.DocTestFinder(exclude_empty=True)
        suite = doctest.DocTestSuite(importlib.import_module(name), optionflags=flags, test_finder=finder)
        tests.addTests(suite)
    return tests


class Documented(unittest.TestCase):
    def test_every_function_has_an_example(self):
        for name in delassus.__all__:
            function = getattr(delassus, name)
            if inspect.isfunction(function):
                self.assertIn(">>> ", inspect.getdoc(function) or "", name)

    def test_every_command_has_its_function(self):
        shown = subprocess.run([delassus.tool_path(), "--help"], capture_output=True, text=True, check=True).stdout
        commands = re.findall(r"(?m)^  ([a-z-]+)  +\S", shown.partition("topics of")[0])
        self.assertGreater(len(commands), 20)
        for command in commands:
            self.assertTrue(callable(getattr(delassus, RENAMED.get(command, command), None)), command)


if __name__ == "__main__":
    unittest.main()
