/* problems.c -- scenes for engines, each beside the words that make `delassus judge` solve the same problem.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"

#define RADIUS 0.1
#define BALL_AT(q)                                                                                             \
  {                                                                                                            \
    {                                                                                                          \
      ENGINE_BALL, 1, RADIUS, 0, (q) + RADIUS, 0, 0                                                            \
    }                                                                                                          \
  }
#define BLOCK_WITH(v)                                                                                          \
  {                                                                                                            \
    {                                                                                                          \
      ENGINE_BLOCK, 1, 0.05, 0, 0.05, v, 0                                                                     \
    }                                                                                                          \
  }
/* exact in binary, in single precision too, so that the beads touch at the start */
#define BEAD_RADIUS 0.125
#define BEAD(i)                                                                                                \
  {                                                                                                            \
    ENGINE_BALL, 1, BEAD_RADIUS, 0, (2 * (i) + 1) * BEAD_RADIUS, 0, 0                                          \
  }

const engine_problem engine_problems[] = {
    {.name = "ball",
     .judge = "bouncing-ball --end 2.4",
     .end = 2.4,
     .g = 2,
     .e = 0.5,
     .lowest = true,
     .count = 1,
     .body = BALL_AT(1)},
    {.name = "accumulation",
     .judge = "bouncing-ball --end 4",
     .end = 4,
     .g = 2,
     .e = 0.5,
     .lowest = true,
     .count = 1,
     .body = BALL_AT(1)},
    {.name = "oscillator",
     .judge = "impacting-oscillator --end 7",
     .end = 7,
     .e = 0.5,
     .k = 1,
     .lowest = true,
     .count = 1,
     .body = BALL_AT(1)},
    {.name = "two-balls",
     .judge = "two-ball-oscillator --set R=0.1 --end 1",
     .end = 1,
     .g = 9.81,
     .e = 0.9,
     .k = 1000,
     .length = 1,
     .count = 2,
     .body = {{ENGINE_BALL, 1, RADIUS, 0, 1, 0, 0}, {ENGINE_BALL, 1, RADIUS, 0, 2, 0, 0}}},
    {.name = "sliding-block",
     .judge = "incline --set alpha=0 --end 1.2",
     .end = 1.2,
     .g = 9.81,
     .mu = 0.3,
     .plane = true,
     .count = 1,
     .body = BLOCK_WITH(2)},
    {.name = "resting-block",
     .judge = "incline --set alpha=0.2 --set v0=0 --end 5",
     .end = 5,
     .g = 9.81,
     .slope = 0.2,
     .mu = 0.3,
     .plane = true,
     .count = 1,
     .body = BLOCK_WITH(0)},
    {.name = "column",
     .judge = "bead-column --set gap=0 --set radius=0.125 --reference event-driven --of q --end 2",
     .end = 2,
     .g = 9.81,
     .count = 10,
     .body = {BEAD(0), BEAD(1), BEAD(2), BEAD(3), BEAD(4), BEAD(5), BEAD(6), BEAD(7), BEAD(8), BEAD(9)}},
};
const size_t engine_problem_count = sizeof engine_problems / sizeof *engine_problems;
