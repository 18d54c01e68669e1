/* test_fremond_work.c -- Fremond's law, by which contact does no positive work: in every step of every scheme that has an energy
 * identity, and in every jump of the others, whose forces between impacts are not the law's; on random systems in the plane and
 * in space, for e from 0 to 1 and theta from 1/2 to 1/(1 + e). Refused where it cannot be promised. The identities themselves,
 * with friction and surfaces that move. Source: Acary, Collins-Craft 2023.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "runs.h"
#include <delassus/catalogue.h>
#include <delassus/energy.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SYSTEMS = 40, ALL_SYSTEMS = 100, ROOM = 100 };
static const double most = 1e-14, step = 0.013, end = 1.5;

/* Options beside the defaults; open: theta in the range follows. */
static const struct {
  const char *scheme;
  bool open;
} variants[] = {{"moreau-jean:", true},
                {"moreau-jean:gamma=0.5,", true},
                {"moreau-jean-adaptive:", true},
                {"moreau-jean-adaptive:base=variant,theta=0.8", false},
                {"moreau-jean-extrapolated:", true},
                {"moreau-jean-extrapolated-adaptive:", true},
                {"moreau-jean-variant:theta=0.75", false},
                {"moreau-jean-variant:theta=1", false},
                {"nonsmooth-newmark:gamma=0.7,beta=0.4", false},
                {"nonsmooth-newmark:gamma=1,beta=1", false},
                {"nonsmooth-hht:alpha=0", false},
                {"nonsmooth-hht:alpha=0.33", false},
                {"nonsmooth-generalized-alpha:rho_inf=0.1", false},
                {"nonsmooth-generalized-alpha:rho_inf=1", false},
                {"nonsmooth-kh-generalized-alpha:rho_inf=0", false},
                {"nonsmooth-kh-generalized-alpha:rho_inf=1", false},
                {"schatzman-paoli:theta=0.5", false},
                {"schatzman-paoli:theta=1", false},
                {"three-level-alpha:rho_inf=0.5", false},
                {"rk-moreau:method=heun", false},
                {"tdg-d1-minus:level=velocity", false}};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* Scheme k: those of the catalogue that treat friction, by their defaults and their own e if they have one, then the variants. @return false behind the last */
static bool scheme_text(size_t k, double theta, char *text)
{
  for (size_t i = 0; dls_schemes()[i] != NULL; i++) {
    if ((dls_schemes()[i]->handles & DLS_HANDLES_FRICTION) && k-- == 0) {
      const bool own = dls_option_find(dls_schemes()[i]->options, "restitution") >= 0;
      snprintf(text, ROOM, "%s%s", dls_schemes()[i]->name, own ? ":restitution=own" : "");
      return true;
    }
  }
  if (k < VARIANTS && variants[k].open) {
    snprintf(text, ROOM, "%stheta=%.15g", variants[k].scheme, theta);
  } else if (k < VARIANTS) {
    snprintf(text, ROOM, "%s", variants[k].scheme);
  }
  return k < VARIANTS;
}

static dls_system *random_system(int k, double e, double surface, const char *law)
{
  char model[200];
  const int dim = 2 + k % 2, m = 1 + k % 5;
  snprintf(model, sizeof model, "random-frictional:seed=%d,dim=%d,m=%d,n=%d,e=%.15g,surface=%g%s", k, dim, m,
           dim * m + k % 4, e, surface, law);
  return dls_test_system(model);
}

static dls_scheme_choice choose(const char *scheme)
{
  dls_error err = {0};
  dls_scheme_choice choice;
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  return choice;
}

static int unfinished; /* runs with stiff contacts that yield, in which friction did not settle */

/* The ledger of a run: its identity holds. @return the largest work of contacts in a step, of the scale */
static double work_in_steps(const dls_system *sys, const dls_scheme_choice *choice, size_t *impulses)
{
  dls_error err = {0};
  dls_energy_ledger *ledger = NULL;
  const double part = choice->scheme->balance->yields ? 0.1 : 1; /* steps that resolve springs */
  const dls_energy_spec spec = {.sys = sys, .choice = choice, .step = part * step, .end = part * end};
  const dls_status status = dls_energy_run(&spec, &ledger, &err);
  if (status == DLS_ERR_NOCONV && choice->scheme->balance->yields) {
    unfinished++; /* and the identity holds up to there */
  } else {
    assert_ok(status, err);
  }
  assert_between(fabs(ledger->residual) / ledger->scale, 0, 1e-13);
  double largest = 0;
  for (size_t i = 1; i < ledger->rows->rows && ledger->contacts; i++) {
    const double *row = ledger->rows->data + i * ledger->rows->columns;
    const long normal = dls_trajectory_column(ledger->rows, "normal");
    const double work = (row[normal] + row[normal + 1]) / ledger->scale; /* normal, friction */
    largest = work <= largest ? largest : work;                          /* so that NaN stays */
    *impulses += row[normal] != 0;
  }
  dls_energy_destroy(ledger);
  return largest;
}

