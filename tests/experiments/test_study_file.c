/* test_study_file.c -- study files: what is read.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/request/request.h"
#include "study_text.h"
#include <delassus/study_file.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

DLS_TEST(an_order_study_becomes_the_arguments_of_its_command)
{
  dls_study_file *file = read_good("kind: order\n"
                                   "title: Orders\n"
                                   "source: A book\n"
                                   "caption: |\n  Two\n  lines\n"
                                   "model: bouncing-ball\n"
                                   "parameters: {e: 0.8, q0: 2}\n"
                                   "schemes: [moreau-jean, \"moreau-jean:theta=1\", event-driven]\n"
                                   "steps: {first: 0.1, last: 1e-3, levels: 5}\n"
                                   "norms: [l1, hausdorff]\n"
                                   "of: [q, v0]\n"
                                   "reference: event-driven\nend: 4\nrepeats: 2\nseed: 7\npictures: svg\n");
  const dls_study *study = &file->studies[0];
  assert_int_equal(file->study_count, 1);
  assert_string_equal(file->title, "Orders");
  assert_string_equal(file->source, "A book");
  assert_string_equal(file->caption, "Two\nlines\n");
  assert_int_equal(study->kind, DLS_STUDY_ORDER);
  assert_string_equal(study->name, "");
  assert_string_equal(study->model, "bouncing-ball");
  assert_string_equal(study->pictures, "svg");
  assert_int_equal(study->scheme_count, 3);
  assert_arguments(study,
                   "set=e=0.8 set=q0=2 scheme=moreau-jean scheme=moreau-jean:theta=1 scheme=event-driven "
                   "end=4 steps=0.1:1e-3:5 norm=l1,hausdorff of=q,v0 reference=event-driven repeats=2 seed=7");
  dls_study_destroy(file);
}

DLS_TEST(an_order_study_becomes_a_request)
{
  dls_study_file *file = read_good("kind: order\ntitle: T\nmodel: bouncing-ball\nparameters: {e: 0.75}\n"
                                   "schemes: [\"moreau-jean:theta=1\", event-driven]\n"
                                   "steps: {first: 0.1, last: 1e-3, levels: 5}\nnorms: l1\nof: [v0, q]\n"
                                   "reference: event-driven\nend: 4\nrepeats: 2\nseed: 7\n");
  const dls_request *r = file->studies[0].request;
  const int e = dls_option_find(r->model.model->parameters, "e");
  assert_string_equal(r->spec.model->name, "bouncing-ball");
  assert_true(e >= 0 && r->spec.parameters[e] == 0.75);
  assert_int_equal(r->spec.scheme_count, 2);
  assert_string_equal(r->spec.schemes[0].options, "theta=1");
  assert_string_equal(r->spec.schemes[1].scheme->name, "event-driven");
  assert_true(r->spec.h_first == 0.1 && r->spec.h_last == 1e-3 && r->spec.levels == 5);
  assert_true(r->spec.norm_count == 1 && strcmp(r->spec.norms[0]->name, "l1") == 0);
  assert_true(r->spec.of_count == 2 && strcmp(r->spec.of[0], "v0") == 0);
  assert_int_equal(r->spec.reference, DLS_REFERENCE_EVENT_DRIVEN);
  assert_true(r->spec.end == 4 && r->spec.repeats == 2 && r->spec.seed == 7);
  dls_study_destroy(file);
  file = read_good("kind: order\ntitle: T\nmodel: bouncing-ball\nschemes: event-driven\n"
                   "steps: {first: 0.1, last: 1e-3, levels: 5}\n");
  r = file->studies[0].request; /* the defaults of the command */
  assert_true(r->spec.end == 10 && r->spec.repeats == 8 && r->spec.seed == 1 && r->spec.timings == 0);
  assert_true(r->spec.norm_count == 2 && r->spec.norms[0] == dls_norm_find("hausdorff"));
  assert_true(r->spec.of_count == 2 && strcmp(r->spec.of[1], "v") == 0);
  dls_study_destroy(file);
  file =
      read_good("kind: order\ntitle: T\nmodel: bouncing-ball\nschemes: event-driven\nnorms: [lp:p=3, grid-lp]\n"
                "steps: {first: 0.1, last: 1e-3, levels: 5}\n");
  r = file->studies[0].request;
  assert_true(r->spec.norm_count == 2 && r->spec.norms[0]->p == 3 && r->spec.norms[1]->p == 2);
  assert_string_equal(r->spec.norms[0]->name, "lp:p=3");
  assert_string_equal(r->spec.norms[1]->name, "grid-lp:p=2");
  dls_study_destroy(file);
}

