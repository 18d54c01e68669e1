/* test_catalogue.c -- every entry is complete, and every scheme runs every model or says why not.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/run/capabilities.h"
#include "experiments/catalogue/plugin_check.h"
#include "models.h"
#include <ctype.h>
#include <delassus/catalogue.h>
#include <delassus/law.h>
#include <delassus/lcp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Hyphenated small letters and digits, beginning with a letter. */
static bool is_name(const char *text)
{
  bool good = islower((unsigned char)text[0]);
  for (const char *c = text; *c != '\0'; c++) {
    good = good && (islower((unsigned char)*c) || isdigit((unsigned char)*c) || (*c == '-' && c[1] != '\0'));
  }
  return good;
}

static void assert_filled(const char *owner, const char *what, const char *text)
{
  if (text == NULL || text[0] == '\0') {
    fail_msg("%s has no %s", owner, what);
  }
}

/* Lines that end, none so wide that a terminal breaks it. */
static void assert_lines(const char *owner, const char *what, const char *text)
{
  assert_filled(owner, what, text);
  if (text[strlen(text) - 1] != '\n') {
    fail_msg("%s: the last line of %s does not end", owner, what);
  }
  for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
    size_t width = 0;
    for (size_t i = 0; line[i] != '\n'; i++) {
      width += ((unsigned char)line[i] & 0xC0) != 0x80; /* bytes that begin a character of UTF-8 */
    }
    if (width > 108) {
      fail_msg("%s: a line of %s has %zu characters: %.40s...", owner, what, width, line);
    }
  }
}

static void assert_table(const char *owner, const dls_option *table)
{
  const size_t count = dls_option_count(table);
  double *values = calloc(count + 1, sizeof *values);
  assert_non_null(values);
  for (size_t i = 0; i < count; i++) {
    dls_error err = {0};
    assert_int_equal(dls_option_find(table, table[i].name), (int)i); /* so names are unique */
    assert_filled(owner, "help for an option", table[i].help);
    assert_non_null(table[i].unit);
    assert_ok(dls_option_set(table, owner, table[i].name, table[i].initial, values, &err), err);
    assert_int_equal(dls_option_set(table, owner, table[i].name, NAN, values, &err), DLS_ERR_OPTION);
    assert_non_null(strstr(err.text, table[i].name));
  }
  free(values);
}

/* Slots have names of their own, and without the files the model says which it needs. */
static void assert_files(const dls_model *model)
{
  dls_system *sys = NULL;
  dls_error err = {0};
  assert_int_equal(dls_model_create(model, NULL, &sys, &err), DLS_ERR_ARG);
  assert_null(sys);
  assert_non_null(model->load);
  for (const dls_file_slot *slot = model->files; slot->name != NULL; slot++) {
    assert_filled(model->name, "help for a file", slot->help);
    assert_int_equal(dls_option_find(model->parameters, slot->name), -1);
    assert_true(!slot->required || strstr(err.text, slot->name) != NULL);
    for (const dls_file_slot *other = model->files; other != slot; other++) {
      assert_string_not_equal(slot->name, other->name);
    }
  }
}

/* With the words that refuse a plugin. */
DLS_TEST(every_entry_passes_the_checks_of_plugins)
{
  const dls_plugin all = {
      .models = dls_models(), .schemes = dls_schemes(), .exacts = dls_exacts(), .laws = dls_law_list};
  dls_error err = {0};
  assert_ok(dls_plugin_check_entries(&all, "of the source tree", &err), err);
}

/* A name must not mean two things to `show`. */
DLS_TEST(every_name_stands_for_one_entry)
{
  const char *names[1000];
  size_t count = 0;
  for (const dls_model *const *m = dls_models(); *m != NULL; m++) {
    names[count++] = (*m)->name;
  }
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    names[count++] = (*s)->name;
  }
  for (const dls_law *const *law = dls_law_list; *law != NULL; law++) {
    names[count++] = (*law)->name;
  }
  for (const dls_norm *const *norm = dls_norms(); *norm != NULL; norm++) {
    names[count++] = (*norm)->name;
  }
  for (const dls_lcp_method *const *method = dls_lcp_methods(); *method != NULL; method++) {
    names[count++] = (*method)->name;
  }
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < i; j++) {
      if (strcmp(names[i], names[j]) == 0) {
        fail_msg("the name '%s' is taken twice: models, schemes, laws, norms and LCP solvers share their names",
                 names[i]);
      }
    }
  }
}

DLS_TEST(every_model_is_complete_and_can_be_made)
{
  for (const dls_model *const *m = dls_models(); *m != NULL; m++) {
    const dls_model *model = *m;
    dls_error err = {0};
    assert_true(is_name(model->name));
    assert_ptr_equal(dls_model_find(model->name, &err), model); /* so names are unique */
    assert_filled(model->name, "summary", model->summary);
    assert_filled(model->name, "source", model->source);
    assert_lines(model->name, "equations", model->equations);
    assert_table(model->name, model->parameters);
    if (model->files != NULL) {
      assert_files(model);
    }
    dls_system_destroy(dls_test_system(model->name));
  }
}

