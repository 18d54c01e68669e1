/* experiments/catalogue.c -- one line for every model, scheme and exact solution.
 * A new one is its own file, with one object dls_model_NAME, dls_scheme_NAME or dls_exact_NAME, and one X(NAME)
 * here.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/text.h"
#include <delassus/catalogue.h>
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

enum {
  MODEL_COUNT = sizeof models / sizeof models[0] - 1,
  SCHEME_COUNT = sizeof schemes / sizeof schemes[0] - 1,
};

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

/* "unknown model 'bal'; did you mean 'ball'? Models: ball, wedge, ..." */
static void unknown(const char *kind, const char *kinds, const char *name, const char *const *names,
                    size_t count, dls_error *err)
{
  char list[300] = "";
  for (size_t i = 0; i < count; i++) {
    dls_text_append(list, sizeof list, "%s%s", i == 0 ? "" : ", ", names[i]);
  }
  const char *near = dls_nearest_name(name, names, count);
  if (near != NULL) {
    dls_fail(err, DLS_ERR_OPTION, "unknown %s '%.60s'; did you mean '%s'? The %s are: %s", kind, name, near,
             kinds, list);
  } else {
    dls_fail(err, DLS_ERR_OPTION, "unknown %s '%.60s'; the %s are: %s", kind, name, kinds, list);
  }
}

const dls_model *dls_model_find(const char *name, dls_error *err)
{
  const char *names[MODEL_COUNT];
  for (size_t i = 0; i < MODEL_COUNT; i++) {
    names[i] = models[i]->name;
    if (strcmp(names[i], name) == 0) {
      return models[i];
    }
  }
  unknown("model", "models", name, names, MODEL_COUNT, err);
  return NULL;
}

const dls_scheme *dls_scheme_find(const char *name, dls_error *err)
{
  const char *names[SCHEME_COUNT];
  for (size_t i = 0; i < SCHEME_COUNT; i++) {
    names[i] = schemes[i]->name;
    if (strcmp(names[i], name) == 0) {
      return schemes[i];
    }
  }
  unknown("scheme", "schemes", name, names, SCHEME_COUNT, err);
  return NULL;
}

const dls_exact *dls_exact_find(const char *model)
{
  for (const dls_exact *const *exact = exacts; *exact != NULL; exact++) {
    if (strcmp((*exact)->model->name, model) == 0) {
      return *exact;
    }
  }
  return NULL;
}
