#!/usr/bin/env python3
"""From a drag in a lesson to the drawn plots, in headless chromium: python3 bench/lessons.py TOOL [DRAGS].

Each drag sets the slider for h to another value; `script` is until all plots are in the page and laid out, `drawn`
until the frame that shows them has been handed over. Frames are not held back for a screen. Medians, and what the
slowest tenth exceeds, in milliseconds.
SPDX-License-Identifier: GPL-3.0-or-later"""

import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests/browser"))
from devtools import Page, browser  # noqa: E402

DRAG = """(async () => {
  const input = document.querySelector('#sliders input'), count = Number(input.max) + 1, times = [];
  document.getElementById('all').click(); // as many points as there can be of this position
  const drawn = () => new Promise((done) => requestAnimationFrame(() => { const c = new MessageChannel();
    c.port1.onmessage = done; c.port2.postMessage(0); }));
  for (let i = 0; i < DRAGS; i++) {
    input.value = (7 * i) % count;
    const start = performance.now();
    input.dispatchEvent(new Event('input'));
    document.body.getBoundingClientRect();
    const script = performance.now() - start;
    await drawn();
    times.push([script, performance.now() - start]);
  }
  return times;
})()"""


def main():
    tool, drags = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100
    if browser() is None:
        sys.exit("there is no chromium here")
    rows = subprocess.run(
        [tool, "list", "lessons", "--format", "csv"], capture_output=True, text=True, check=True
    ).stdout
    print(f"{'lesson':18} {'script':>8} {'slowest':>8} {'drawn':>8} {'slowest':>8}   ms, {drags} drags")
    with tempfile.TemporaryDirectory() as folder, Page(
        ["--disable-frame-rate-limit", "--disable-gpu-vsync"]
    ) as page:
        for name in (row.split(",")[0] for row in rows.splitlines()[1:]):
            path = pathlib.Path(folder) / f"{name}.html"
            subprocess.run([tool, "lesson", name, "--out", path], check=True)
            page.size(1200, 900)
            page.open(path)
            times = list(zip(*page.js(DRAG.replace("DRAGS", str(drags)), wait=True)))
            figures = [sorted(t)[k] for t in times for k in (drags // 2, drags - 1 - drags // 10)]
            print(f"{name:18} " + " ".join(f"{x:8.2f}" for x in figures))


if __name__ == "__main__":
    main()
