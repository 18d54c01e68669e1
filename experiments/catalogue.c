/* experiments/catalogue.c -- one line for every model, scheme and exact solution.
 * A new one is its own file, with one object dls_model_NAME, dls_scheme_NAME or dls_exact_NAME, and one X(NAME)
 * here.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/text.h"
#include "experiments/catalogue_entries.h"
#include <stdlib.h>
#include <string.h>

#define DLS_MODEL_LIST(X)                                                                                      \
  X(bouncing_ball)                                                                                             \
  X(impacting_oscillator)                                                                                      \
  X(bead_column)                                                                                               \
  X(wedge)                                                                                                     \
  X(ball_between_walls)                                                                                        \
  X(bouncing_pendulum)                                                                                         \
  X(two_ball_oscillator)                                                                                       \
  X(random_linear)                                                                                             \
  X(elastic_bar)                                                                                               \
  X(rod_impact)                                                                                                \
  X(matrix_model)

#define DLS_SCHEME_LIST(X)                                                                                     \
  X(event_driven)                                                                                              \
  X(moreau_jean)                                                                                               \
  X(moreau_jean_variant)                                                                                       \
  X(moreau_jean_adaptive)                                                                                      \
  X(moreau_jean_extrapolated)                                                                                  \
  X(moreau_jean_extrapolated_adaptive)                                                                         \
  X(rk_moreau)                                                                                                 \
  X(naive_rk4)                                                                                                 \
  X(splitting_rkf45)                                                                                           \
  X(splitting_rkf45_adaptive)                                                                                  \
  X(tdg_d1_minus)                                                                                              \
  X(tdg_d1_minus_implicit)                                                                                     \
  X(schatzman_paoli)                                                                                           \
  X(nonsmooth_newmark)                                                                                         \
  X(nonsmooth_hht)                                                                                             \
  X(nonsmooth_generalized_alpha)                                                                               \
  X(nonsmooth_kh_generalized_alpha)                                                                            \
  X(newmark_position_contact)                                                                                  \
  X(newmark_velocity_contact)                                                                                  \
  X(hht_position_contact)                                                                                      \
  X(hht_velocity_contact)                                                                                      \
  X(fully_implicit_newmark)                                                                                    \
  X(conserving_penalty)                                                                                        \
  X(standard_penalty)                                                                                          \
  X(spring_damper)

#define DLS_EXACT_LIST(X)                                                                                      \
  X(bouncing_ball)                                                                                             \
  X(impacting_oscillator)                                                                                      \
  X(two_ball_oscillator)                                                                                       \
  X(elastic_bar)                                                                                               \
  X(rod_impact)

#define DLS_DECLARE_MODEL(name) extern const dls_model dls_model_##name;
#define DLS_DECLARE_SCHEME(name) extern const dls_scheme dls_scheme_##name;
#define DLS_DECLARE_EXACT(name) extern const dls_exact dls_exact_##name;
DLS_MODEL_LIST(DLS_DECLARE_MODEL)
DLS_SCHEME_LIST(DLS_DECLARE_SCHEME)
DLS_EXACT_LIST(DLS_DECLARE_EXACT)

#define DLS_MODEL_ENTRY(name) &dls_model_##name,
#define DLS_SCHEME_ENTRY(name) &dls_scheme_##name,
#define DLS_EXACT_ENTRY(name) &dls_exact_##name,
static const dls_model *const models[] = {DLS_MODEL_LIST(DLS_MODEL_ENTRY) NULL};
static const dls_scheme *const schemes[] = {DLS_SCHEME_LIST(DLS_SCHEME_ENTRY) NULL};
static const dls_exact *const exacts[] = {DLS_EXACT_LIST(DLS_EXACT_ENTRY) NULL};

const dls_entries dls_builtin_entries = {models, schemes, exacts};

static const dls_entries *entries_of(const dls_catalogue *catalogue)
{
  return catalogue != NULL ? &catalogue->entries : &dls_builtin_entries;
}

const dls_model *const *dls_catalogue_models(const dls_catalogue *catalogue)
{
  return entries_of(catalogue)->models;
}

const dls_scheme *const *dls_catalogue_schemes(const dls_catalogue *catalogue)
{
  return entries_of(catalogue)->schemes;
}

const dls_exact *const *dls_catalogue_exacts(const dls_catalogue *catalogue)
{
  return entries_of(catalogue)->exacts;
}

/* "unknown model 'bal'; did you mean 'ball'? The models are: ball, wedge, ..." names may be NULL: out of memory. */
static void unknown(const char *kind, const char *name, const char *const *names, size_t count, dls_error *err)
{
  char list[300] = "";
  if (names == NULL) {
    dls_fail(err, DLS_ERR_MEMORY, "unknown %s '%.60s', and no memory to list the names", kind, name);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    dls_text_append(list, sizeof list, "%s%s", i == 0 ? "" : ", ", names[i]);
  }
  const char *near = dls_nearest_name(name, names, count);
  if (near != NULL) {
    dls_fail(err, DLS_ERR_OPTION, "unknown %s '%.60s'; did you mean '%s'? The %ss are: %s", kind, name, near,
             kind, list);
  } else {
    dls_fail(err, DLS_ERR_OPTION, "unknown %s '%.60s'; the %ss are: %s", kind, name, kind, list);
  }
}

const dls_model *dls_catalogue_model(const dls_catalogue *catalogue, const char *name, dls_error *err)
{
  const dls_model *const *list = dls_catalogue_models(catalogue);
  size_t count = 0;
  for (; list[count] != NULL; count++) {
    if (strcmp(list[count]->name, name) == 0) {
      return list[count];
    }
  }
  const char **names = malloc((count + 1) * sizeof *names);
  for (size_t i = 0; i < count && names != NULL; i++) {
    names[i] = list[i]->name;
  }
  unknown("model", name, names, count, err);
  free(names);
  return NULL;
}

const dls_scheme *dls_catalogue_scheme(const dls_catalogue *catalogue, const char *name, dls_error *err)
{
  const dls_scheme *const *list = dls_catalogue_schemes(catalogue);
  size_t count = 0;
  for (; list[count] != NULL; count++) {
    if (strcmp(list[count]->name, name) == 0) {
      return list[count];
    }
  }
  const char **names = malloc((count + 1) * sizeof *names);
  for (size_t i = 0; i < count && names != NULL; i++) {
    names[i] = list[i]->name;
  }
  unknown("scheme", name, names, count, err);
  free(names);
  return NULL;
}

const dls_exact *dls_catalogue_exact(const dls_catalogue *catalogue, const char *model)
{
  for (const dls_exact *const *exact = dls_catalogue_exacts(catalogue); *exact != NULL; exact++) {
    if (strcmp((*exact)->model->name, model) == 0) {
      return *exact;
    }
  }
  return NULL;
}

const dls_model *const *dls_models(void)
{
  return models;
}

const dls_scheme *const *dls_schemes(void)
{
  return schemes;
}

const dls_exact *const *dls_exacts(void)
{
  return exacts;
}

const dls_model *dls_model_find(const char *name, dls_error *err)
{
  return dls_catalogue_model(NULL, name, err);
}

const dls_scheme *dls_scheme_find(const char *name, dls_error *err)
{
  return dls_catalogue_scheme(NULL, name, err);
}

const dls_exact *dls_exact_find(const char *model)
{
  return dls_catalogue_exact(NULL, model);
}
