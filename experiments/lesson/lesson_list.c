/* experiments/lesson/lesson_list.c -- the lessons: what their sliders set, what is drawn and measured.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/lesson/lesson.h"
#include <math.h>

static const dls_lesson lessons[] = {
    {.name = "moreau-jean",
     .title = "Moreau–Jean: steps that know nothing of events",
     .summary = "a ball by Moreau–Jean's method: what h, e and theta do, and the order of the error",
     .model = "bouncing-ball",
     .settings = "",
     .scheme = "moreau-jean",
     .end = 4,
     .h_first = 0.01,
     .h_last = 0.3,
     .levels = 41,
     .sliders = {{DLS_LESSON_PARAMETER, "e", "restitution e", "", "0;0.25;0.5;0.7;0.85", 2},
                 {DLS_LESSON_OPTION, "theta", "θ", "", "0.5;0.75;1", 0}},
     .panels = {{"q0", "height q", "m", -0.3, 1.05, true}, {"v0", "velocity v", "m/s", -2.4, 2.2, false}},
     .measures = {{"hausdorff", "v", "v, distance of the filled-in graphs", ""},
                  {"grid-max", "q", "q, largest error at the nodes", "m"}}},
    {0},
};

const dls_lesson *dls_lessons(void)
{
  return lessons;
}
