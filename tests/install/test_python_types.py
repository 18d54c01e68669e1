# test_python_types.py -- the stub has the names, parameters and defaults of the package. Run by test_python.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
import ast
import inspect
import os
import unittest

import delassus


def signature_of(node):
    """Names, kinds and defaults of the parameters of a function in the stub."""
    arguments = node.args
    plain = arguments.posonlyargs + arguments.args
    empty = inspect.Parameter.empty
    defaults = [empty] * (len(plain) - len(arguments.defaults)) + [ast.literal_eval(d) for d in arguments.defaults]
    found = [(a.arg, "plain", d) for a, d in zip(plain, defaults)]
    found += [(arguments.vararg.arg, "rest", empty)] if arguments.vararg else []
    for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults):
        found.append((a.arg, "keyword", empty if d is None else ast.literal_eval(d)))
    return found + ([(arguments.kwarg.arg, "all", empty)] if arguments.kwarg else [])


def signature_in(function):
    kinds = {inspect.Parameter.VAR_POSITIONAL: "rest", inspect.Parameter.KEYWORD_ONLY: "keyword", inspect.Parameter.VAR_KEYWORD: "all"}
    return [(p.name, kinds.get(p.kind, "plain"), p.default) for p in inspect.signature(function).parameters.values()]


class Types(unittest.TestCase):
    def setUp(self):
        path = os.path.join(os.path.dirname(delassus.__file__), "__init__.pyi")
        with open(path, encoding="utf-8") as file:
            self.body = ast.parse(file.read()).body

    def test_every_name_of_the_package_has_its_type(self):
        defined = {node.name for node in self.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        defined |= {node.target.id for node in self.body if isinstance(node, ast.AnnAssign)}
        self.assertEqual(defined, set(delassus.__all__))

    def test_functions_have_their_parameters(self):
        for node in self.body:
            if isinstance(node, ast.FunctionDef):
                with self.subTest(node.name):
                    self.assertEqual(signature_of(node), signature_in(getattr(delassus, node.name)))
            elif isinstance(node, ast.ClassDef):
                for member in node.body:
                    if isinstance(member, ast.FunctionDef) and not member.name.startswith("__") and not member.decorator_list:
                        with self.subTest(f"{node.name}.{member.name}"):
                            self.assertEqual(signature_of(member), signature_in(getattr(getattr(delassus, node.name), member.name)))


if __name__ == "__main__":
    unittest.main()
