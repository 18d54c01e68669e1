"""picture_script.py -- faults of slope triangles in a script of gnuplot, from its numbers: for picture_layout.py.

A triangle lies within the frame, has the slope of its label, and meets no curve, no point, no arrow and no other triangle. Its labels are beside it, the number of the
slope at its upright side and the 1 at its level side.
SPDX-License-Identifier: GPL-3.0-or-later"""

import math
import re

NUMBER = r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
ROUNDING = 1e-4  # of slopes: the tables of triangles have six digits
MOST_OFF = 0.75  # of a fitted slope from that of its triangle: half-integers, and orders as published
WITHIN = 1.0  # pixels: a curve that touches the corner of a triangle


class Script:
    """The tables, axes, labels and arrows of a picture with one panel whose axes are logarithmic."""

    def __init__(self, text):
        self.tables = {name: [[float(x) for x in line.split()] for line in body.splitlines()]
                       for name, body in re.findall(r"^\$(\w+) << EOD\n(.*?)^EOD$", text, re.M | re.S)}
        text = "set lmargin".join(text.split("set lmargin")[:2])  # without the key, if that is a plot of its own
        margins = dict(re.findall(rf"set ([lrbt])margin at screen ({NUMBER})", text))
        width, height = re.search(rf"^set terminal \w+ size ({NUMBER}),({NUMBER})", text, re.M).groups()
        self.size = (float(width) * (float(margins["r"]) - float(margins["l"])), float(height) * (float(margins["t"]) - float(margins["b"])))
        self.range = {axis: (float(low), float(high)) for axis, low, high in re.findall(rf"^set ([xy])range \[({NUMBER}):({NUMBER})\]", text, re.M)}
        self.labels = [(words, self.place(float(x), float(y)))
                       for words, x, y in re.findall(rf"^set label '([^']*)' at ({NUMBER}),({NUMBER}) ", text, re.M)]
        self.arrows = [[tuple(float(n) * size for n, size in zip(end, self.size)) for end in (ends[:2], ends[2:])]
                       for ends in re.findall(rf"^set arrow from graph ({NUMBER}),graph ({NUMBER}) to graph ({NUMBER}),graph ({NUMBER})", text, re.M)]
        self.drawn = re.findall(r"\$(\w+) using 1:(?:2:)?(\d+) with (\w+)", text)

    def place(self, x, y):
        """Pixels from the lower left corner of the frame."""
        return tuple(size * math.log(value / low) / math.log(high / low)
                     for value, size, (low, high) in ((x, self.size[0], self.range["x"]), (y, self.size[1], self.range["y"])))

    def column(self, name, column):
        return [self.place(row[0], row[column]) for row in self.tables[name] if row and all(x > 0 for x in (row[0], row[column]))]

    def curves(self):
        """(name, places, whether they are joined) of all that is drawn but triangles."""
        for name, column, how in self.drawn:
            if not name.startswith("triangle_"):
                columns = (1, 2) if how == "filledcurves" else (int(column) - 1,)
                yield from ((name, self.column(name, k), how not in ("points",)) for k in columns)
        yield from (("an arrow", ends, True) for ends in self.arrows)


def side(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def inside(corners, place):
    """Is a place more than WITHIN inside a triangle?"""
    sign = math.copysign(1, side(*corners))
    return all(sign * side(a, b, place) > WITHIN * math.dist(a, b) for a, b in zip(corners, corners[1:] + corners[:1]))


def crosses(corners, a, b):
    """Does a line go through a triangle? It is followed in steps of half a pixel."""
    steps = max(1, math.ceil(2 * math.dist(a, b)))
    return any(inside(corners, (a[0] + (b[0] - a[0]) * i / steps, a[1] + (b[1] - a[1]) * i / steps)) for i in range(steps + 1))


def faults_of(script, name, corners):
    level, upright = corners[1][1], corners[1][0]
    width, height = script.size
    if not all(0 <= x <= width and 0 <= y <= height for x, y in corners):
        yield f"{name} leaves the frame: {corners} of {script.size}"
    for other, places, joined in script.curves():
        if any(crosses(corners, a, b) for a, b in zip(places, places[1:] if joined else places)):
            yield f"{name} lies on {other}"
    for other in script.tables:
        if other.startswith("triangle_") and other < name:
            more = script.column(other, 1)[:3]
            if any(crosses(one, a, b) for one, two in ((corners, more), (more, corners)) for a, b in zip(two, two[1:] + two[:1])):
                yield f"{name} lies on {other}"
    for words, place in script.labels:
        if inside(corners, place):
            yield f"the label {words} is inside {name}"
    (h0, e0), _, (h1, e1) = script.tables[name][:3]
    slope = math.log(e1 / e0) / math.log(h1 / h0)
    fitted = [math.log(b[1] / a[1]) / math.log(b[0] / a[0]) for a, b in
              (rows for table, rows in script.tables.items() if table.startswith("straight_") and len(rows) == 2)]
    if not any(abs(slope - other) < MOST_OFF for other in fitted):
        yield f"{name} of slope {slope:g} is that of no line; these have {fitted}"
    beside = [words for words, place in script.labels if abs(place[0] - upright) < WITHIN and corners[0][1] < place[1] < corners[2][1]]
    below = [words for words, place in script.labels if abs(place[1] - level) < WITHIN and corners[0][0] < place[0] < corners[2][0]]
    if len(beside) != 1 or abs(float(beside[0]) - slope) > ROUNDING * slope or below != ["1"]:
        yield f"{name} of slope {slope:g} has the labels {beside} and {below}"


def triangle_faults(path):
    """What is wrong with the slope triangles of a script, and how many there are."""
    text = path.read_text(encoding="utf-8")
    names = re.findall(r"^\$(triangle_\d+) <<", text, re.M)
    script = Script(text) if names else None
    return [fault for name in names for fault in faults_of(script, name, script.column(name, 1)[:3])], len(names)