DLS_TEST(every_scheme_is_complete)
{
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    const dls_scheme *scheme = *s;
    dls_error err = {0};
    assert_true(is_name(scheme->name));
    assert_ptr_equal(dls_scheme_find(scheme->name, &err), scheme);
    assert_filled(scheme->name, "summary", scheme->summary);
    assert_filled(scheme->name, "source", scheme->source);
    assert_lines(scheme->name, "equations", scheme->equations);
    assert_lines(scheme->name, "remarks", scheme->remarks);
    assert_table(scheme->name, scheme->options);
    assert_non_null(scheme->advance);
    assert_ok(dls_scheme_check_handles(scheme, &err), err);
  }
}

DLS_TEST(capabilities_that_contradict_each_other_are_refused)
{
  const struct {
    unsigned handles;
    const char *text;
  } wrong[] = {
      {DLS_HANDLES_FRICTION | DLS_HANDLES_NO_CONTACT, "NO_CONTACT together with friction"},
      {DLS_HANDLES_MOVING_GAPS | DLS_HANDLES_NO_CONTACT, "friction, moving gaps"},
      {DLS_HANDLES_STATIC_FRICTION, "without DLS_HANDLES_FRICTION"},
      {DLS_HANDLES_STRIBECK | DLS_HANDLES_MOVING_GAPS, "without DLS_HANDLES_FRICTION"},
      {1u << 20 | DLS_HANDLES_FRICTION, "bits 0x100000"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const dls_scheme scheme = {.name = "wrong", .handles = wrong[i].handles};
    dls_error err = {0};
    assert_int_equal(dls_scheme_check_handles(&scheme, &err), DLS_ERR_ARG);
    assert_non_null(strstr(err.text, wrong[i].text));
  }
}

DLS_TEST(every_exact_solution_belongs_to_a_model_of_its_size)
{
  for (const dls_exact *const *e = dls_exacts(); *e != NULL; e++) {
    const dls_exact *exact = *e;
    dls_error err = {0};
    dls_system *sys = NULL;
    assert_ptr_equal(dls_model_find(exact->model->name, &err), exact->model);
    assert_ptr_equal(dls_exact_find(exact->model->name), exact);
    assert_filled(exact->model->name, "summary of its exact solution", exact->summary);
    assert_filled(exact->model->name, "source of its exact solution", exact->source);
    assert_ok(dls_model_create(exact->model, NULL, &sys, &err), err);
    if (exact->n > 0) { /* else the sizes depend on the parameters */
      assert_int_equal(exact->n, sys->n);
      assert_int_equal(exact->m, sys->m);
    }
    dls_system_destroy(sys);
  }
  assert_null(dls_exact_find("wedge"));
}

DLS_TEST(every_model_declares_how_it_depends_on_time)
{
  for (const dls_model *const *m = dls_models(); *m != NULL; m++) {
    dls_error err = {0};
    dls_system *sys = NULL;
    if ((*m)->files == NULL) {
      assert_ok(dls_model_create(*m, NULL, &sys, &err), err);
      assert_filled((*m)->name, "explicit_time", dls_system_time_is_opaque(sys) ? NULL : "declared");
      dls_system_destroy(sys);
    }
  }
}

/* Every name in the list is one of a scheme; what has no room is counted. */
static void assert_names_are_whole(const char *text)
{
  char list[400], *rest = NULL;
  size_t listed = 0, more = 0, all = 0;
  snprintf(list, sizeof list, "%s", strstr(text, "are: ") + strlen("are: "));
  for (char *name = strtok_r(list, ", ", &rest); name != NULL; name = strtok_r(NULL, ", ", &rest), listed++) {
    if (strcmp(name, "and") == 0) {
      more = (size_t)strtoul(strtok_r(NULL, " ", &rest), NULL, 10);
      assert_string_equal(strtok_r(NULL, " ", &rest), "more");
      assert_null(strtok_r(NULL, " ", &rest));
      break;
    }
    assert_non_null(dls_scheme_find(name, NULL));
  }
  while (dls_schemes()[all] != NULL) {
    all++;
  }
  assert_int_equal(listed + more, all);
}

DLS_TEST(unknown_names_are_answered_with_a_guess_and_a_list)
{
  dls_error err = {0};
  assert_null(dls_model_find("bouncing-bal", &err));
  assert_int_equal(err.status, DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "unknown model 'bouncing-bal'; did you mean 'bouncing-ball'?"));
  assert_non_null(strstr(err.text, "impacting-oscillator"));
  assert_null(dls_scheme_find("zzzzzzzzzz", &err));
  assert_int_equal(err.status, DLS_ERR_OPTION);
  assert_null(strstr(err.text, "did you mean"));
  assert_non_null(strstr(err.text, "moreau-jean, "));
  assert_names_are_whole(err.text);
}

/* Where a scheme for teaching creates energy at every impact there is no bound on anything. */
static bool is_meant_to_fail(const dls_scheme *scheme)
{
  return scheme->family == DLS_FAMILY_TEACHING;
}

