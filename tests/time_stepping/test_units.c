/* test_units.c -- the units of mass, length and time do not matter: every scheme, in units that are powers of two, leaves the same
 * numbers to the last bit, at nodes and in events.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "runs.h"
#include "units.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Has the option a unit of its own, not the model's? Stiffnesses of penalties, stiffnesses, lengths, speeds and times of soft contact and
 * of engines. */
static bool own_unit(const dls_scheme *scheme, const dls_option *o)
{
  return (scheme->family == DLS_FAMILY_PENALTY &&
          (strcmp(o->name, "k") == 0 || strcmp(o->name, "kappa") == 0)) ||
         ((scheme->family == DLS_FAMILY_SOFT || scheme->family == DLS_FAMILY_IMPULSE) && o->unit[0] != '\0' &&
          strcmp(o->unit, "1") != 0 && strcmp(o->unit, "v_s") != 0 &&
          strcmp(o->name, "kappa_one") != 0) || /* of ipc with scaling=one alone */
         (scheme->family == DLS_FAMILY_CONVEX && strcmp(o->unit, "m/s") == 0);
}

/* "name", or "name:kappa=value" in new units or as it is. */
static void write_scheme(const dls_scheme *scheme, bool scaled, char *text, size_t room)
{
  size_t used = (size_t)snprintf(text, room, "%s", scheme->name);
  for (const dls_option *o = scheme->options; o != NULL && o->name != NULL; o++) {
    if (own_unit(scheme, o)) {
      used += (size_t)snprintf(text + used, room - used, "%c%s=%.17g", used == strlen(scheme->name) ? ':' : ',',
                               o->name, o->initial * (scaled ? dls_test_unit(o->unit) : 1));
    }
  }
}

/* "model:parameter=value,..." */
static void write_model(const char *name, const char *const *settings, bool scaled, char *text, size_t room)
{
  dls_error err = {0};
  const dls_model *model = dls_model_find(name, &err);
  size_t used = (size_t)snprintf(text, room, "%s", name);
  for (const dls_option *o = model->parameters; o->name != NULL; o++) {
    double value = o->initial;
    for (size_t k = 0; settings[k] != NULL; k += 2) {
      value = strcmp(settings[k], o->name) == 0 ? strtod(settings[k + 1], NULL) : value;
    }
    used += (size_t)snprintf(text + used, room - used, "%c%s=%.17g", used == strlen(name) ? ':' : ',', o->name,
                             value * (scaled ? dls_test_unit(o->unit) : 1));
  }
}

static void assert_same_events(const dls_trajectory *a, const dls_trajectory *b)
{
  const double L = dls_test_unit("m"), T = dls_test_unit("s"), M = dls_test_unit("kg");
  assert_int_equal(a->event_count, b->event_count);
  for (size_t i = 0; i < a->event_count; i++) {
    const dls_event *x = &a->events[i], *y = &b->events[i];
    assert_int_equal(x->kind, y->kind);
    assert_close(y->t / T, x->t, 0);
    assert_close(y->u_minus * T / L, x->u_minus, 0);
    assert_close(y->u_plus * T / L, x->u_plus, 0);
    assert_close(y->impulse * T / L / M, x->impulse, 0);
    assert_close(y->time_end / T, x->time_end, 0);
    assert_close(y->bound / L, x->bound, 0);
  }
}

static void assert_same(const char *model, const char *const *settings, const dls_scheme *scheme, double step,
                        double end)
{
  test_run run[2];
  dls_status status[2];
  char texts[2][2][1000];
  for (int scaled = 0; scaled < 2; scaled++) {
    dls_error err = {0};
    const double unit = scaled ? dls_test_unit("s") : 1;
    write_model(model, settings, scaled, texts[scaled][0], sizeof texts[scaled][0]);
    write_scheme(scheme, scaled, texts[scaled][1], sizeof texts[scaled][1]);
    run[scaled] = dls_test_prepare(texts[scaled][0], texts[scaled][1]);
    const dls_run_spec spec = {.step = step * unit, .end = end * unit, .record = run[scaled].traj};
    status[scaled] = dls_run(run[scaled].sim, &spec, &err);
  }
  assert_int_equal(status[0], status[1]); /* e = 0 is nothing for springs */
  const dls_trajectory *a = run[0].traj, *b = run[1].traj;
  if (a->rows != b->rows) {
    fail_msg("%s by %s: %zu rows and %zu", texts[0][0], texts[0][1], a->rows, b->rows);
  }
  for (size_t i = 0; i < a->rows * a->columns; i++) {
    const double unit = dls_test_unit_of_column(run[0].sys, a->names[i % a->columns]);
    const double x = a->data[i], y = b->data[i] / unit;
    if (x != y && !(isnan(x) && isnan(y))) {
      fail_msg("%s by %s: %s of row %zu is %.17g and %.17g", texts[0][0], texts[0][1], a->names[i % a->columns],
               i / a->columns, x, y);
    }
  }
  assert_same_events(a, b);
  dls_test_free(&run[0]);
  dls_test_free(&run[1]);
}

static void every_scheme(const char *model, const char *const *settings, double step, double end)
{
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    dls_system *sys = dls_test_system(model);
    const bool springs = (*s)->family == DLS_FAMILY_PENALTY;
    if (dls_test_applies(sys, *s) && !((*s)->handles & DLS_HANDLES_NO_CONTACT) &&
        !(springs && sys->d > 1)) { /* friction has units of its own there */
      assert_same(model, settings, *s, step, end);
    }
    dls_system_destroy(sys);
  }
}

DLS_TEST(impacts_in_any_units)
{
  const char *const settings[] = {"c",   "0.1", "f",   "-0.3", "amplitude", "0.7", "omega",
                                  "1.7", "e",   "0.6", "v0",   "0.2",       NULL};
  every_scheme("impacting-oscillator", settings, 0x1p-5, 4);
}

DLS_TEST(accumulations_in_any_units)
{
  const char *const settings[] = {"f", "-9.81", NULL};
  every_scheme("bouncing-ball", settings, 0x1p-5, 2);
}

DLS_TEST(stick_and_slip_in_any_units)
{
  const char *const settings[] = {"v0", "0.3", NULL};
  every_scheme("belt", settings, 0x1p-5, 4);
}

/* Chains, friction in the plane and in space, moving supports: models whose coordinates are lengths. */
DLS_TEST(other_models_in_any_units)
{
  static const char *const models[] = {"two-ball-oscillator", "bead-column", "ball-between-walls",
                                       "forced-block",        "puck",        "puck-belt",
                                       "vibrating-table"};
  const char *const none[] = {NULL};
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    every_scheme(models[k], none, 0x1p-6, 0.5);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impacts_in_any_units),
      cmocka_unit_test(accumulations_in_any_units),
      cmocka_unit_test(stick_and_slip_in_any_units),
      cmocka_unit_test(other_models_in_any_units),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
