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
static bool allocate_workspace(dls_event_integrator *run)
{
  const size_t n = run->method.n, m = run->method.m, rows = run->method.d * m;
  double *block = run->work.block = zeros(6 * n + 4 * run->method.size + 8 * rows + 8 * m, sizeof *block);
  if (block == NULL) {
    return false;
  }
  double **vectors[] = {&run->work.q,           &run->work.v,           &run->work.a,
                        &run->work.memo.q,      &run->work.memo.v,      &run->work.memo.a,
                        &run->work.y,           &run->work.dy,          &run->work.dddy,
                        &run->work.dense_noise, &run->work.memo.lambda, &run->work.u_minus,
                        &run->work.u_free,      &run->work.impulse,     &run->work.force,
                        &run->work.lambda,      &run->work.force_left,  &run->state.reaction_split,
                        &run->work.g,           &run->work.u,           &run->work.curvature,
                        &run->work.b,           &run->work.x,           &run->work.rate,
                        &run->work.node_g,      &run->work.node_u};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
    *vectors[i] = block;
    block += i < 6 ? n : i < 10 ? run->method.size : i < 18 ? rows : m;
  }
  return true;
}

/* The block of the samples, and what belongs to them. */
static void lay_out_samples(const dls_event_method *method, dls_event_work *work)
{
  const size_t size = method->samples_size, n = method->n;
  work->differences = work->samples + DLS_SAMPLES * size;
  work->largest = work->differences + (DLS_SAMPLES - 1) * size;
  work->allowed = work->largest + size;
  work->derivatives = work->allowed + size;
  work->cubic_error = work->derivatives + DLS_SAMPLES * size;
  work->sample_memo.q = work->cubic_error + 2 * n;
  work->sample_memo.v = work->sample_memo.q + n;
  work->sample_memo.a = work->sample_memo.v + n;
  work->sample_memo.lambda = work->sample_memo.a + n;
}

bool dls_event_integrator_allocate(dls_event_integrator *run)
{
  const size_t m = run->method.m;
  run->state.contact = zeros(m, sizeof *run->state.contact);
  run->state.active.index = zeros(m, sizeof *run->state.active.index);
  run->state.root = zeros(dls_roots_most(&run->method), sizeof *run->state.root);
  run->work.scan = zeros(dls_roots_most(&run->method), sizeof *run->work.scan);
  run->work.sampled = zeros(dls_roots_most(&run->method), sizeof *run->work.sampled);
  run->state.participant = zeros(m, sizeof *run->state.participant);
  run->work.set = zeros(m, sizeof *run->work.set);
  run->work.subset = zeros(m, sizeof *run->work.subset);
  run->work.down = zeros(m, sizeof *run->work.down);
  run->work.held = zeros(run->method.d * m, sizeof *run->work.held);
  run->work.decision = zeros(2 * m, sizeof *run->work.decision);
  run->state.was_closed = zeros(m, sizeof *run->state.was_closed);
  run->state.was = zeros(m, sizeof *run->state.was);
  run->state.mode = zeros(m, sizeof *run->state.mode);
  run->state.peak = zeros(2 * run->method.n, sizeof *run->state.peak);
  run->method.samples_size = run->method.n + 2 * run->method.d * m + run->method.sys->r;
  run->work.samples =
      zeros((3 * DLS_SAMPLES + 1) * run->method.samples_size + 5 * run->method.n + run->method.d * m,
            sizeof *run->work.samples);
  run->work.sample_mode = zeros(m, sizeof *run->work.sample_mode);
  if (run->work.samples != NULL) {
    lay_out_samples(&run->method, &run->work);
  }
  run->work.accumulation = m > 0 ? dls_accumulation_create(run->method.n, m, run->method.d) : NULL;
  return (m == 0 || run->work.accumulation != NULL) && run->state.contact != NULL &&
         run->state.active.index != NULL && run->state.root != NULL && run->work.scan != NULL &&
         run->work.sampled != NULL && run->state.participant != NULL && run->work.set != NULL &&
         run->work.subset != NULL && run->work.down != NULL && run->work.held != NULL &&
         run->work.decision != NULL && run->state.was_closed != NULL && run->state.was != NULL &&
         run->state.mode != NULL && run->state.peak != NULL && run->work.samples != NULL &&
         run->work.sample_mode != NULL && allocate_workspace(run) &&
         allocate_end(&run->state.left, run->method.size, m, dls_roots_most(&run->method)) &&
         allocate_end(&run->state.right, run->method.size, m, dls_roots_most(&run->method));
}

void dls_event_integrator_destroy(dls_event_integrator *run)
{
  if (run == NULL) {
    return;
  }
  dls_engine_destroy(run->work.engine);
  dls_newton_destroy(&run->work);
  dls_explicit_time_destroy(&run->work);
  dls_accumulation_destroy(run->work.accumulation);
  dls_mode_solver_destroy(run->work.solver);
  dls_slow_slip_destroy(run->work.slow_slip);
  dls_contact_system_destroy(&run->work.contacts);
  free_end(&run->state.left);
  free_end(&run->state.right);
  void *arrays[] = {run->work.block,   run->state.contact,   run->state.active.index, run->state.root,
                    run->work.scan,    run->work.sampled,    run->state.participant,  run->work.set,
                    run->work.subset,  run->work.down,       run->work.decision,      run->state.was_closed,
                    run->work.held,    run->state.was,       run->state.mode,         run->state.peak,
                    run->work.samples, run->work.sample_mode};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
    free(arrays[i]);
  }
  free(run);
}
