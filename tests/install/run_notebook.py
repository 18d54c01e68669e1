# run_notebook.py -- the code cells of a notebook, one after the other, without Jupyter: python3
# run_notebook.py [--write] FILE.ipynb [NAME...].
# Cells with the tag of a module that is not here are left out. The names asked for are printed in the end,
# "NAME: value". --write keeps what the cells print, show and draw in the notebook.
# SPDX-License-Identifier: GPL-3.0-or-later
import ast
import base64
import contextlib
import importlib.util
import io
import json
import sys


def check(notebook):
    """What nbformat 4.5 asks for; outputs of all cells are kept, or of none."""
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    for cell in notebook["cells"]:
        assert (
            cell["cell_type"] in ("markdown", "code")
            and isinstance(cell["metadata"], dict)
            and cell["source"]
        )
        if cell["cell_type"] == "code":
            assert isinstance(cell["outputs"], list)
            assert cell["execution_count"] is not None, "without outputs: run_notebook.py --write"
            assert not any(output["output_type"] == "error" for output in cell["outputs"])


def execute(text, name, names):
    """A cell. @return the value of its last expression, or None; it is shown as a notebook shows it"""
    body = ast.parse(text, name)
    last = body.body.pop() if body.body and isinstance(body.body[-1], ast.Expr) else None
    exec(compile(body, name, "exec"), names)
    if last is None:
        return None
    value = eval(compile(ast.Expression(last.value), name, "eval"), names)
    shown = getattr(value, "_repr_html_", lambda: None)()
    assert shown is None or shown.startswith("<table>")
    print(repr(value))
    return value


def lines(text):
    return text.splitlines(keepends=True)


def figures():
    """What the cell has drawn, as outputs."""
    plt = sys.modules.get("matplotlib.pyplot")
    for number in plt.get_fignums() if plt else []:
        picture = io.BytesIO()
        plt.figure(number).savefig(picture, format="png", dpi=80, bbox_inches="tight", metadata={"Software": None})
        plt.close(number)
        data = {"image/png": base64.b64encode(picture.getvalue()).decode(), "text/plain": ["<Figure>"]}
        yield {"output_type": "display_data", "data": data, "metadata": {}}


def record(cell, count, name, names):
    """Execute a cell and keep its outputs in it."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        value = execute("".join(cell["source"]), name, names)
    text = printed.getvalue()
    text = text if value is None else text.removesuffix(repr(value) + "\n")
    cell["execution_count"], cell["outputs"] = count, []
    if text:
        cell["outputs"].append({"output_type": "stream", "name": "stdout", "text": lines(text)})
    if value is not None:
        html = getattr(value, "_repr_html_", lambda: None)()
        data = {**({"text/html": lines(html)} if html else {}), "text/plain": lines(repr(value))}
        cell["outputs"].append({"output_type": "execute_result", "execution_count": count, "data": data, "metadata": {}})
    cell["outputs"] += figures()


def write(path, notebook):
    count = 0
    names = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            record(cell, count, f"{path}, {cell['id']}", names)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(notebook, file, indent=1, ensure_ascii=False)
        file.write("\n")


def main():
    writes = sys.argv[1] == "--write"
    path, *wanted = sys.argv[1 + writes :]
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    if writes:
        write(path, notebook)
    check(notebook)
    if writes:
        return
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
