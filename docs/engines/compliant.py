"""The ball on a contact that yields, in closed form: compliant.py FILE.csv > EXACT.csv.

FILE.csv was written by the program for MuJoCo, and says stiffness k, damping b and impedance d of the contact. While the gap is closed,
  r'' = -d (b r' + k r) + (1 - d) a0,  until the force, in proportion to -(b r' + k r + a0), is zero; else r'' = a0.
SPDX-License-Identifier: GPL-3.0-or-later"""

import math
import re
import sys

A0, START, END = -2.0, 1.0, 2.4  # m/s^2, m, s: the problem `ball`
SPACING = 2e-5  # s, of rows


def flight(r, v):
    return lambda t: (r + v * t + A0 * t * t / 2, v + A0 * t)


def pressed(r, v, k, b, d):
    """Damped vibration about the point where the contact would rest."""
    rest, decay = (1 - d) * A0 / (d * k), d * b / 2
    omega = math.sqrt(d * k - decay * decay)
    c, s = r - rest, (v + decay * (r - rest)) / omega

    def motion(t):
        e, cos, sin = math.exp(-decay * t), math.cos(omega * t), math.sin(omega * t)
        x = e * (c * cos + s * sin)
        return rest + x, -decay * x + e * omega * (s * cos - c * sin)

    return motion


def first_root(f, step, end):
    """First t in (0, end] where f, positive before, is no more; end if there is none."""
    t = step
    while f(t) > 0:
        t += step
        if t > end:
            return end
    low, high = t - step, t
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return high


def pieces(k, b, d):
    """(start, motion, length) one after the other."""
    t, r, v, touching = 0.0, START, 0.0, False
    while t < END:
        if touching:
            motion = pressed(r, v, k, b, d)
            length = first_root(lambda s: -(b * motion(s)[1] + k * motion(s)[0] + A0), 1e-5, END - t)
        else:
            motion = flight(r, v)
            # a flight that begins in the floor leaves it first
            length = first_root(lambda s: max(motion(s)[0], motion(s)[1]), 1e-4, END - t)
        yield t, motion, length
        t += length
        r, v = motion(length)
        touching = not touching


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        said = re.search(r"solref -(\S+) -(\S+) .*solimp ([0-9.]+)", file.read(2000))
    k, b, d = map(float, said.groups())
    print("# interpolation: q0=linear v0=linear\nt,q0,v0")
    for start, motion, length in pieces(k, b, d):
        rows = math.ceil(length / SPACING)
        for i in range(rows + 1):
            r, v = motion(length * i / rows)
            print(f"{start + length * i / rows:.17g},{r:.17g},{v:.17g}")


if __name__ == "__main__":
    main()