typedef struct jumps {
  double largest, scale; /* work of contacts in a jump; the largest energy */
  size_t count;
} jumps;

static dls_status look_at_jump(void *data, const dls_sim *sim, dls_error *err)
{
  (void)err;
  jumps *x = data;
  double work[40];
  assert_in_range(sim->sys->n, 1, 40);
  x->scale = fmax(x->scale, dls_balance_mechanical(sim, work));
  if (sim->jump) {
    const double gain = dls_balance_impact(sim, sim->v_left); /* (u+ + u-)^T p/2 */
    x->largest = gain <= x->largest ? x->largest : gain;
    x->count++;
  }
  return DLS_OK;
}

/* @return the largest work of contacts in a jump, of the scale */
static double work_in_jumps(const dls_system *sys, const dls_scheme_choice *choice, size_t *impulses)
{
  dls_error err = {0};
  dls_sim *sim = NULL;
  jumps x = {0};
  const dls_run_spec spec = {.step = step, .end = end, .watch = look_at_jump, .watch_data = &x};
  assert_ok(dls_scheme_choice_sim(choice, sys, &sim, &err), err);
  assert_ok(dls_run(sim, &spec, &err), err);
  *impulses += x.count;
  dls_sim_destroy(sim);
  return x.largest / x.scale;
}

/* At the level of positions gaps open by what closed them: e = 0, or no promise at all. Rows of engines and linearised gaps refuse such laws. */
static bool promises(const dls_scheme *scheme)
{
  return strcmp(scheme->name, "three-level-alpha") != 0 && scheme->family != DLS_FAMILY_IMPULSE &&
         scheme->family != DLS_FAMILY_CONVEX && (scheme->balance == NULL || !scheme->balance->yields);
}

DLS_TEST(contact_does_no_positive_work)
{
  char scheme[ROOM];
  size_t schemes = 0;
  for (size_t s = 0; scheme_text(s, 0.5, scheme); s++) {
    size_t impulses = 0;
    for (int k = 0; k < SYSTEMS; k++) {
      const double e = (double)k / (SYSTEMS - 1), theta = 0.5 + (1 / (1 + e) - 0.5) * (k % 4) / 3;
      scheme_text(s, theta, scheme);
      const dls_scheme_choice choice = choose(scheme);
      if (!promises(choice.scheme)) {
        break;
      }
      dls_system *sys = random_system(k, choice.scheme->family == DLS_FAMILY_POSITION ? 0 : e, 0, " fremond");
      const double work = choice.scheme->balance != NULL ? work_in_steps(sys, &choice, &impulses)
                                                         : work_in_jumps(sys, &choice, &impulses);
      if (!(work <= most)) {
        print_error("%s, system %d, e = %g: %g\n", scheme, k, e, work);
      }
      assert_between(work, 0, most);
      dls_system_destroy(sys);
    }
    schemes += impulses > SYSTEMS; /* there is contact, and work to be judged */
  }
  assert_between((double)schemes, VARIANTS + 10, VARIANTS + 30);
}

/* Every identity, 100 systems each: with Newton and Coulomb's law, e up to 0.9, surfaces that move in a third of them. */
DLS_TEST(every_identity_holds_with_friction)
{
  char scheme[ROOM];
  size_t identities = 0;
  for (size_t s = 0; scheme_text(s, 0.5, scheme); s++) {
    size_t impulses = 0;
    for (int k = 0; k < ALL_SYSTEMS; k++) {
      scheme_text(s, 0.5 + 0.005 * k, scheme);
      const dls_scheme_choice choice = choose(scheme);
      if (choice.scheme->balance == NULL) {
        break;
      }
      dls_system *sys = random_system(k, 0.9, k % 3 == 0 ? 0.5 : 0, "");
      work_in_steps(sys, &choice, &impulses);
      dls_system_destroy(sys);
      identities += k == 0;
    }
  }
  assert_between((double)identities, 20, 40);
  assert_in_range(unfinished, 0, 1); /* of 300 */
}

static void assert_refused(const char *model, const char *scheme, const char *why)
{
  dls_error err = {0};
  test_run run = dls_test_prepare(model, scheme);
  assert_int_equal(dls_sim_start(run.sim, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, why));
  dls_test_free(&run);
}

DLS_TEST(positions_cannot_promise_it)
{
  assert_refused("random-frictional:e=0.5 fremond", "schatzman-paoli",
                 "has law fremond, by which contact does no positive work, and e = ");
  assert_refused("random-frictional:e=0 fremond", "three-level-alpha",
                 "contact 0 has law fremond, by which contact does no positive work; gaps that positions");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contact_does_no_positive_work),
      cmocka_unit_test(every_identity_holds_with_friction),
      cmocka_unit_test(positions_cannot_promise_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
