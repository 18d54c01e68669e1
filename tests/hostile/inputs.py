"""Small inputs of every kind that a command reads; most are written by the tool itself.

SPDX-License-Identifier: GPL-3.0-or-later
"""
import pathlib
import subprocess

MECHANISM = """gravity: [0, -9.81]
bodies:
  - {name: crank, mass: 0.1, inertia: 1e-4, at: [0.1, 0], spin: 10, velocity: [0, 1], points: {axle: [-0.1, 0], pin: [0.1, 0]}}
  - {name: ball, mass: 1, inertia: 0.01, at: [0.5, 0.15], points: {rim: [0, -0.1]}}
joints:
  - {name: bearing, type: revolute, a: ground, b: crank.axle}
springs:
  - {a: crank.pin, b: ball, stiffness: 10, length: 0.3, damping: 0.1}
contacts:
  - {name: floor, sphere: ball, radius: 0.1, plane: [0, 1, 0], e: 0.5, mu: 0.3}
"""
STUDY = """title: Crossed
studies:
  - name: orders
    kind: order
    model: bouncing-ball
    schemes: [moreau-jean]
    steps: {first: 0.1, last: 0.05, levels: 2}
    repeats: 1
    end: 0.5
    norms: l1
    of: q
    expect: [{quantity: order, scheme: moreau-jean, between: [5, 6]}]
  - name: motion
    kind: compare
    model: bouncing-ball
    schemes: [moreau-jean, schatzman-paoli]
    step: 0.05
    end: 0.5
"""
PLANE = "dim 2\ncontacts 1\nmu 0.3\nq -1 0.5\nW 3\n0 0 2\n1 1 1\n0 1 0.1\n"
SPACE = "dim 3\ncontacts 1\nmu 0.3\nq -1 0.5 0.1\nW 3\n0 0 2\n1 1 1\n2 2 1\n"
MATRIX = "%%MatrixMarket matrix coordinate real general\n"
MATRICES = {"M": "2 2 2\n1 1 1\n2 2 1\n", "K": "2 2 4\n1 1 1e3\n1 2 -1e3\n2 1 -1e3\n2 2 1e3\n", "HT": "1 2 1\n1 1 1\n",
            "q0": "2 1 2\n1 1 1\n2 1 2\n", "F0": "2 1 2\n1 1 -1009.81\n2 1 990.19\n"}
PROGRAMS = {"sim.sh": "printf 't,q0,v0\\n0,1,0\\n%s,1,0\\n' \"$2\" >\"$3\"\n", "fail.sh": "echo failed >&2\nexit 3\n",
            "wrong.sh": "echo 't,q0' >\"$1\"\necho '0,x' >>\"$1\"\n"}
BALL = ("bouncing-ball", "--scheme", "moreau-jean", "--end", "0.5")


def make(tool, folder):
    folder.mkdir(parents=True)
    texts = {"mechanism.yaml": MECHANISM, "study.yaml": STUDY, "problem.dat": PLANE, "space.dat": SPACE, "problems.in/a.dat": PLANE,
             "problems.in/b.dat": SPACE, **{f"{name}.mtx": MATRIX + text for name, text in MATRICES.items()},
             **{name: "#!/bin/sh\n" + text for name, text in PROGRAMS.items()}}
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755 if name in PROGRAMS else 0o644)
    written_by(tool, folder)


def written_by(tool, folder):
    def run(*words):
        subprocess.run([tool, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    run("run", *BALL, "--step", "0.05", "--out", "ball.csv")
    run("run", *BALL, "--step", "0.02", "--out", "ball2.csv")
    run("run", "bead-column", "--set", "N=2", "--scheme", "event-driven", "--end", "0.1", "--out", "chain.csv")
    (folder / "sim").mkdir()
    for step in ("0.1", "0.05", "0.025"):
        run("run", *BALL, "--step", step, "--columns", "q0,v0", "--out", "whole.csv")
        lines = [line for line in (folder / "whole.csv").read_text().splitlines() if not line.startswith("#")]
        (folder / "sim" / f"h{step}.csv").write_text("\n".join([f"# step: {step}", *lines, ""]))
    (folder / "whole.csv").unlink()
    order = ("order", *BALL, "--steps", "0.1:0.05:2", "--repeats", "1", "--norm", "l1", "--of", "q", "--plot-format", "none")
    run(*order, "--out", "orders")
    for part in ("1/2", "2/2"):
        run(*order, "--out", "parts", "--shard", part)
