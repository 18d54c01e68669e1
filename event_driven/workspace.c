/* event_driven/workspace.c -- the arrays and the contact system of a run, allocated once, and its end.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "common/base/memory.h"
#include "common/system/coordinate_scales.h"
#include "event_driven/event_integrator.h"
#include <delassus/law.h>
#include <stdlib.h>

/* The next array in a block, or NULL without a block. @param[in,out] used  bytes of the block */
static void *next_array(char *block, size_t count, size_t size, size_t *used)
{
  const size_t begin = *used, align = _Alignof(max_align_t), last = align - 1;
  *used = dls_size_sum(begin, dls_size_sum(dls_size_product(count, size), last) / align * align);
  return block != NULL ? block + begin : NULL;
}

/* All arrays but those of doubles. @return bytes of the block */
static size_t cut_arrays(dls_event_integrator *run, char *block)
{
  dls_event_state *state = &run->state;
  dls_event_work *work = &run->work;
  const size_t m = run->method.m, roots = dls_roots_most(&run->method);
  size_t used = 0;
  state->contact = next_array(block, m, sizeof *state->contact, &used);
  state->active.index = next_array(block, m, sizeof *state->active.index, &used);
  state->mode = next_array(block, m, sizeof *state->mode, &used);
  state->was = next_array(block, m, sizeof *state->was, &used);
  state->was_closed = next_array(block, m, sizeof *state->was_closed, &used);
  state->participant = next_array(block, m, sizeof *state->participant, &used);
  state->root = next_array(block, roots, sizeof *state->root, &used);
  state->left.p = next_array(block, roots, sizeof *state->left.p, &used);
  state->right.p = next_array(block, roots, sizeof *state->right.p, &used);
  work->scan = next_array(block, roots, sizeof *work->scan, &used);
  work->sampled = next_array(block, roots, sizeof *work->sampled, &used);
  work->set = next_array(block, m, sizeof *work->set, &used);
  work->subset = next_array(block, m, sizeof *work->subset, &used);
  work->down = next_array(block, m, sizeof *work->down, &used);
  work->held = next_array(block, run->method.d * m, sizeof *work->held, &used);
  work->decision = next_array(block, 2 * m, sizeof *work->decision, &used);
  work->spare_mode = next_array(block, m, sizeof *work->spare_mode, &used);
  return used;
}

/* All arrays of doubles, in one block. */
static double *allocate_doubles(const dls_event_method *method, dls_event_state *state, dls_event_work *work)
{
  const size_t n = method->n, m = method->m, rows = method->d * m, samples = method->samples_size;
  dls_step_end *left = &state->left, *right = &state->right;
  dls_memo *memo = &work->memo, *sample = &work->sample_memo;
  return dls_arrays((const dls_slot[]){
      {n, {&work->q, &work->v, &work->a, &memo->q, &memo->v, &memo->a, &sample->q, &sample->v, &sample->a}},
      {n, {&work->scale}},
      {2 * n, {&state->peak, &work->cubic_error}},
      {method->size,
       {&work->y, &work->dy, &work->dddy, &work->dense_noise, &left->y, &left->dy, &right->y, &right->dy}},
      {rows,
       {&work->u_minus, &work->u_free, &work->impulse, &work->force, &work->force_left, &work->lambda,
        &state->reaction_split, &memo->lambda, &sample->lambda}},
      {m,
       {&work->g, &work->u, &work->curvature, &work->b, &work->x, &work->rate, &work->node_g, &work->node_u,
        &left->g, &right->g}},
      {samples, {&work->largest, &work->allowed}},
      {(DLS_SAMPLES - 1) * samples, {&work->differences}},
      {DLS_SAMPLES * samples, {&work->samples, &work->derivatives}},
      {0}});
}

bool dls_event_integrator_allocate(dls_event_integrator *run)
{
  const dls_event_method *method = &run->method;
  dls_event_state *state = &run->state;
  dls_event_work *work = &run->work;
  work->arrays = calloc(dls_size_sum(cut_arrays(run, NULL), 1), 1);
  cut_arrays(run, work->arrays);
  work->block = allocate_doubles(method, state, work);
  if (work->block != NULL) {
    dls_coordinate_scales(method->sys, work->scale);
  }
  return work->arrays != NULL && work->block != NULL;
}

dls_status dls_event_integrator_create_contacts(dls_event_integrator *run, bool loose, double baumgarte,
                                                dls_error *err)
{
  dls_event_work *work = &run->work;
  const bool is_there = work->contacts.config != NULL; /* with operators of another run */
  dls_status status =
      is_there ? DLS_OK
               : dls_contact_system_create_mass(run->method.sys, &run->sim->work, &work->contacts, err);
  if (status != DLS_OK) {
    return status;
  }
  run->sim->work.factorizations += is_there ? 0 : dls_factor_made(work->contacts.M);
  work->contacts.loose = loose;
  work->contacts.baumgarte = baumgarte;
  for (size_t j = 0; j < run->method.m; j++) {
    run->state.contact[j].has_friction = dls_law_has_friction(run->method.sys, j);
    run->state.contact[j].weight = 1;
  }
  if (work->contacts.problem == NULL) {
    return DLS_OK;
  }
  status = dls_mode_solver_create(&work->contacts, &work->solver, err);
  if (status == DLS_OK && run->method.d == 3 && work->slow_slip == NULL) {
    work->slow_slip = dls_slow_slip_create(run->method.n, run->method.m);
    if (work->slow_slip == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "event-driven: no memory for the slip of %zu contacts",
                      run->method.m);
    }
  }
  return status;
}

void dls_event_integrator_destroy(dls_event_integrator *run)
{
  if (run == NULL) {
    return;
  }
  dls_event_work *work = &run->work;
  dls_engine_destroy(work->engine);
  dls_newton_destroy(work);
  dls_explicit_time_destroy(work);
  dls_accumulation_destroy(work->accumulation);
  dls_mode_solver_destroy(work->solver);
  dls_slow_slip_destroy(work->slow_slip);
  dls_contact_system_destroy(&work->contacts);
  free(work->arrays);
  free(work->block);
  free(run);
}
