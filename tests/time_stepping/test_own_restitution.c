/* test_own_restitution.c -- schemes with a restitution coefficient of their own, and the limit models that schemes declare.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/compliance.h"
#include "models.h"
#include "runs.h"
#include "time_stepping/step/own_restitution.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct own_options {
  int restitution;
} own_options;
static const dls_option own_table[] = {DLS_FIT_RESTITUTION_OPTION(0, own_options), {0}};

static double tenth(const dls_sim *sim, size_t j, char *text, size_t size)
{
  (void)sim;
  (void)j;
  snprintf(text, size, "0.1 (by its damper)");
  return 0.1;
}
static double varies(const dls_sim *sim, size_t j, char *text, size_t size)
{
  (void)sim;
  (void)j;
  snprintf(text, size, "1/(d |u-|)");
  return NAN;
}
static const dls_own_restitution of_tenth = {.e = tenth, .fits = true}, of_none = {0},
                                 of_varies = {.e = varies, .tangential = true};
static const dls_own_restitution *at_hand;

static int choice(const dls_sim *sim)
{
  return ((const own_options *)sim->options)->restitution;
}
static dls_status own_start(dls_sim *sim, dls_error *err)
{
  return dls_own_restitution_check(sim, at_hand, choice(sim), err);
}
static dls_status own_advance(dls_sim *sim, double h, dls_error *err)
{
  (void)err;
  sim->q[0] += h * sim->v[0];
  return DLS_OK;
}
static void own_note(const dls_sim *sim, char *text, size_t size)
{
  dls_own_restitution_note(sim, at_hand, choice(sim), text, size);
}
static const dls_scheme owner = {.name = "owner",
                                 .options = own_table,
                                 .options_size = sizeof(own_options),
                                 .handles = DLS_HANDLES_FRICTION,
                                 .start = own_start,
                                 .advance = own_advance,
                                 .note = own_note};

/* The status of the start on a model, err, and the note in the metadata. */
static dls_status start_on(const char *model, const dls_own_restitution *own, const char *option, char *note,
                           dls_error *err)
{
  dls_sim *sim = NULL;
  dls_system *sys = dls_test_system(model);
  at_hand = own;
  *err = (dls_error){0};
  note[0] = '\0';
  assert_ok(dls_sim_create(sys, &owner, &sim, err), *err);
  assert_ok(dls_sim_set(sim, option, err), *err);
  dls_trajectory *traj = dls_sim_trajectory(sim, err);
  assert_non_null(traj);
  for (size_t i = 0; i < traj->meta_count; i++) {
    if (strncmp(traj->meta[i], "note: ", 6) == 0) {
      snprintf(note, DLS_NOTE_ROOM, "%s", traj->meta[i] + 6);
    }
  }
  const dls_status status = dls_sim_start(sim, err);
  dls_trajectory_destroy(traj);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}

DLS_TEST(another_e_than_the_own_is_refused)
{
  dls_error err;
  char note[DLS_NOTE_ROOM];
  assert_int_equal(start_on("bouncing-ball:e=0.5", &of_tenth, "restitution=refuse", note, &err),
                   DLS_ERR_NOT_APPLICABLE);
  assert_string_equal(err.text,
                      "owner has its own restitution coefficient, 0.1 (by its damper), and contact 0 has e = "
                      "0.5; restitution=own runs with the former, restitution=fit adjusts the damping");
  assert_string_equal(note, "");
  assert_int_equal(start_on("bouncing-ball:e=0.5", &of_none, "restitution=refuse", note, &err),
                   DLS_ERR_NOT_APPLICABLE);
  assert_string_equal(err.text, "owner has its own restitution coefficient, 0, and contact 0 has e = 0.5; "
                                "restitution=own runs with the former");
  assert_int_equal(start_on("bouncing-ball:e=0", &of_varies, "restitution=refuse", note, &err),
                   DLS_ERR_NOT_APPLICABLE); /* no single number equals that of the model */
  assert_ok(start_on("bouncing-ball:e=0", &of_none, "restitution=refuse", note, &err), err);
  assert_ok(start_on("bouncing-ball:e=0.1", &of_tenth, "restitution=refuse", note, &err), err);
  assert_int_equal(start_on("bouncing-ball:e=0.10001", &of_tenth, "restitution=refuse", note, &err),
                   DLS_ERR_NOT_APPLICABLE);
}

DLS_TEST(the_own_e_is_noted_where_it_differs)
{
  dls_error err;
  char note[DLS_NOTE_ROOM];
  assert_ok(start_on("bouncing-ball:e=0.5", &of_tenth, "restitution=own", note, &err), err);
  assert_string_equal(
      note,
      "restitution=own: contact 0 has e = 0.5 in the model and runs with that of owner, 0.1 (by its damper)");
  assert_ok(start_on("bouncing-ball:e=0.1", &of_tenth, "restitution=own", note, &err), err);
  assert_string_equal(note, "");
  assert_ok(start_on("bouncing-ball:e=0.5", &of_tenth, "restitution=fit", note, &err), err);
  assert_string_equal(note, "");
  assert_ok(start_on("two-ball-oscillator:e=0.5", &of_none, "restitution=own", note, &err), err);
  assert_non_null(strstr(note, "runs with that of owner, 0"));
}