/* The woodpecker's edges hit its pole with up to 0.19 m/s, 0.03 lengths in 1e-3 s, and rounding decides which contacts a step sees. A
 * forecast over several steps misses up to three times that: 2e-4 s. Springs and rows of engines sink deeper, in a motion of their own:
 * 1e-4 s. Springs of 1e6 N/m vibrate with sqrt(W kappa) = 3.3e4/s on the sleeve: 2e-5 s. */
static double woodpecker_step(const dls_scheme *scheme)
{
  const bool yields = scheme->limit.kind == DLS_LIMIT_COMPLIANT || scheme->limit.kind == DLS_LIMIT_NONE ||
                      scheme->family == DLS_FAMILY_IMPULSE;
  return scheme->family == DLS_FAMILY_PENALTY ? 2e-5 : yields ? 1e-4 : 2e-4;
}

/* Mechanisms that turn fast go for a shorter time, by shorter steps, and by fewer. */
static double step_of(const dls_model *model, const dls_scheme *scheme, const dls_system *sys)
{
  const double span = dls_test_span(model->name, 1), step = span < 1 ? span / 250 : 1e-3;
  return strcmp(model->name, "woodpecker") == 0 ? woodpecker_step(scheme) : dls_test_stable_step(sys, step);
}

/* Options of a pair that its defaults do not suit; NULL: none. A spring presses the woodpecker's light sleeve on its pole with W_NN lambda
 * of up to 1.1e3 m/s^2. A soft contact sinks by that over omega^2, omega = 4 pi contact_hertz: 1.3 lengths with 30 Hz, 0.03 with 200 Hz. */
static const char *option_of(const dls_model *model, const dls_scheme *scheme)
{
  return strcmp(model->name, "woodpecker") == 0 && strcmp(scheme->name, "soft-step") == 0 ? "contact_hertz=200"
                                                                                          : NULL;
}

#ifdef __SANITIZE_ADDRESS__
static const double seconds = 0.4; /* each access is checked, which takes three times as long */
#else
static const double seconds = 1;
#endif

/* Run a scheme on a model for so many seconds. @return the status; the state is finite and time has passed if it is
 * DLS_OK */
static dls_status run_pair(const dls_model *model, const dls_scheme *scheme, dls_error *err)
{
  dls_system *sys = dls_test_system(dls_test_small_model(model->name));
  dls_sim *sim = NULL;
  assert_ok(dls_sim_create(sys, scheme, &sim, err), *err);
  const char *option = option_of(model, scheme);
  if (option != NULL) {
    assert_ok(dls_sim_set(sim, option, err), *err);
  }
  const double end = dls_test_span(model->name, seconds);
  const dls_status status = dls_run(sim, &(dls_run_spec){.step = step_of(model, scheme, sys), .end = end}, err);
  if (status == DLS_OK) {
    assert_close(sim->t, end, 1e-12);
    for (size_t i = 0; i < sys->n; i++) {
      assert_true(isfinite(sim->q[i]) && isfinite(sim->v[i]));
    }
    if (!(sim->worst_gap > -0.1 * sys->length) &&
        !is_meant_to_fail(scheme)) { /* no model is fast enough to sink further in 1e-3 s */
      fail_msg("%s on %s: gap %g m at t = %g s", scheme->name, model->name, sim->worst_gap, sim->worst_time);
    }
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}

/* Joints that all but make an impact: Newton's method may fail in it, and then says so. */
static bool is_hard(const dls_model *model)
{
  return strcmp(model->name, "lens-cardona-d") == 0 || strcmp(model->name, "rope-limit") == 0;
}

DLS_TEST(every_scheme_runs_every_model_or_says_why_not)
{
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    size_t done = 0;
    for (const dls_model *const *m = dls_models(); *m != NULL; m++) {
      dls_error err = {0};
      const dls_status status = run_pair(*m, *s, &err);
      const bool hard = status == DLS_ERR_NOCONV && is_hard(*m);
      if (status != DLS_OK && status != DLS_ERR_NOT_APPLICABLE && (is_meant_to_fail(*s) || hard)) {
        assert_non_null(strstr(err.text, " at t = "));
        continue;
      }
      if (status != DLS_OK && status != DLS_ERR_NOT_APPLICABLE) {
        fail_msg("%s on %s: %s", (*s)->name, (*m)->name, err.text);
      }
      if (status == DLS_ERR_NOT_APPLICABLE) {
        assert_filled((*s)->name, "reason why it does not apply", err.text);
      }
      done += status == DLS_OK;
    }
    assert_between((double)done, 2, HUGE_VAL);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_entry_passes_the_checks_of_plugins),
      cmocka_unit_test(every_model_is_complete_and_can_be_made),
      cmocka_unit_test(every_scheme_is_complete),
      cmocka_unit_test(capabilities_that_contradict_each_other_are_refused),
      cmocka_unit_test(every_model_declares_how_it_depends_on_time),
      cmocka_unit_test(every_exact_solution_belongs_to_a_model_of_its_size),
      cmocka_unit_test(every_name_stands_for_one_entry),
      cmocka_unit_test(unknown_names_are_answered_with_a_guess_and_a_list),
      cmocka_unit_test(every_scheme_runs_every_model_or_says_why_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