DLS_TEST(a_study_of_local_errors_becomes_order_local)
{
  dls_study_file *file =
      read_good("kind: local\ntitle: T\nmodel: bouncing-ball\nschemes: moreau-jean\n"
                "steps: {first: 0.05, last: 1e-3, levels: 6}\nend: 4\nrepeats: 4\nimpact: 2\n"
                "expect:\n"
                "  - {quantity: local-error, of: v, place: accumulation, impulse: yes, below: 1}\n"
                "  - {quantity: local-order, of: q, place: before, impulse: no, above: 1}\n");
  const dls_study *study = &file->studies[0];
  assert_int_equal(study->kind, DLS_STUDY_LOCAL);
  assert_arguments(study, "scheme=moreau-jean end=4 steps=0.05:1e-3:6 impact=2 repeats=4");
  assert_true(study->request->local && study->request->impact == 2 && study->request->spec.repeats == 4);
  assert_true(study->expectations[0].place == 3 && study->expectations[0].impulse);
  assert_true(study->expectations[1].place == 0 && !study->expectations[1].impulse);
  assert_string_equal(study->expectations[0].of, "v");
  assert_string_equal(study->expectations[1].of, "q");
  char text[120];
  dls_study_describe(study, &study->expectations[0], text, sizeof text);
  assert_string_equal(text, "local-error of v, accumulation, with an impulse");
  dls_study_destroy(file);
}

DLS_TEST(options_of_a_scheme_have_two_forms)
{
  dls_study_file *file = read_good("kind: energy\ntitle: T\nmodel: bouncing-ball\nstep: 0.1\n"
                                   "schemes:\n"
                                   "  - moreau-jean:theta=1,velocity_test=off\n"
                                   "  - scheme: moreau-jean\n"
                                   "    options:\n"
                                   "      theta: 0.75\n"
                                   "      velocity_test: on\n"
                                   "  - {scheme: schatzman-paoli}\n");
  const dls_study *study = &file->studies[0];
  assert_string_equal(study->schemes[0], "moreau-jean:theta=1,velocity_test=off");
  assert_string_equal(study->schemes[1], "moreau-jean:theta=0.75,velocity_test=on");
  assert_string_equal(study->schemes[2], "schatzman-paoli");
  assert_string_equal(study->pictures, "png"); /* the default */
  dls_study_destroy(file);
}

DLS_TEST(a_list_of_studies_shares_what_stands_before_it)
{
  dls_study_file *file = read_good("title: Both\n"
                                   "model: bouncing-ball\n"
                                   "schemes: moreau-jean\n"
                                   "end: 3\n"
                                   "step: 0.1\n"
                                   "studies:\n"
                                   "  - name: motion\n"
                                   "    kind: compare\n"
                                   "    of: [v0, force0, energy]\n"
                                   "  - name: books\n"
                                   "    kind: energy\n"
                                   "    title: Of energy\n"
                                   "    end: 2\n"
                                   "  - name: orders\n"
                                   "    kind: order\n"
                                   "    steps: {first: 1, last: 0.1, levels: 2}\n");
  assert_int_equal(file->study_count, 3);
  assert_string_equal(file->studies[0].name, "motion");
  assert_string_equal(file->studies[0].title, "Both");
  assert_arguments(&file->studies[0], "scheme=moreau-jean end=3 step=0.1 of=v0,force0,energy");
  assert_string_equal(file->studies[1].title, "Of energy");
  assert_arguments(&file->studies[1], "scheme=moreau-jean end=2 step=0.1");
  assert_arguments(&file->studies[2], "scheme=moreau-jean end=3 steps=1:0.1:2");
  dls_study_destroy(file);
}

