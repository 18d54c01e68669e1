/* experiments/catalogue/catalogue.c -- one line for every model, scheme and exact solution.
 * A new one is its own file, with one object dls_model_NAME, dls_scheme_NAME or dls_exact_NAME, and one X(NAME)
 * here.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/catalogue/catalogue_entries.h"
#include <stdlib.h>
#include <string.h>

#define DLS_MODEL_LIST(X)                                                                                      \
  X(bouncing_ball)                                                                                             \
  X(impacting_oscillator)                                                                                      \
  X(bead_column)                                                                                               \
  X(ball_chain)                                                                                                \
  X(wedge)                                                                                                     \
  X(ball_between_walls)                                                                                        \
  X(bouncing_pendulum)                                                                                         \
  X(bouncing_pendulum_cartesian)                                                                               \
  X(bouncing_pendulum_natural)                                                                                 \
  X(two_ball_oscillator)                                                                                       \
  X(random_linear)                                                                                             \
  X(elastic_bar)                                                                                               \
  X(rod_impact)                                                                                                \
  X(matrix_model)                                                                                              \
  X(incline)                                                                                                   \
  X(incline_stack)                                                                                             \
  X(forced_block)                                                                                              \
  X(belt)                                                                                                      \
  X(den_hartog)                                                                                                \
  X(spring_block)                                                                                              \
  X(puck)                                                                                                      \
  X(puck_belt)                                                                                                 \
  X(sphere)                                                                                                    \
  X(superball)                                                                                                 \
  X(bounce_slip)                                                                                               \
  X(kane)                                                                                                      \
  X(rough_bowl)                                                                                                \
  X(rocking_block)                                                                                             \
  X(painleve_rod)                                                                                              \
  X(woodpecker)                                                                                                \
  X(random_frictional)                                                                                         \
  X(vibrating_table)                                                                                           \
  X(cam_follower)                                                                                              \
  X(block_column)                                                                                              \
  X(block_wall)                                                                                                \
  X(block_pyramid)                                                                                             \
  X(lattice_pile)                                                                                              \
  X(multibody)                                                                                                 \
  X(slider_crank)                                                                                              \
  X(slider_crank_clearance)                                                                                    \
  X(lens_cardona_a)                                                                                            \
  X(lens_cardona_b)                                                                                            \
  X(lens_cardona_c)                                                                                            \
  X(lens_cardona_d)                                                                                            \
  X(double_pendulum)                                                                                           \
  X(rope_limit)                                                                                                \
  X(four_bar)                                                                                                  \
  X(rope)                                                                                                      \
  X(heavy_top)                                                                                                 \
  X(andrews)                                                                                                   \
  X(pendulum_chain)                                                                                            \
  X(two_cylinders)                                                                                             \
  X(hertz_cylinders)                                                                                           \
  X(elastic_block)                                                                                             \
  X(cantilever)                                                                                                \
  X(spin_up_beam)                                                                                              \
  X(rotating_beam)                                                                                             \
  X(flying_beam)                                                                                               \
  X(rigid_discs)

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
  X(redistributed_mass_midpoint)                                                                               \
  X(nonsmooth_newmark)                                                                                         \
  X(nonsmooth_hht)                                                                                             \
  X(nonsmooth_generalized_alpha)                                                                               \
  X(nonsmooth_kh_generalized_alpha)                                                                            \
  X(nonsmooth_bdf2)                                                                                            \
  X(nonsmooth_adams)                                                                                           \
  X(three_level_alpha)                                                                                         \
  X(newmark_position_contact)                                                                                  \
  X(newmark_velocity_contact)                                                                                  \
  X(hht_position_contact)                                                                                      \
  X(hht_velocity_contact)                                                                                      \
  X(newmark_implicit_contact)                                                                                  \
  X(laursen_chawla)                                                                                            \
  X(laursen_love)                                                                                              \
  X(fully_implicit_newmark)                                                                                    \
  X(central_difference_penalty)                                                                                \
  X(conserving_penalty)                                                                                        \
  X(standard_penalty)                                                                                          \
  X(spring_damper)                                                                                             \
  X(mujoco)                                                                                                    \
  X(sap)                                                                                                       \
  X(icf)                                                                                                       \
  X(ipc)                                                                                                       \
  X(sequential_impulse)                                                                                        \
  X(xpbd)                                                                                                      \
  X(soft_step)                                                                                                 \
  X(stewart_trinkle)                                                                                           \
  X(anitescu_potra)                                                                                            \
  X(convex_step)                                                                                               \
  X(chrono_nsc)                                                                                                \
  X(energy_preserving)                                                                                         \
  X(tdg_alpha)                                                                                                 \
  X(alpha_kappa)

#define DLS_EXACT_LIST(X)                                                                                      \
  X(bouncing_ball)                                                                                             \
  X(impacting_oscillator)                                                                                      \
  X(two_ball_oscillator)                                                                                       \
  X(ball_chain)                                                                                                \
  X(elastic_bar)                                                                                               \
  X(rod_impact)                                                                                                \
  X(forced_block)                                                                                              \
  X(belt)                                                                                                      \
  X(den_hartog)                                                                                                \
  X(spring_block)                                                                                              \
  X(incline)                                                                                                   \
  X(incline_stack)                                                                                             \
  X(puck_belt)                                                                                                 \
  X(puck)                                                                                                      \
  X(sphere)                                                                                                    \
  X(superball)                                                                                                 \
  X(bounce_slip)                                                                                               \
  X(rough_bowl)                                                                                                \
  X(rocking_block)                                                                                             \
  X(lattice_pile)                                                                                              \
  X(vibrating_table)                                                                                           \
  X(cam_follower)                                                                                              \
  X(lens_cardona_a)                                                                                            \
  X(lens_cardona_b)                                                                                            \
  X(four_bar)                                                                                                  \
  X(heavy_top)                                                                                                 \
  X(rope)                                                                                                      \
  X(cantilever)                                                                                                \
  X(spin_up_beam)                                                                                              \
  X(rigid_discs)

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

const dls_entries dls_builtin_entries = {models, schemes, exacts, dls_law_list};

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

const dls_law *const *dls_catalogue_laws(const dls_catalogue *catalogue)
{
  return entries_of(catalogue)->laws;
}

/* The name of entry i, NULL behind the last. */
typedef const char *(*name_at)(const dls_catalogue *catalogue, size_t i);

