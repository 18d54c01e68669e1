/* experiments/cli/topics.c -- `delassus help TOPIC`: what several commands share. The manual page prints some of it too.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/tool.h"

#include <string.h>

const dls_cli_topic dls_cli_topics[] = {
    {"values", "how schemes, parameters, steps and lists are written",
     "  --scheme NAME:OPTION=VALUE,...   a scheme and its options: moreau-jean:theta=1\n"
     "  --set P=VALUE                    a parameter of the model: e=0.8; `delassus show MODEL` lists them\n"
     "  --law NAME:P=VALUE,...           a law of contact in place of the model's: poisson:e=0.5\n"
     "  --steps H0:H1:N                  N step sizes from H0 to H1 [s], in a geometric sequence\n"
     "  --sweep P=A:B:N                  N values of P from A to B; A:B:N:log, or a list X,Y,...\n"
     "  --of q,v                         all coordinates and velocities; q0 is one of them\n"
     "  --norm NAME:OPTION=VALUE         a norm and its options; `delassus list norms` lists them\n"
     "Numbers have a decimal point, and the whole text must be one number. Times are in seconds, other\n"
     "values in the units that `delassus show MODEL` prints.\n"},
    {"columns", "what the columns of a trajectory contain",
     "  t          time [s]; two rows with equal t are a jump: left limit, then right limit\n"
     "  q0 v0 a0   coordinates, velocities, accelerations\n"
     "  g0 u0      gap of a contact and its velocity\n"
     "  p0         impulse of a contact, of the step (time stepping) or the impact (event-driven)\n"
     "  lambda0    contact force\n"
     "  status0    0 open, 1 closed; with friction also stick and slip\n"
     "Lines that begin with # are metadata: model, scheme, parameters, events, warnings.\n"
     "`# interpolation:` states what holds between two rows. See docs/file-formats.md.\n"},
    {"verdicts", "what `order` and `judge` say about the errors",
     "  order 0.94 [0.80, 1.08]   error = C h^q, with the 95 % interval of q\n"
     "  plateau                   the errors stop: the scheme converges to something else\n"
     "  at its floor              rounding\n"
     "  no order                  the interval contains 0, or the errors follow no power law\n"
     "  explodes                  errors of more than ten times the solution, excluded from the fit\n"
     "A slope is printed only where the errors follow a power law.\n"
     "See docs/guide/reading-numbers.md.\n"},
    {"exit-status", "what the exit status means",
     "  0          done\n"
     "  1          failed while running: what was computed is kept and marked\n"
     "  2          the request is wrong: nothing was computed\n"
     "  3          with --strict: finished, and a check does not hold\n"
     "  75         not finished within --time-limit: the same command continues (docs/guide/clusters.md)\n"
     "  130, 143   interrupted by Ctrl-C, by SIGTERM: what was computed is kept and marked\n"},
    {"environment", "variables of the environment",
     "  COLUMNS, LINES          size of texts and of pictures in the terminal\n"
     "  TERM=dumb, CI           no progress line\n"
     "  PATH                    where gnuplot and programs of --external are looked for\n"
     "  DELASSUS_WASM           folder of the library as WebAssembly, for `playground`\n"
     "  TMPDIR                  folder for tables of programs of --external\n"
     "  OPENBLAS_NUM_THREADS    threads of BLAS; 1 is best beside --jobs\n"},
    {"files", "what files the commands write",
     "  FILE.csv                trajectory: `delassus help columns`\n"
     "  errors.csv, orders.csv  errors of all runs of a study, and fitted orders with their intervals\n"
     "  runs.csv                finished runs, from which --resume continues\n"
     "  verdict.csv             what a study file expects, and whether it holds\n"
     "  NAME.png, NAME.gp       picture, and the gnuplot script with its numbers that draws it\n"
     "Results go to standard output or to the files asked for, messages to standard error. A file is\n"
     "written whole or not at all.\n"},
    {0}};

const dls_cli_topic *dls_cli_topic_named(const char *name)
{
  const dls_cli_topic *topic = dls_cli_topics;
  while (topic->name != NULL && strcmp(topic->name, name) != 0) {
    topic++;
  }
  return topic->name != NULL ? topic : NULL;
}
