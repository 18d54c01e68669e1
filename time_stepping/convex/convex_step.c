/* convex_step.c -- the gap constraint of stewart-trinkle with the associated friction law: a convex problem in each step.
 *   K > P _|_ U' + (g/h) n in K*
 * It is Coulomb's law with the normal velocity U_N' - mu |U_T'|: a contact that slides at speed v rides at the gap h mu v.
 * Sources: Anitescu 2006; Tasora, Anitescu 2011; Mazhar, Heyn, Negrut, Tasora 2015 (apgd).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/convex/gap_constraint.h"
#include <float.h>

typedef struct convex_options {
  dls_gap_options gap;
  int solver;
  size_t iterations;
} convex_options;
enum { EXACT, APGD };
static const char *const solvers[] = {"exact", "apgd", NULL};
static const dls_option options[] = {
    DLS_GAP_OPTIONS,
    DLS_CHOICE_OPTION(0, convex_options, solver,
                      "of the convex problem: to rounding (exact), or accelerated projected gradients (apgd)",
                      EXACT, solvers),
    DLS_INTEGER_OPTION(0, convex_options, iterations,
                       "solver=apgd: iterations in a step, after which the best impulses are taken", 50, 1,
                       1000000),
    {0}};

static dls_status check(const dls_scheme *self, const void *given, dls_error *err)
{
  static const size_t iterations[] = {offsetof(convex_options, iterations)};
  const convex_options *opt = given;
  const dls_status status = opt->solver == APGD ? DLS_OK
                                                : dls_option_unused(self->options, opt, "scheme convex-step", 1,
                                                                    iterations, "solver=exact", err);
  return status != DLS_OK ? status : dls_linearised_check(self, given, err);
}

static dls_status prepare(dls_sim *sim, dls_linearised *s, dls_error *err)
{
  const convex_options *opt = sim->options;
  const dls_status status = dls_gap_prepare(sim, s, err);
  return status != DLS_OK      ? status
         : opt->solver == APGD ? dls_contact_system_relax(&s->contact.contacts, "apgd", opt->iterations, err)
                               : dls_contact_system_relax(&s->contact.contacts, NULL, 0, err);
}

static const dls_linearised_kind kind = {.pose = dls_gap_pose, .prepare = prepare};

const dls_scheme dls_scheme_convex_step = {
    .name = "convex-step",
    DLS_LINEARISED_ENTRY,
    .check = check,
    .summary = "Anitescu's convex relaxation of the step with friction: one solution, sliding contacts lift",
    .source = "M. Anitescu 2006; A. Tasora, M. Anitescu 2011; H. Mazhar, T. Heyn, D. Negrut, A. Tasora 2015",
    .equations = "M (v' - v) = h F(t, q, v) + H P,   q' = q + h v',   U' = H^T v'\n"
                 "K* > U' + (g/h) n  _|_  P in K:   min over K of P^T W P/2 + P^T (U_free + (g/h) n)\n"
                 "gamma: gamma g in place of g where g < 0;   joints: Phi/h + G^T v' = 0\n"
                 "solver=apgd: Nesterov's method with projections on K, step 1/L, restarts\n",
    .remarks =
        "Velocities are unique, for every mu and any redundancy. U_N' + g/h >= mu |U_T'|: a sliding\n"
        "contact rides at the gap h mu |U_T|, which does not accumulate. A landing known ahead ends with\n"
        "Coulomb's impulse. A contact that slides at a smaller gap, from its initial data or\n"
        "because it is found late (contacts=closed, a small envelope), jumps off with U_N = mu |U_T| for\n"
        "every h: order 0. e = 0. Without friction it is stewart-trinkle. A step in which solver=apgd reaches\n"
        "`iterations` has an error that does not vanish with h: --stats counts it as truncated.\n",
    .options = options,
    .options_size = sizeof(convex_options),
    .kind = &kind,
    .note = dls_gap_note,
    .limit = {.kind = DLS_LIMIT_OWN,
              .e = 0,
              .text =
                  "e = 0; with friction only if contacts are known ahead and slide at their gap h mu |U_T|"},
};
