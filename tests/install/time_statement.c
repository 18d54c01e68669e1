/* time_statement.c -- print the time dependence declared by the first model of a plugin, a word and numbers on each line:
 * time_statement PLUGIN END PIECES [NAME=VALUE...].
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_instants(const char *word, double (*next)(const dls_system *, double), const dls_system *sys,
                           double end)
{
  printf("%s", word);
  for (double t = next != NULL ? next(sys, 0) : HUGE_VAL; t <= end; t = next(sys, t)) {
    printf(" %.17g", t);
  }
  printf("\n");
}

static void print_enclosures(const dls_system *sys, double end, size_t pieces)
{
  double *low = calloc(2 * sys->time_terms + 1, sizeof *low), *high = low + sys->time_terms;
  for (size_t i = 0; low != NULL && i < pieces; i++) {
    const double a = end * (double)i / (double)pieces, b = end * (double)(i + 1) / (double)pieces;
    sys->time_enclosure(sys, a, b, low, high);
    printf("enclosure %.17g %.17g", a, b);
    for (size_t k = 0; k < sys->time_terms; k++) {
      printf(" %.17g %.17g", low[k], high[k]);
    }
    printf("\n");
  }
  free(low);
}

/* F_ext and the gaps at q = v = 0, at every instant and between two of them. */
static void print_values(const dls_system *sys, double end, double (*next)(const dls_system *, double))
{
  double *value = calloc(sys->n + sys->m + 1, sizeof *value), *zero = calloc(sys->n, sizeof *zero);
  for (double t = next != NULL ? next(sys, 0) : HUGE_VAL; value != NULL && zero != NULL && t <= end;
       t = next(sys, t)) {
    for (int side = -1; side <= 0; side++) {
      const double at = side < 0 ? t * (1 - 1e-9) : t;
      dls_system_force(sys, at, zero, zero, value);
      dls_system_gap(sys, at, zero, value + sys->n);
      printf("value %.17g", at);
      for (size_t i = 0; i < sys->n + sys->m; i++) {
        printf(" %.17g", value[i]);
      }
      printf("\n");
    }
  }
  free(value);
  free(zero);
}

int main(int argc, char **argv)
{
  dls_error err;
  dls_catalogue *catalogue = NULL;
  dls_system *sys = NULL;
  dls_status status = dls_catalogue_create(&catalogue, &err);
  status = status != DLS_OK ? status : dls_catalogue_load(catalogue, argv[1], &err);
  const dls_model *model = NULL;
  for (const dls_model *const *m = dls_catalogue_models(catalogue); status == DLS_OK && *m != NULL; m++) {
    model = *m; /* those of plugins come last */
  }
  double values[100];
  for (size_t i = 0; model != NULL && model->parameters[i].name != NULL; i++) {
    values[i] = model->parameters[i].initial;
    for (int k = 4; k < argc; k++) {
      const size_t length = strlen(model->parameters[i].name);
      if (strncmp(argv[k], model->parameters[i].name, length) == 0 && argv[k][length] == '=') {
        values[i] = atof(argv[k] + length + 1);
      }
    }
  }
  status = status != DLS_OK ? status : dls_model_create(model, values, &sys, &err);
  if (status != DLS_OK) {
    fprintf(stderr, "%s\n", err.text);
    return 1;
  }
  const double end = argc > 2 ? atof(argv[2]) : 0;
  printf("explicit_time %d\n", (int)sys->explicit_time);
  printf("terms %zu\n", sys->time_terms);
  printf("load_period %.17g\n", sys->load_period);
  printf("shortest_feature %.17g\n", sys->shortest_feature);
  print_instants("switches", sys->next_switch, sys, end);
  print_instants("breaks", sys->next_break, sys, end);
  print_enclosures(sys, sys->time_terms > 0 ? end : 0, sys->time_terms > 0 ? (size_t)atol(argv[3]) : 0);
  print_values(sys, end, sys->next_switch);
  dls_system_destroy(sys);
  dls_catalogue_destroy(catalogue);
  return 0;
}
