#!/usr/bin/env python3
"""picture_layout.py TOOL [--keep FOLDER] -- read the SVG files of many commands: where lines, points and texts are.

In every picture, at the size of the screen and of a column of a journal: no text leaves the picture, lies on a curve, a point, a frame
or another text, and no curve is cut off at its frame. Axes have two numbers at least. Slope triangles are within the frame and clear of all else (picture_script.py). Frames of twelve
schemes in 8.5 x 6 cm are not low.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

from picture_script import triangle_faults

# Widths of the letters of DejaVu Sans, hundredths of the height of its lines.
WIDTHS = {27: "'", 28: "ijl", 29: "IJ", 32: " ,.·", 34: "/:;\\|", 35: "f", 36: "-", 39: "()[]t", 40: "!", 41: "r", 46: '"', 50: "*_`°", 52: "sz",
          53: "?", 55: "c", 56: "L", 58: "Fk", 59: "vxyλ", 60: "P", 61: "TYao", 62: "e", 63: "ESbdghnpquσ", 64: "$0123456789{}μ", 66: "K", 68: "AV",
          69: "BRXZ", 70: "C", 73: "U", 75: "HN", 77: "DG", 78: "&Φ", 79: "OQ", 82: "w", 84: "#+<=>^~×≤≥±−", 86: "M", 95: "%", 97: "m", 99: "W", 100: "@"}
ADVANCE = {letter: width / 100 for width, group in WIDTHS.items() for letter in group}
RISE, DESCENT = 0.74, 0.21  # of capitals above the line, and of the letters below it
BELOW = "gjpqy,;()[]{}_|Q"
ROUNDING = 0.6  # pixels
SAMPLE = 0.12  # largest size of a sample in a key, of the picture
LEAST_OF_TWELVE = 0.15  # of the height of the picture: each of two frames above a key of twelve schemes
LEAST_TRIANGLES = 10
NUMBER = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"

BALL = "bouncing-ball --scheme moreau-jean --scheme schatzman-paoli"
TWELVE = "compare impacting-oscillator --step 0.05 --end 4 " + " ".join(f"--scheme {name}" for name in (
    "moreau-jean", "schatzman-paoli", "nonsmooth-newmark", "nonsmooth-hht", "nonsmooth-generalized-alpha",
    "nonsmooth-adams", "nonsmooth-bdf2", "moreau-jean-variant", "splitting-rkf45", "fully-implicit-newmark", "standard-penalty", "event-driven"))
COMMANDS = [
    "run bouncing-ball --scheme moreau-jean --step 0.05 --end 4",
    "run belt --scheme event-driven --set Fs=1.5 --end 8",
    "run belt --scheme moreau-jean --set Fs=1.5 --step 0.013 --end 8",
    "run belt --scheme event-driven --set Fs=1.5 --end 8 --over q0",
    "run elastic-bar --scheme moreau-jean --step 0.01 --end 2 --of mesh",
    "exact heavy-top --end 1",
    "exact bouncing-ball --end 4",
    f"compare {BALL} --step 0.05 --end 4",
    TWELVE,
    f"order {BALL} --scheme event-driven --steps 0.1:0.01:4 --repeats 3 --end 4 --norm hausdorff,l1 --of v,q",
    "order two-ball-oscillator --scheme moreau-jean --scheme nonsmooth-newmark --steps 0.1:0.01:4 --repeats 3 --end 2 --norm l1 --of q",
    "order impacting-oscillator --scheme rk-moreau --scheme nonsmooth-newmark --scheme event-driven:tol=1e-12 --scheme event-driven:tol=1e-11"
    " --steps 0.1:0.002:4 --repeats 2 --end 1 --norm l1 --of q",
    "order impacting-oscillator --scheme rk-moreau --scheme nonsmooth-newmark --scheme event-driven:tol=1e-12 --steps 0.1:0.02:4 --repeats 2"
    " --end 1 --norm l1 --of q",
    "order bouncing-ball --scheme moreau-jean --scheme spring-damper:law=hunt-crossley,k=1e4,n=1 --scheme laursen-chawla --reference limit"
    " --steps 1e-2:1e-3:4 --repeats 3 --norm l1 --of q --end 2.4",
    "order impacting-oscillator --scheme rk-moreau --scheme moreau-jean --scheme schatzman-paoli --scheme splitting-rkf45 --steps 0.1:0.01:3"
    " --repeats 2 --end 4 --norm l1 --of v",
    "order bouncing-ball --scheme moreau-jean --scheme newmark-implicit-contact --tangent plain --steps 2e-2:1e-3:4 --repeats 5 --end 1.2 --norm end --of dq0/dq0",
    "run belt --scheme event-driven --set Fs=1.5 --end 3 --of q0 --sweep vb=0.5:2:4",
    f"order {BALL} --local --steps 0.02:1e-3:4 --end 4",
    "work impacting-oscillator --scheme moreau-jean --scheme schatzman-paoli --scheme event-driven --steps 0.1:0.01:4 --tols 1e-3:1e-6:4"
    " --repeats 2 --norm l1 --of q --end 4",
    "energy impacting-oscillator --scheme moreau-jean:theta=1 --scheme nonsmooth-newmark --step 0.05",
    "spectrum moreau-jean nonsmooth-newmark:gamma=0.5,beta=0,stability=ignore nonsmooth-hht:alpha=0.1 --of radius,period",
    "compare belt --scheme event-driven --set Fs=1.5 --sweep vb=0.5:2:5 --curves v0=0,4 --end 20 --from 10 --of q0",
]
SIZES = ("", "--size 8.5x6cm --style journal")


class Box:
    """A rectangle."""

    def __init__(self, left, top, right, bottom):
        self.left, self.top, self.right, self.bottom = min(left, right), min(top, bottom), max(left, right), max(top, bottom)

    def meets(self, other):
        return (min(self.right, other.right) - max(self.left, other.left) > ROUNDING
                and min(self.bottom, other.bottom) - max(self.top, other.top) > ROUNDING)

    def within(self, other):
        return (self.left > other.left - ROUNDING and self.right < other.right + ROUNDING
                and self.top > other.top - ROUNDING and self.bottom < other.bottom + ROUNDING)

    def crossed_by(self, a, b, half):
        """By a line from a to b of the half width (Liang and Barsky)."""
        low, high, room = 0.0, 1.0, half - ROUNDING
        for d, distance in ((a[0] - b[0], a[0] - self.left + room), (b[0] - a[0], self.right + room - a[0]),
                            (a[1] - b[1], a[1] - self.top + room), (b[1] - a[1], self.bottom + room - a[1])):
            if d == 0:
                high = -1.0 if distance < 0 else high
            elif d < 0:
                low = max(low, distance / d)
            else:
                high = min(high, distance / d)
        return low <= high


def tag(element):
    return element.tag.rpartition("}")[2]


def text_box(group, text):
    """The box of a text, and its letters."""
    x, y = (float(n) for n in re.search(rf"translate\(({NUMBER}),({NUMBER})\)", group.get("transform")).groups())
    size, across, rise, drop, words = float(group.get("font-size")), 0.0, 0.0, 0.0, ""
    shift = 0.0
    pieces = [(text.text, size, 0.0)] + [(span.text, float(span.get("font-size", size)), float((span.get("dy") or "0").replace("px", "")))
                                         for span in text]
    for letters, height, dy in pieces:
        shift += dy
        words += letters or ""
        across += sum(ADVANCE.get(letter, 0.65) for letter in letters or "") * height
        if letters and letters.strip():
            rise = max(rise, RISE * height - shift)
            drop = max(drop, shift + (DESCENT * height if any(letter in BELOW for letter in letters) else 0))
    anchor = {"start": 0.0, "middle": 0.5, "end": 1.0}[group.get("text-anchor", "start")]
    left, right = -anchor * across, (1 - anchor) * across
    if "rotate(270)" in group.get("transform") or "rotate(-90)" in group.get("transform"):
        return Box(x - rise, y - right, x + drop, y - left), words
    return Box(x + left, y - rise, x + right, y + drop), words


def polylines(path):
    """The lines of a path, each a list of places."""
    lines = []
    for command, x, y in re.findall(rf"([ML])\s*({NUMBER}),({NUMBER})", path):
        if command == "M":
            lines.append([])
        lines[-1].append((float(x), float(y)))
    return [line for line in lines if len(line) > 1]


class Picture:
    """What an SVG file shows."""

    def __init__(self, name):
        root = ET.parse(name).getroot()
        self.frame = Box(0, 0, float(root.get("width")), float(root.get("height")))
        self.frames, self.texts, self.curves, self.points = [], [], [], []
        self.walk(root, 1.0, False)
        self.texts = [(box, words) for box, words in self.texts if words.strip()]

    def walk(self, element, width, in_series):
        if tag(element) == "defs":
            return
        width = float(element.get("stroke-width", width))
        in_series = in_series or (element.get("id") or "").startswith("gnuplot_plot")
        if tag(element) == "g" and element.get("font-size"):
            self.texts += [text_box(element, child) for child in element if tag(child) == "text"]
            return
        if tag(element) == "path":
            self.add_path(element, width, in_series)
        if tag(element) == "polygon" and in_series:
            places = [tuple(float(n) for n in pair.split(",")) for pair in element.get("points").split()]
            self.curves.append((places, 0.0))
        if tag(element) == "use" and in_series and element.get("opacity") is None:
            x, y, scale = (float(n) for n in re.search(rf"translate\(({NUMBER}),({NUMBER})\) scale\(({NUMBER})\)", element.get("transform")).groups())
            self.points.append((x, y, scale))
        for child in element:
            self.walk(child, width, in_series)

    def add_path(self, element, width, in_series):
        stroke, path = element.get("stroke"), element.get("d")
        lines = polylines(path)
        if "Z" in path and not in_series and len(lines) == 1 and len(lines[0]) == 5:
            (left, top), (right, bottom) = lines[0][0], lines[0][2]
            self.frames.append(Box(left, top, right, bottom))
        elif in_series or (stroke or "").replace(" ", "") not in ("rgb(64,64,64)", "rgb(216,216,216)", "rgb(128,128,128)"):
            self.curves += [(line, width / 2) for line in lines]

    def heights(self):
        """Of the frames, over that of the picture."""
        return [(frame.bottom - frame.top) / self.frame.bottom for frame in self.frames]

    def faults(self):
        """What is wrong, in words."""
        for k, (box, words) in enumerate(self.texts):
            if not box.within(self.frame):
                yield f"'{words}' leaves the picture"
            for other, more in self.texts[:k]:
                if box.meets(other):
                    yield f"'{words}' lies on '{more}'"
            for line, half in self.curves:
                if any(box.crossed_by(a, b, half) for a, b in zip(line, line[1:])):
                    yield f"'{words}' lies on a curve from {line[0]} to {line[-1]}"
                    break
            for x, y, radius in self.points:
                if box.meets(Box(x - radius / 2, y - radius / 2, x + radius / 2, y + radius / 2)):
                    yield f"'{words}' lies on a point at ({x}, {y})"
                    break
            if any(box.meets(frame) and not box.within(frame) for frame in self.frames):
                yield f"'{words}' lies on a frame"
        for line, _ in self.curves:
            extent = Box(min(x for x, _ in line), min(y for _, y in line), max(x for x, _ in line), max(y for _, y in line))
            sample = extent.right - extent.left < SAMPLE * self.frame.right and extent.bottom - extent.top < SAMPLE * self.frame.bottom
            if not sample and not any(extent.within(frame) for frame in self.frames):
                yield f"a curve from {line[0]} to {line[-1]} leaves its frame"


def cut_off(script):
    """Curves of a script of gnuplot that have values beyond the range of y, at places within that of x."""
    tables, ranges, name = {}, {}, None
    for line in script.read_text(encoding="utf-8").splitlines():
        found = re.match(r"\$(\w+) << EOD$", line)
        if found:
            name = found[1]
            tables[name] = []
        elif line == "EOD":
            name = None
        elif name:
            tables[name].append([float(x) for x in line.split()])
        elif re.match(r"set [xy]range", line):
            ranges[line[4]] = [float(x) for x in re.findall(NUMBER, line)]
        elif "$spectrum_" not in line:  # an unstable scheme leaves the picture
            for table, column in re.findall(r"\$(\w+) using 1:(\d+) with (?:lines|linespoints|points|steps)", line):
                (x_low, x_high), (low, high) = ranges["x"], ranges["y"]
                slack = 1e-9 * (high - low)
                beyond = [row for row in tables[table] if row and x_low <= row[0] <= x_high
                          and not low - slack <= row[int(column) - 1] <= high + slack and row[int(column) - 1] == row[int(column) - 1]]
                if beyond:
                    yield f"the curve {table} is cut off: {len(beyond)} of {len(tables[table])} values are outside [{low:g}, {high:g}]"


def lost(script, picture):
    """Words of labels and titles of a script that are not in the picture: gnuplot leaves out what begins beyond the edge."""
    shown = re.sub("[ _]", "", "".join(words for _, words in picture.texts))
    for text in re.findall(r"""^set (?:[xy]label|title|label) (?:'([^']*)'|"([^"]*)")""", script.read_text(encoding="utf-8"), re.M):
        for line in "".join(text).split("\\n"):
            if re.sub(r"[ {}^_]", "", line) not in shown:
                yield f"'{line}' is not in the picture"


