"""The bouncing ball by Moreau's time stepping, as a program of somebody else would write it: for test_cli_external.sh.

usage: ball_simulator.py [--sick HOW] STEP END E F [FILE]
HOW: crash, hang, quiet (writes nothing), short, nan, loud (complains, but works), pipe.
SPDX-License-Identifier: GPL-3.0-or-later"""

import os
import sys
import time


def motion(step, end, e, f):
    """Rows of t, y, v: the velocity jumps at the end of the step before which the floor would be passed."""
    y, v, k = 1.0, 0.0, 0
    yield 0.0, y, v
    while (k + 1) * step <= end * (1 + 1e-12):
        free = v + step * f
        v = free if y + step * v / 2 > 0 else max(free, -e * v)
        y, k = y + step * v, k + 1
        yield k * step, y, v


def main(words):
    sick = words.pop(1) and words.pop(1) if words[1] == "--sick" else ""
    step, end, e, f = map(float, words[1:5])
    if sick == "crash":
        print("a line before it", file=sys.stderr)
        print("matrix is singular in step 7", file=sys.stderr)
        return 3
    if sick == "lost":
        print("cannot continue " + words[5], file=sys.stderr)
        return 4
    if sick == "hang":
        if os.fork() == 0:  # a child of it, which is to end with it
            open("child-" + str(os.getpid()), "w").close()
            time.sleep(1000)
        time.sleep(1000)
    if sick == "quiet":
        return 0
    if sick == "pipe":
        os.mkfifo(words[5])
        return 0
    if sick == "loud":
        print("it was hard", file=sys.stderr)
    out = open(words[5], "w") if len(words) > 5 else sys.stdout
    print("t,height,speed", file=out)
    for t, y, v in motion(step, end / 2 if sick == "short" else end, e, f):
        print("%r,%r,%s" % (t, y, "nan" if sick == "nan" and t > 1 else repr(v)), file=out)
    return 0


sys.exit(main(sys.argv))
