/* experiments/extra/lesson/lesson_list.c -- the lessons: what their sliders set, what is drawn and measured.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/extra/lesson/lesson.h"

#include <delassus/option.h>
#include <math.h>
#include <string.h>

enum { MOST_LESSONS = 32 };

static const dls_lesson lessons[] = {
    {.name = "velocity-flip",
     .title = "The velocity flip: a typical first program",
     .summary =
         "RK4 with a velocity flip: order four without impact, one with it, and what becomes of a ball at rest",
     .model = "impacting-oscillator",
     .settings = "",
     .end = NAN,
     .h_first = 0.01,
     .h_last = 0.3,
     .levels = 41,
     .sliders = {{DLS_LESSON_END, NULL, "end of the run", "s", "1.5;2.5;10", 1},
                 {DLS_LESSON_PARAMETER, "e", "restitution e", "", "0.5;1", 0},
                 {DLS_LESSON_SCHEME, NULL, "scheme", "", "naive-rk4;naive-rk4:project=on;rk-moreau:method=rk4",
                  0}},
     .panels = {{"q0", "position q", "m", -0.3, 1.2, true}, {"v0", "velocity v", "m/s", -1.4, 1.4, false}},
     .measures = {{"grid-max", "q", "q, largest error at the nodes", "m"},
                  {"l1", "v", "v, error integrated over time", "m"}}},
    {.name = "filled-in-graphs",
     .title = "Filled-in graphs and their distance",
     .summary = "why the largest error of a velocity with jumps does not decrease, and which distances do",
     .model = "bouncing-ball",
     .settings = "",
     .end = 1.9,
     .h_first = 0.005,
     .h_last = 0.2,
     .levels = 41,
     .sliders = {{DLS_LESSON_PARAMETER, "e", "restitution e", "", "0;0.25;0.5;0.75;1", 2},
                 {DLS_LESSON_SCHEME, NULL, "scheme", "", "moreau-jean;schatzman-paoli", 0}},
     .panels = {{"v0", "velocity v", "m/s", -2.6, 2.4, false}, {"q0", "height q", "m", -0.3, 1.05, true}},
     .measures = {{"max", "v", "v, largest difference", "m/s"},
                  {"l1", "v", "v, difference integrated over time", "m"},
                  {"hausdorff", "v", "v, distance of the filled-in graphs", ""}}},
    {.name = "moreau-jean",
     .title = "Moreau–Jean: steps that ignore events",
     .summary = "a ball by Moreau–Jean's method: effects of h, e and theta, and the order of the error",
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
    {.name = "energy",
     .title = "Energy: what dissipates it, what creates it",
     .summary =
         "an oscillator against a wall: energy dissipated by impacts and by schemes, and created by schemes",
     .model = "impacting-oscillator",
     .settings = "",
     .end = 10,
     .h_first = 0.005,
     .h_last = 0.2,
     .levels = 41,
     .sliders = {{DLS_LESSON_PARAMETER, "e", "restitution e", "", "0.5;0.8;1", 2},
                 {DLS_LESSON_SCHEME, NULL, "scheme", "",
                  "moreau-jean:theta=0.4,stability=ignore;"
                  "moreau-jean:theta=0.5;moreau-jean:theta=0.6;moreau-"
                  "jean:theta=1;"
                  "naive-rk4",
                  1}},
     .panels = {{"energy", "energy", "J", 0, 0.8, false}, {"q0", "position q", "m", -0.3, 1.5, true}},
     .measures = {{"l1", "energy", "energy, error integrated over time", "J s"},
                  {"grid-max", "q", "q, largest error at the nodes", "m"}}},
    {.name = "accumulation",
     .title = "Accumulation: infinitely many impacts in finite time",
     .summary = "a ball that comes to rest: what schemes do with infinitely many impacts",
     .model = "bouncing-ball",
     .settings = "",
     .end = NAN,
     .h_first = 0.01,
     .h_last = 0.3,
     .levels = 41,
     .sliders = {{DLS_LESSON_END, NULL, "end of the run", "s", "1.9;5", 1},
                 {DLS_LESSON_PARAMETER, "e", "restitution e", "", "0.25;0.5;0.6", 1},
                 {DLS_LESSON_SCHEME, NULL, "scheme", "",
                  "moreau-jean;moreau-jean:gamma=0.5,velocity_test=off;schatzman-paoli;naive-rk4", 0}},
     .panels = {{"q0", "height q", "m", -0.5, 1.05, true}, {"v0", "velocity v", "m/s", -2.4, 2.2, false}},
     .measures = {{"hausdorff", "v", "v, distance of the filled-in graphs", ""},
                  {"l1", "q", "q, error integrated over time", "m s"}}},
    {.name = "elastic-bar",
     .title = "The elastic bar: an impact that lasts",
     .summary = "a bar that hits the floor: waves, errors of the step and errors of the mesh",
     .model = "elastic-bar",
     .settings = "",
     .end = 1.8,
     .h_first = 5e-4,
     .h_last = 0.05,
     .levels = 41,
     .sliders = {{DLS_LESSON_PARAMETER, "n", "elements n", "", "10;40;160", 1},
                 {DLS_LESSON_PARAMETER, "mass", "mass matrix", "", "consistent;lumped", 0},
                 {DLS_LESSON_OPTION, "theta", "θ", "", "0.5;1", 0}},
     .scheme = "moreau-jean",
     .panels = {{"q0", "lower end q₀", "m", -1, 6, true}, {"v0", "its velocity v₀", "m/s", -20, 20, false}},
     .measures = {{"grid-max", "q0", "lower end, largest error at the nodes", "m"},
                  {"l1", "v0", "its velocity, error integrated over time", "m"}}},
    {.name = "stick-slip",
     .title = "Stick and slip",
     .summary = "a block on a belt: stick, slip, and the order that remains when they alternate",
     .model = "belt",
     .settings = "",
     .end = 15,
     .h_first = 0.01,
     .h_last = 0.3,
     .levels = 41,
     .sliders = {{DLS_LESSON_PARAMETER, "Fs", "friction limit while it sticks Fs", "N", "1;1.5;2", 1},
                 {DLS_LESSON_PARAMETER, "vb", "velocity of the belt", "m/s", "0.3;0.6", 0},
                 {DLS_LESSON_OPTION, "theta", "θ", "", "0.5;1", 0}},
     .scheme = "moreau-jean",
     .panels = {{"q0", "position x", "m", -1, 3.5, false}, {"v0", "velocity x'", "m/s", -1.5, 1, false}},
     .measures = {{"grid-max", "q0", "x, largest error at the nodes", "m"},
                  {"hausdorff", "v0", "x', distance of the graphs", ""}}},
    {.name = "kane",
     .title = "Kane's impact: a law that creates energy",
     .summary = "a double pendulum strikes a rough floor: four laws of impact, and the energy after each",
     .model = "kane",
     .settings = "",
     .scheme = "moreau-jean",
     .end = 0.05,
     .h_first = 0.01,
     .h_last = 0.01,
     .levels = 1,
     .sliders = {{DLS_LESSON_LAW, NULL, "law", "", "newton-coulomb;fremond;moreau;poisson", 0},
                 {DLS_LESSON_PARAMETER, "mu", "friction μ", "", "0;0.1;0.25;0.5;0.6;1", 3},
                 {DLS_LESSON_PARAMETER, "e", "restitution e", "",
                  "0;0.05;0.1;0.15;0.2;0.25;0.3;0.35;0.4;0.45;0.5;0.55;0.6;0.65;0.7;0.75;0.8;0.85;0.9;0.95;1",
                  10}},
     .panels = {{"energy", "kinetic energy", "J", 0, 0.12, false},
                {"u0", "normal velocity of the tip", "m/s", -0.15, 0.15, false},
                {"u0t", "slip of the tip", "m/s", -0.35, 0.35, false}},
     .measures = {{"gain", "energy", "energy after the impact / before it", ""}}},
    {.name = "contact-models",
     .title = "Contact models of engines: the bounce that results",
     .summary = "a ball by the steps of physics engines: its bounce over the step, and its depth at rest",
     .model = "bouncing-ball",
     .settings = "f=-9.81",
     .end = 0.6,
     .h_first = 0.0005,
     .h_last = 0.0125,
     .levels = 25,
     .plain = true,
     .sliders = {{DLS_LESSON_PARAMETER, "q0", "start height", "m", "0.1;0.104;0.109", 0},
                 {DLS_LESSON_PARAMETER, "e", "restitution e", "", "0;0.5", 0},
                 {DLS_LESSON_SCHEME, NULL, "step model", "",
                  "moreau-jean;mujoco:restitution=own;sap:restitution=own;icf:restitution=own;chrono-nsc;"
                  "sequential-impulse;sequential-impulse:stabilise=split;soft-step;xpbd:substeps=1",
                  1}},
     .panels = {{"q0", "height q", "m", -0.03, 0.12, true}, {"v0", "velocity v", "m/s", -1.6, 1, false}},
     .measures = {{"contact", "first_restitution", "bounce, speed after / before", ""},
                  {"contact", "rest_depth", "depth at rest", "m"}}},
    {0},
};

const dls_lesson *dls_lessons(void)
{
  return lessons;
}

const dls_lesson *dls_lesson_find(const char *name, dls_error *err)
{
  const char *names[MOST_LESSONS];
  char list[300] = "";
  size_t count = 0;
  for (const dls_lesson *lesson = dls_lessons(); lesson->name != NULL; lesson++) {
    if (strcmp(lesson->name, name) == 0) {
      return lesson;
    }
    dls_text_append(list, sizeof list, "%s%s", count == 0 ? "" : ", ", lesson->name);
    names[count++] = lesson->name;
  }
  const char *near = dls_nearest_name(name, names, count);
  dls_fail(err, DLS_ERR_OPTION, "unknown lesson '%.60s'%s%s%s The lessons are: %s", name,
           near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : ".", list);
  return NULL;
}