DLS_TEST(laws_that_restitute_slip_are_refused_unless_obeyed)
{
  dls_error err;
  char note[DLS_NOTE_ROOM];
  assert_int_equal(start_on("incline moreau:e=0.5,mu=0.3", &of_tenth, "restitution=own", note, &err),
                   DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "has law moreau, which restitutes the slip"));
  assert_ok(start_on("incline moreau:e=0.5,mu=0.3", &of_varies, "restitution=own", note, &err), err);
}

/* The damping declared for the limit gives the e of the model. */
DLS_TEST(declared_limits_of_springs_have_the_e_of_the_model)
{
  const dls_limit_contact contact = {.inverse_mass = 0.5, .e = 0.6, .speed = 3};
  for (int tension = 0; tension < 2; tension++) {
    char text[80];
    dls_error err = {0};
    dls_limit_model limit;
    snprintf(text, sizeof text, "spring-damper:k=2e4,tension=%s", tension ? "on" : "off");
    test_run run = dls_test_prepare("bouncing-ball:e=0.6", text);
    assert_ok(dls_scheme_limit(run.sim->scheme, run.sim->options, &contact, &limit, &err), err);
    assert_int_equal(limit.kind, DLS_LIMIT_COMPLIANT);
    assert_int_equal(limit.law, DLS_COMPLIANCE_KELVIN_VOIGT);
    assert_close(limit.k, 2e4, 0);
    assert_close(limit.c / (2 * sqrt(limit.k / contact.inverse_mass)), dls_kelvin_voigt_ratio(0.6, tension),
                 1e-14);
    assert_true(limit.pulls == (tension == 1));
    dls_test_free(&run);
  }
  dls_error err = {0};
  dls_limit_model limit;
  test_run run = dls_test_prepare("bouncing-ball:e=0.6", "spring-damper:law=hunt-crossley");
  assert_ok(dls_scheme_limit(run.sim->scheme, run.sim->options, &contact, &limit, &err), err);
  const double x = limit.c * contact.speed; /* ln((1 + x)/(1 - e x)) = (1 + e) x */
  assert_close(log((1 + x) / (1 - 0.6 * x)), 1.6 * x, 1e-12);
  assert_close(limit.p, 1.5, 0);
  dls_test_free(&run);
}

/* Kinds of all schemes: a rigid limit has an e, a compliant one a stiffness. */
DLS_TEST(every_scheme_declares_its_limit)
{
  const dls_limit_contact contact = {
      .inverse_mass = 1, .e = 0.5, .speed = 2}; /* above the threshold of soft-step */
  size_t count[4] = {0};
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    dls_error err = {0};
    dls_limit_model limit;
    dls_sim *sim = NULL;
    dls_system *sys = dls_test_system("bouncing-ball");
    assert_ok(dls_sim_create(sys, *s, &sim, &err), err);
    const dls_status status = dls_scheme_limit(*s, sim->options, &contact, &limit, &err);
    if (status == DLS_ERR_NOT_APPLICABLE) { /* it has a limit, whose motion is not computed */
      assert_int_equal((*s)->limit.kind, DLS_LIMIT_COMPLIANT);
      assert_non_null(strstr(err.text, "not computed"));
      assert_string_equal((*s)->name, "ipc");
      dls_sim_destroy(sim);
      dls_system_destroy(sys);
      continue;
    }
    assert_ok(status, err);
    if (limit.kind != (*s)->limit.kind) {
      print_error("%s: limit %d, declared %d\n", (*s)->name, (int)limit.kind, (int)(*s)->limit.kind);
    }
    assert_int_equal(limit.kind, (*s)->limit.kind);
    assert_non_null(dls_limit_text(limit.kind));
    assert_true(limit.kind != DLS_LIMIT_RIGID || limit.e == 0.5);
    assert_true(limit.kind != DLS_LIMIT_OWN || (*s)->limit.text != NULL);
    assert_true(limit.kind != DLS_LIMIT_COMPLIANT || limit.k > 0);
    count[limit.kind]++;
    dls_sim_destroy(sim);
    dls_system_destroy(sys);
  }
  for (size_t k = 0; k < 4; k++) {
    assert_true(count[k] > 2);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(another_e_than_the_own_is_refused),
      cmocka_unit_test(the_own_e_is_noted_where_it_differs),
      cmocka_unit_test(laws_that_restitute_slip_are_refused_unless_obeyed),
      cmocka_unit_test(declared_limits_of_springs_have_the_e_of_the_model),
      cmocka_unit_test(every_scheme_declares_its_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
