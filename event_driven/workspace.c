/* event_driven/workspace.c -- the arrays of a run, made once, and its end.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/event_integrator.h"
#include <stdlib.h>

static void *zeros(size_t count, size_t size)
{
  return calloc(count > 0 ? count : 1, size);
}

static bool allocate_end(dls_step_end *end, size_t size, size_t m, size_t roots)
{
  end->y = zeros(size, sizeof *end->y);
  end->dy = zeros(size, sizeof *end->dy);
  end->g = zeros(m, sizeof *end->g);
  end->p = zeros(roots, sizeof *end->p);
  return end->y != NULL && end->dy != NULL && end->g != NULL && end->p != NULL;
}

static void free_end(dls_step_end *end)
{
  free(end->y);
  free(end->dy);
  free(end->g);
  free(end->p);
}

/* One block of doubles for the workspace vectors: 6 of n, 4 of 2 n + d m, 8 of d m, 8 of m. */
static bool allocate_workspace(dls_event_integrator *tr)
{
  const size_t n = tr->n, m = tr->m, rows = tr->d * m;
  double *block = tr->block = zeros(6 * n + 4 * tr->size + 8 * rows + 8 * m, sizeof *block);
  if (block == NULL) {
    return false;
  }
  double **vectors[] = {
      &tr->q,     &tr->v,      &tr->a,           &tr->memo.q,         &tr->memo.v,  &tr->memo.a, &tr->y,
      &tr->dy,    &tr->dddy,   &tr->dense_noise, &tr->memo.lambda,    &tr->u_minus, &tr->u_free, &tr->impulse,
      &tr->force, &tr->lambda, &tr->force_left,  &tr->reaction_split, &tr->g,       &tr->u,      &tr->curvature,
      &tr->b,     &tr->x,      &tr->rate,        &tr->node_g,         &tr->node_u};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
    *vectors[i] = block;
    block += i < 6 ? n : i < 10 ? tr->size : i < 18 ? rows : m;
  }
  return true;
}

/* The block of the samples, and what belongs to them. */
static void lay_out_samples(dls_event_integrator *tr)
{
  const size_t size = tr->samples_size, n = tr->n;
  tr->differences = tr->samples + DLS_SAMPLES * size;
  tr->largest = tr->differences + (DLS_SAMPLES - 1) * size;
  tr->allowed = tr->largest + size;
  tr->derivatives = tr->allowed + size;
  tr->cubic_error = tr->derivatives + DLS_SAMPLES * size;
  tr->sample_memo.q = tr->cubic_error + 2 * n;
  tr->sample_memo.v = tr->sample_memo.q + n;
  tr->sample_memo.a = tr->sample_memo.v + n;
  tr->sample_memo.lambda = tr->sample_memo.a + n;
}

bool dls_event_integrator_allocate(dls_event_integrator *tr)
{
  const size_t m = tr->m;
  tr->contact = zeros(m, sizeof *tr->contact);
  tr->active.index = zeros(m, sizeof *tr->active.index);
  tr->root = zeros(dls_roots_most(tr), sizeof *tr->root);
  tr->scan = zeros(dls_roots_most(tr), sizeof *tr->scan);
  tr->sampled = zeros(dls_roots_most(tr), sizeof *tr->sampled);
  tr->participant = zeros(m, sizeof *tr->participant);
  tr->set = zeros(m, sizeof *tr->set);
  tr->subset = zeros(m, sizeof *tr->subset);
  tr->down = zeros(m, sizeof *tr->down);
  tr->held = zeros(tr->d * m, sizeof *tr->held);
  tr->decision = zeros(2 * m, sizeof *tr->decision);
  tr->was_closed = zeros(m, sizeof *tr->was_closed);
  tr->was = zeros(m, sizeof *tr->was);
  tr->mode = zeros(m, sizeof *tr->mode);
  tr->peak = zeros(2 * tr->n, sizeof *tr->peak);
  tr->samples_size = tr->n + 2 * tr->d * m + tr->sys->r;
  tr->samples = zeros((3 * DLS_SAMPLES + 1) * tr->samples_size + 5 * tr->n + tr->d * m, sizeof *tr->samples);
  tr->sample_mode = zeros(m, sizeof *tr->sample_mode);
  if (tr->samples != NULL) {
    lay_out_samples(tr);
  }
  tr->accumulation = m > 0 ? dls_accumulation_create(tr->n, m, tr->d) : NULL;
  return (m == 0 || tr->accumulation != NULL) && tr->contact != NULL && tr->active.index != NULL &&
         tr->root != NULL && tr->scan != NULL && tr->sampled != NULL && tr->participant != NULL &&
         tr->set != NULL && tr->subset != NULL && tr->down != NULL && tr->held != NULL &&
         tr->decision != NULL && tr->was_closed != NULL && tr->was != NULL && tr->mode != NULL &&
         tr->peak != NULL && tr->samples != NULL && tr->sample_mode != NULL && allocate_workspace(tr) &&
         allocate_end(&tr->left, tr->size, m, dls_roots_most(tr)) &&
         allocate_end(&tr->right, tr->size, m, dls_roots_most(tr));
}

void dls_event_integrator_destroy(dls_event_integrator *tr)
{
  if (tr == NULL) {
    return;
  }
  dls_engine_destroy(tr->engine);
  dls_newton_destroy(tr);
  dls_explicit_time_destroy(tr);
  dls_accumulation_destroy(tr->accumulation);
  dls_mode_solver_destroy(tr->solver);
  dls_slow_slip_destroy(tr->slow_slip);
  dls_contact_system_destroy(&tr->contacts);
  free_end(&tr->left);
  free_end(&tr->right);
  void *arrays[] = {tr->block,       tr->contact, tr->active.index, tr->root, tr->scan,     tr->sampled,
                    tr->participant, tr->set,     tr->subset,       tr->down, tr->decision, tr->was_closed,
                    tr->held,        tr->was,     tr->mode,         tr->peak, tr->samples,  tr->sample_mode};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
    free(arrays[i]);
  }
  free(tr);
}