static const char *model_at(const dls_catalogue *catalogue, size_t i)
{
  const dls_model *model = dls_catalogue_models(catalogue)[i];
  return model != NULL ? model->name : NULL;
}

static const char *scheme_at(const dls_catalogue *catalogue, size_t i)
{
  const dls_scheme *scheme = dls_catalogue_schemes(catalogue)[i];
  return scheme != NULL ? scheme->name : NULL;
}

/* "ball, wedge, ..." as far as there is room for whole names, then "and 7 more". */
static void list_names(const char *const *names, size_t count, char *list, size_t size)
{
  enum { TAIL = 32 }; /* bytes for the words at the end */
  for (size_t i = 0; i < count; i++) {
    if (strlen(list) + strlen(names[i]) + TAIL > size) {
      dls_text_append(list, size, "and %zu more", count - i);
      return;
    }
    dls_text_append(list, size, "%s%s", names[i], i + 1 == count ? "" : ", ");
  }
}

/* "unknown model 'bal'; did you mean 'ball'? The models are: ball, wedge, ..." */
static void unknown(const dls_catalogue *catalogue, const char *kind, name_at at, size_t count,
                    const char *name, dls_error *err)
{
  char list[280] = "";
  const char **names = malloc((count + 1) * sizeof *names);
  if (names == NULL) {
    dls_fail(err, DLS_ERR_MEMORY, "unknown %s '%.60s', and no memory to list the names", kind, name);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    names[i] = at(catalogue, i);
  }
  list_names(names, count, list, sizeof list);
  const char *near = dls_nearest_name(name, names, count);
  free(names);
  if (near != NULL) {
    dls_fail(err, DLS_ERR_OPTION, "unknown %s '%.40s'; did you mean '%s'? The %ss are: %s", kind, name, near,
             kind, list);
  } else {
    dls_fail(err, DLS_ERR_OPTION, "unknown %s '%.40s'; the %ss are: %s", kind, name, kind, list);
  }
}

/* Position of a name. @return false if there is none; then a message lists all names */
static bool find(const dls_catalogue *catalogue, const char *kind, name_at at, const char *name,
                 size_t *position, dls_error *err)
{
  size_t i = 0;
  for (const char *here = at(catalogue, 0); here != NULL; here = at(catalogue, ++i)) {
    if (strcmp(here, name) == 0) {
      *position = i;
      return true;
    }
  }
  unknown(catalogue, kind, at, i, name, err);
  return false;
}

const dls_model *dls_catalogue_model(const dls_catalogue *catalogue, const char *name, dls_error *err)
{
  size_t i = 0;
  return find(catalogue, "model", model_at, name, &i, err) ? dls_catalogue_models(catalogue)[i] : NULL;
}

const dls_scheme *dls_catalogue_scheme(const dls_catalogue *catalogue, const char *name, dls_error *err)
{
  size_t i = 0;
  return find(catalogue, "scheme", scheme_at, name, &i, err) ? dls_catalogue_schemes(catalogue)[i] : NULL;
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