def bare_axes(script):
    """Axes with one number, which have no scale."""
    for number, (axis, ticks) in enumerate(re.findall(r"^set ([xy])tics \((.*)\)$", script.read_text(encoding="utf-8"), re.M)):
        labels = [label for label in re.findall(r"'([^']*)' ", ticks) if label]
        if len(labels) == 1:
            yield f"axis {axis} of panel {number // 2 + 1} has one number, {labels[0]}"


def draw(tool, command, size, folder):
    """The words of a command that drew its pictures into a folder, and what was wrong."""
    folder.mkdir(parents=True, exist_ok=True)
    many = command.split()[0] in ("order", "work", "energy") or "--of q0 --sweep" in command
    words = [*command.split(), *size.split(), *(["--out", ".", "--plot-format", "svg"] if many else ["--plot", "picture.svg"])]
    result = subprocess.run([tool, *words], cwd=folder, capture_output=True, text=True)
    return " ".join(words), result.stderr if result.returncode else ""


def drawn(tool, number, command, size, folder):
    """The same; a column of a journal is as high as all panels need where they do not fit into the size."""
    if "--reference limit" in command:
        size = size.replace("8.5x6", "8.5x9")  # a key of nine lines
    words, wrong = draw(tool, command, size, folder / f"{number:02}{'j' if size else 's'}")
    if "it must be at least" in wrong:
        words, wrong = draw(tool, command, "--style journal", folder / f"{number:02}j")
    return words, folder / f"{number:02}{'j' if size else 's'}", wrong


