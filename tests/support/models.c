/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include <delassus/balance.h>
#include <delassus/catalogue.h>
#include <delassus/law.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SETTINGS = 64, LONGEST = 400 };

typedef struct settings {
  char texts[MOST_SETTINGS][LONGEST];
  const char *list[MOST_SETTINGS];
  size_t count;
} settings;

static char *next(settings *s)
{
  assert_true(s->count < MOST_SETTINGS);
  s->list[s->count] = s->texts[s->count];
  return s->texts[s->count++];
}

/* First, so that what the text says comes later and counts. */
static void add_files(const dls_model *model, settings *s)
{
  static const char *const endings[] = {"mtx", "yaml"};
  for (size_t i = 0; model->files != NULL && model->files[i].name != NULL; i++) {
    const char *slot = model->files[i].name;
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++) {
      char path[LONGEST];
      snprintf(path, sizeof path, "%s/%s/%s.%s", DLS_TEST_DATA, model->name, slot, endings[k]);
      if (access(path, R_OK) == 0) {
        assert_true(snprintf(next(s), LONGEST, "%s=%s", slot, path) < LONGEST);
      }
    }
  }
}

/* "fremond:mu=0.3" */
static void add_law(char *text, dls_model_choice *choice)
{
  dls_error err = {0};
  char *rest = NULL;
  const char *name = strtok_r(text, ":", &rest);
  const dls_law *const *law = dls_catalogue_laws(NULL);
  while (*law != NULL && strcmp((*law)->name, name) != 0) {
    law++;
  }
  assert_non_null(*law);
  assert_ok(dls_law_choose(*law, *rest != '\0' ? rest : NULL, choice, &err), err);
}

dls_model_choice dls_test_model(const char *text)
{
  dls_error err = {0};
  dls_model_choice choice = {0};
  settings s = {.count = 0};
  char copy[1000];
  snprintf(copy, sizeof copy, "%s", text);
  char *rest = NULL, *law = strchr(copy, ' ');
  if (law != NULL) {
    *law++ = '\0';
  }
  const dls_model *model = dls_model_find(strtok_r(copy, ":", &rest), &err);
  if (model == NULL) {
    fail_msg("%s", err.text);
    return choice;
  }
  add_files(model, &s);
  for (char *item = strtok_r(NULL, ",", &rest); item != NULL; item = strtok_r(NULL, ",", &rest)) {
    snprintf(next(&s), LONGEST, "%s", item);
  }
  assert_ok(dls_model_choose("test", model, s.count, s.list, &choice, &err), err);
  if (law != NULL) {
    add_law(law, &choice);
  }
  return choice;
}

dls_system *dls_test_system(const char *text)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_model_choice choice = dls_test_model(text);
  assert_ok(dls_model_create(choice.model, choice.parameters, &sys, &err), err);
  dls_model_choice_release(&choice);
  return sys;
}

const char *dls_test_small_model(const char *name)
{
  static const char *const small[] = {"elastic-bar:n=40",
                                      "block-column:rows=2",
                                      "block-wall:rows=2,columns=2",
                                      "block-pyramid:rows=2,columns=2",
                                      "lattice-pile:rows=3,columns=3",
                                      "two-cylinders:n=1,layers=1,lambda=20,mu=10",
                                      "hertz-cylinders:n=2,grading=2,R=1,E=100,rho=10,P=0.1",
                                      "elastic-block:nx=2,ny=1,E=100",
                                      "cantilever:n=2,EA=100,GA=100,rhoI=0.1",
                                      "spin-up-beam:n=2,l=1,EA=1000,GA=100,EI=1,rhoA=1,rhoI=0.1,omega=2,rise=1",
                                      "rotating-beam:n=2,b=0.2,E=2.5e4,rho=25",
                                      "flying-beam:n=3,x0=4"};
  for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
    const size_t length = strlen(name);
    if (strncmp(small[i], name, length) == 0 && small[i][length] == ':') {
      return small[i];
    }
  }
  return name;
}

double dls_test_span(const char *name, double end)
{
  static const struct {
    const char *name;
    double span;
  } fast[] = {
      {"andrews", 0.03},      {"heavy-top", 0.1}, {"slider-crank", 0.1}, {"slider-crank-clearance", 0.1},
      {"rotating-beam", 0.1}, {"four-bar", 0.5}}; /* at 0.708 s its joints lose rank, and event-driven stops */
  for (size_t i = 0; i < sizeof fast / sizeof fast[0]; i++) {
    if (strcmp(fast[i].name, name) == 0) {
      return fmin(end, fast[i].span);
    }
  }
  return end;
}

double dls_test_stable_step(const dls_system *sys, double step)
{
  double *sign = calloc(2 * sys->n, sizeof *sign);
  assert_non_null(sign);
  for (size_t i = 0; i < sys->n; i++) {
    sign[i] = i % 2 == 0 ? 1 : -1;
  }
  const dls_matrix *K = sys->linear ? sys->K : NULL;
  const double stiffness = dls_balance_product(K, sys->n, sign, sign, sign + sys->n);
  const double mass = dls_balance_product(sys->M, sys->n, sign, sign, sign + sys->n);
  free(sign);
  return stiffness > 0 ? fmin(step, 1 / ceil(sqrt(stiffness / mass))) : step;
}

double dls_test_exact_value(const char *text, double t, const char *column)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  dls_model_choice choice = dls_test_model(text);
  assert_ok(dls_exact_at(dls_exact_find(choice.model->name), choice.parameters, 1, &t, &traj, &err), err);
  const double value = dls_trajectory_at(traj, traj->rows - 1, (size_t)dls_trajectory_column(traj, column));
  dls_trajectory_destroy(traj);
  dls_model_choice_release(&choice);
  return value;
}
