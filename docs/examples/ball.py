# SPDX-License-Identifier: GPL-3.0-or-later
# %% [markdown]
# # A bouncing ball, and how far off an integrator is
#
# The cells of this script run one after the other in any editor that knows `# %%`, or all at once with
# `PYTHONPATH=PREFIX/share/delassus/python python3 ball.py`.

# %%
import math

import delassus

# %% [markdown]
# What there is to choose from. The schemes of a model that is listed here are told by `delassus show`.

# %%
print(len(delassus.models()), "models,", len(delassus.schemes()), "schemes")
print("bouncing-ball:", delassus.models()["bouncing-ball"])

# %% [markdown]
# One run. Columns are attributes: `run.t`, `run.q0`, `run.v0`, ...; two rows with the same time are the two sides of
# an impact.

# %%
run = delassus.run("bouncing-ball", scheme="moreau-jean:theta=1", step=1e-3, end=4, e=0.8)
print(len(run), "rows of", ", ".join(run.columns))
for event in run.events:
    print(f"{event['kind']} at t = {event['t']:.4f} s, speed {-event['u_minus']:.4f} -> {event['u_plus']:.4f} m/s")
print("restitution measured:", round(-run.events[0]["u_plus"] / run.events[0]["u_minus"], 12))

# %% [markdown]
# The closed form at the times of a run, and the error of the position for five steps.


# %%
def largest_error(step):
    ran = delassus.run("bouncing-ball", scheme="moreau-jean", step=step, end=4, e=0.8)
    exact = delassus.exact("bouncing-ball", at=sorted(set(ran.t)), e=0.8)
    right = dict(zip(exact.t, exact.q0))
    return max(abs(q - right[t]) for t, q in zip(ran.t, ran.q0))


steps = [0.04 / 3 * 0.5**k for k in range(5)]  # a third, as impacts that fall on the grid flatter the scheme
errors = [largest_error(step) for step in steps]
for step, error in zip(steps, errors):
    print(f"h = {step:.2e} s: error of q = {error:.2e} m")
order = math.log(errors[0] / errors[-1]) / math.log(steps[0] / steps[-1])
print(f"observed order: {order:.2f}")

# %% [markdown]
# What goes wrong is said, and nothing computed is lost.

# %%
try:
    delassus.run("bouncing-ball", scheme="moreau-jean:theta=0.4", step=1e-3)
except delassus.Error as error:
    print("refused:", error)

# %% [markdown]
# A picture, where matplotlib is installed.

# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("no matplotlib: no picture")
else:
    exact = delassus.exact("bouncing-ball", end=4, e=0.8)
    plt.plot(exact.t, exact.v0, color="grey", label="exact")
    plt.plot(run.t, run.v0, label="Moreau-Jean, h = 1 ms")
    plt.xlabel("t [s]")
    plt.ylabel("v [m/s]")
    plt.legend()
    plt.savefig("ball.png")
    print("ball.png")