def main():
    tool = str(pathlib.Path(sys.argv[1]).resolve())
    kept = sys.argv[sys.argv.index("--keep") + 1] if "--keep" in sys.argv else None
    failures = pictures = triangles = 0
    if shutil.which("gnuplot") is None:
        print("skipped: gnuplot is not installed")
        return 77
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(drawn, tool, number, command, size, pathlib.Path(kept or scratch))
                for number, command in enumerate(COMMANDS) for size in SIZES]
        for job in jobs:
            words, folder, wrong = job.result()
            faults = [wrong.strip()] if wrong else []
            for name in sorted(folder.glob("*.svg")):
                pictures += 1
                picture, script = Picture(name), name.with_suffix(".gp")
                wrong_triangles, count = triangle_faults(script)
                triangles += count
                faults += [f"{name.name}: {fault}" for fault in (*picture.faults(), *cut_off(script), *lost(script, picture), *bare_axes(script), *wrong_triangles)]
                if TWELVE in words and "8.5x6cm" in words:
                    faults += [f"{name.name}: a frame has {share:.2f} of the height" for share in picture.heights() if share < LEAST_OF_TWELVE]
            failures += len(faults)
            for fault in faults:
                print(f"FAILED: {words}: {fault}")
    print(f"{pictures} pictures, {triangles} triangles, {failures} faults")
    return 1 if failures or pictures < len(jobs) or triangles < LEAST_TRIANGLES else 0


if __name__ == "__main__":
    sys.exit(main())
