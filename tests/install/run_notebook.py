# run_notebook.py -- the code cells of a notebook, one after the other, without Jupyter: python3
# run_notebook.py FILE.ipynb [NAME...].
# Cells with the tag of a module that is not here are left out. The names asked for are printed in the end,
# "NAME: value".
# SPDX-License-Identifier: GPL-3.0-or-later
import ast
import importlib.util
import json
import sys


def check(notebook):
    """What nbformat 4.5 asks for; outputs of all cells are kept, or of none."""
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    for cell in notebook["cells"]:
        assert (
            cell["cell_type"] in ("markdown", "code")
            and isinstance(cell["metadata"], dict)
            and cell["source"]
        )
        if cell["cell_type"] == "code":
            assert isinstance(cell["outputs"], list)
            assert (cell["execution_count"] is None) == (code[0]["execution_count"] is None)
            assert not any(output["output_type"] == "error" for output in cell["outputs"])


def execute(text, name, names):
    """A cell; its last expression is shown as a notebook shows it."""
    body = ast.parse(text, name)
    last = body.body.pop() if body.body and isinstance(body.body[-1], ast.Expr) else None
    exec(compile(body, name, "exec"), names)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), name, "eval"), names)
        shown = getattr(value, "_repr_html_", lambda: None)()
        assert shown is None or shown.startswith("<table>")
        print(repr(value))


def main():
    path, *wanted = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    check(notebook)
    names = {"__name__": "__main__"}
    left_out = set()
    for cell in notebook["cells"]:
        missing = [tag for tag in cell["metadata"].get("tags", []) if importlib.util.find_spec(tag) is None]
        left_out |= set(missing)
        if cell["cell_type"] == "code" and not missing:
            execute("".join(cell["source"]), f"{path}, {cell['id']}", names)
    for name in left_out:
        print(f"{name} is not here: the cells that need it are left out")
    for name in wanted:
        print(f"{name}: {names[name]}")


if __name__ == "__main__":
    main()