DLS_TEST(expectations_find_their_scheme_norm_and_quantity)
{
  dls_study_file *file = read_good(
      "kind: order\ntitle: T\nmodel: bouncing-ball\nnorms: l1\n"
      "schemes: [moreau-jean, \"moreau-jean:theta=1\", schatzman-paoli:theta=1]\n"
      "steps: {first: 0.1, last: 0.01, levels: 3}\n"
      "expect:\n"
      "  - {quantity: order, scheme: schatzman-paoli, of: v, between: [0.9, 1.1], reported: one, source: "
      "differs}\n"
      "  - {quantity: penetration, scheme: moreau-jean, below: 1, reported: two, source: agrees}\n"
      "  - {quantity: failed-runs, scheme: \"moreau-jean:theta=1\", norm: l1, of: q, above: 0}\n");
  const dls_study_expectation *e = file->studies[0].expectations;
  assert_int_equal(file->studies[0].expectation_count, 3);
  assert_int_equal(e[0].scheme, 2);
  assert_string_equal(e[0].norm, "l1"); /* the only one */
  assert_string_equal(e[0].of, "v");
  assert_close(e[0].low, 0.9, 0);
  assert_close(e[0].high, 1.1, 0);
  assert_string_equal(e[0].reported, "one");
  assert_int_equal(e[0].claim, DLS_CLAIM_SOURCE_DIFFERS);
  assert_int_equal(e[1].claim, DLS_CLAIM_SOURCE_AGREES);
  assert_int_equal(e[2].claim, DLS_CLAIM_OURS);
  assert_int_equal(e[1].scheme, 0); /* exactly so, although another begins like that */
  assert_null(e[1].norm);
  assert_null(e[1].of);
  assert_true(isinf(e[1].low) && e[1].low < 0);
  assert_int_equal(e[2].scheme, 1);
  assert_true(isinf(e[2].high) && e[2].high > 0);
  char text[200];
  dls_study_describe(&file->studies[0], &e[0], text, sizeof text);
  assert_string_equal(text, "order, l1 of v, schatzman-paoli:theta=1");
  dls_study_destroy(file);
}

DLS_TEST(studies_that_ship_are_good_and_expect_something)
{
  size_t count = 0;
  for (const dls_study_shipped *study = dls_studies(); study->name != NULL; study++) {
    dls_error err = {0};
    dls_study_file *file = NULL;
    size_t expected = 0;
    assert_ok(dls_study_read((const char *)study->text, study->size, &file, &err), err);
    assert_string_equal(study->title, file->title);
    assert_true(study->source[0] == '\0' || strcmp(study->source, file->source) == 0);
    assert_true(file->caption[0] != '\0');
    for (size_t i = 0; i < file->study_count; i++) {
      expected += file->studies[i].expectation_count;
    }
    assert_true(expected > 0);
    assert_true(count == 0 || strcmp(study[-1].name, study->name) < 0);
    count++;
    dls_study_destroy(file);
  }
  assert_between((double)count, 10, 200);
}

DLS_TEST(tables_of_the_schema_agree)
{
  for (const dls_study_key *key = dls_study_keys(); key->name != NULL; key++) {
    assert_true(key->kinds != 0 && (key->required & ~key->kinds) == 0);
    assert_true(key->value[0] != '\0' && key->help[0] != '\0');
  }
  static const dls_study_kind kinds[] = {DLS_STUDY_RUN,    DLS_STUDY_COMPARE,  DLS_STUDY_ORDER, DLS_STUDY_WORK,
                                         DLS_STUDY_ENERGY, DLS_STUDY_SPECTRUM, DLS_STUDY_LOCAL, DLS_STUDY_FIT};
  unsigned all = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    assert_true(dls_study_kind_name(kinds[i])[0] != '\0');
    all |= kinds[i];
  }
  assert_int_equal(all, DLS_STUDY_ALL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_order_study_becomes_the_arguments_of_its_command),
      cmocka_unit_test(an_order_study_becomes_a_request),
      cmocka_unit_test(a_study_of_local_errors_becomes_order_local),
      cmocka_unit_test(options_of_a_scheme_have_two_forms),
      cmocka_unit_test(a_list_of_studies_shares_what_stands_before_it),
      cmocka_unit_test(expectations_find_their_scheme_norm_and_quantity),
      cmocka_unit_test(studies_that_ship_are_good_and_expect_something),
      cmocka_unit_test(tables_of_the_schema_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
