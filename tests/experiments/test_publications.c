/* tests/experiments/test_publications.c -- every source in the catalogue names publications that are known, or none; each is written
 * once and whole. The sources are those that `show` prints; a new one that names a year needs its row in publication_list.c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include "experiments/extra/cite/publications.h"
#include <ctype.h>
#include <delassus/catalogue.h>
#include <delassus/lcp.h>
#include <delassus/problem.h>
#include <delassus/study_file.h>
#include <string.h>

enum { ROOM = 16 };

static size_t named(const char *source, const dls_publication **out, char *unknown, size_t size)
{
  return dls_publications_named(source, out, ROOM, unknown, size);
}

static void is_known(const char *kind, const char *name, const char *source)
{
  const dls_publication *out[ROOM];
  char unknown[100];
  named(source, out, unknown, sizeof unknown);
  if (unknown[0] != '\0') {
    fail_msg("%s %s: no reference is known for '%s' of its source '%s'", kind, name, unknown, source);
  }
}

static void every_source_of_the_catalogue_is_known(void **state)
{
  (void)state;
  dls_catalogue *catalogue = NULL;
  assert_int_equal(dls_catalogue_create(&catalogue, NULL), DLS_OK);
  for (const dls_model *const *m = dls_catalogue_models(catalogue); *m != NULL; m++) {
    is_known("model", (*m)->name, (*m)->source);
    const dls_exact *exact = dls_catalogue_exact(catalogue, (*m)->name);
    is_known("exact solution", (*m)->name, exact != NULL ? exact->source : "");
  }
  for (const dls_scheme *const *s = dls_catalogue_schemes(catalogue); *s != NULL; s++) {
    is_known("scheme", (*s)->name, (*s)->source);
  }
  for (const dls_law *const *l = dls_catalogue_laws(catalogue); *l != NULL; l++) {
    is_known("law", (*l)->name, (*l)->source);
  }
  dls_catalogue_destroy(catalogue);
}

static void every_source_of_a_solver_or_study_is_known(void **state)
{
  (void)state;
  for (const dls_lcp_method *const *m = dls_lcp_methods(); *m != NULL; m++) {
    is_known("solver", (*m)->name, (*m)->source);
  }
  for (const dls_problem_method *const *m = dls_problem_methods(); *m != NULL; m++) {
    is_known("solver", (*m)->name, (*m)->source);
  }
  for (const dls_study_shipped *s = dls_studies(); s->name != NULL; s++) {
    is_known("study", s->name, s->source);
  }
}

/* A scheme is published, or it says that it is this project's or folklore. */
static void every_scheme_has_a_reference(void **state)
{
  (void)state;
  dls_catalogue *catalogue = NULL;
  assert_int_equal(dls_catalogue_create(&catalogue, NULL), DLS_OK);
  for (const dls_scheme *const *s = dls_catalogue_schemes(catalogue); *s != NULL; s++) {
    const dls_publication *out[ROOM];
    char unknown[100];
    if (named((*s)->source, out, unknown, sizeof unknown) == 0 &&
        strstr((*s)->source, "this project") == NULL) {
      fail_msg("scheme %s: '%s' names no publication", (*s)->name, (*s)->source);
    }
  }
  dls_catalogue_destroy(catalogue);
}

static void assert_names(const char *source, size_t count, const char *first, const char *last)
{
  const dls_publication *out[ROOM];
  char unknown[100];
  assert_int_equal(named(source, out, unknown, sizeof unknown), count);
  assert_string_equal(unknown, "");
  assert_string_equal(out[0]->key, first);
  assert_string_equal(out[count - 1]->key, last);
}

static void authors_and_year_find_the_reference(void **state)
{
  (void)state;
  assert_names("V. Acary 2014 (INRIA RR-8602), eq. (31)", 1, "acary-2014", "acary-2014");
  assert_names("T. Schindler, V. Acary 2014", 1, "schindler-acary-2014", "schindler-acary-2014");
  assert_names("L. Paoli & M. Schatzman 1993, 2002; V. Acary, lecture, eqs. (42)-(43)", 3,
               "paoli-schatzman-1993", "acary-lecture");
  assert_names("C. Glocker 1995", 1, "glocker-1995", "glocker-1995");
  assert_names("C. Glocker, F. Pfeiffer 1995; C. Glocker 1995", 2, "glocker-pfeiffer-1995", "glocker-1995");
  assert_names("M. Gonthier et al. 2004", 1, "gonthier-2004", "gonthier-2004");
  assert_names("J. J. Júdice and F. M. Pires, block principal pivoting (1994)", 1, "judice-pires-1994",
               "judice-pires-1994");
}

static void what_is_not_known_is_said(void **state)
{
  (void)state;
  const dls_publication *out[ROOM];
  char unknown[100];
  assert_int_equal(named("N. Nobody 1999", out, unknown, sizeof unknown), 0);
  assert_string_equal(unknown, "N. Nobody 1999");
  assert_int_equal(named("V. Acarys 2014", out, unknown, sizeof unknown), 0); /* no part of a word */
  assert_int_equal(named("elementary; 12014 and RR-8602 and 2014b are no years", out, unknown, sizeof unknown),
                   0);
  assert_string_equal(unknown, "");
  assert_int_equal(named("V. Acary 2114, 1034; C. Glocker 3014, 1699", out, unknown, sizeof unknown), 0);
  assert_string_equal(unknown, ""); /* years are 1700 to 2099 */
  assert_int_equal(named(NULL, out, unknown, sizeof unknown), 0);
}

static void check_row(const dls_publication *r)
{
  const char *const needed[] = {r->named, r->authors, r->title, r->where};
  for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
    assert_true(needed[i][0] != '\0');
  }
  assert_true(r->doi[0] == '\0' || strncmp(r->doi, "10.", 3) == 0);
  assert_true(strspn(dls_publication_published(r), "0123456789") == strlen(dls_publication_published(r)));
  const char *key = r->key;
  for (; *key != '\0'; key++) {
    assert_true(islower((unsigned char)*key) || isdigit((unsigned char)*key) || *key == '-');
  }
}

static void every_row_is_whole_and_has_a_key_of_its_own(void **state)
{
  (void)state;
  size_t count = 0, with_doi = 0;
  for (const dls_publication *r = dls_publications(); r->key != NULL; r++, count++) {
    check_row(r);
    with_doi += r->doi[0] != '\0';
    for (const dls_publication *other = r + 1; other->key != NULL; other++) {
      assert_string_not_equal(r->key, other->key);
      assert_true(r->doi[0] == '\0' || strcmp(r->doi, other->doi) != 0);
    }
  }
  assert_true(count >= 80 && with_doi >= 25);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_source_of_the_catalogue_is_known),
      cmocka_unit_test(every_source_of_a_solver_or_study_is_known),
      cmocka_unit_test(every_scheme_has_a_reference),
      cmocka_unit_test(authors_and_year_find_the_reference),
      cmocka_unit_test(what_is_not_known_is_said),
      cmocka_unit_test(every_row_is_whole_and_has_a_key_of_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
