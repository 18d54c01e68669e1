/* batch_cycle.h -- one contact at rest whose velocities repeat: with e > 0 a ball at rest has an impact in every other step, with the same few
 * velocities. batch_run.h includes it, after what it shares with flights.
 * Without K and C the velocities of a step follow from those before it and from its active set. Where both repeat after L steps,
 *   v_{k+L} = v_k  and  I1_{k+L} = I1_k   imply   v_{j+L} = v_j  for all j > k, as long as the active sets repeat.
 * Only positions and gaps are then computed, with which each active set is checked.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BATCH_CYCLE_H
#define DELASSUS_TIME_STEPPING_BATCH_CYCLE_H

enum {
  DLS_CYCLE_MOST = 8, /* steps of a cycle: two without rounding, four where the last digits alternate too */
  DLS_CYCLE_ROUNDS =
      16 /* cycles between two checks: more to repeat where the contact opens, less to check in between */
};

/* The steps since a mark: the step to v[i] has active[i] and impacts[i]. */
typedef struct dls_batch_cycle {
  size_t count; /* of these steps */
  dls_real v[DLS_CYCLE_MOST + 1];
  dls_mask active[DLS_CYCLE_MOST + 1], impacts[DLS_CYCLE_MOST + 1];
} dls_batch_cycle;

/* Add the step from x to y. @return the number of steps after which the velocities of all members repeat, 0: none known */
DLS_INLINE size_t dls_batch_find_cycle(const dls_batch_node *x, const dls_batch_node *y, dls_batch_cycle *c)
{
  c->count = c->count == DLS_CYCLE_MOST ? 0 : c->count;
  if (c->count == 0) {
    c->v[0] = x->v[0];
  }
  const size_t at = ++c->count;
  c->v[at] = y->v[0];
  c->active[at] = y->active[0];
  c->impacts[at] = y->impacts[0];
  return dls_some(dls_differ(y->v[0], c->v[0])) ? 0 : at;
}

/* DLS_CYCLE_ROUNDS cycles from x. @return false, and x is as before, if an active set differs */
DLS_INLINE bool dls_batch_go_round(const dls_batch *k, const dls_kernel *o, dls_sizes is,
                                   const dls_batch_cycle *c, dls_batch_progress *p, dls_batch_node *x)
{
  dls_batch_depth depth = {p->worst_gap, dls_same(-1), p->worst_contact};
  dls_batch_node a, b;
  dls_real step = p->steps;
  dls_mask differ = step < step; /* none */
  dls_batch_next_flight(is, x, &a);
  for (size_t round = 0; round < DLS_CYCLE_ROUNDS; round++) {
    for (size_t i = 1; i <= c->count; i++) {
      dls_batch_choose_active(k, is, &a, &b);
      differ |= b.active[0] ^ c->active[i];
      b.v[0] = c->v[i];
      dls_kernel_move(k, o, is, &a, &b);
      dls_batch_gaps(k, is, &b);
      step += dls_same(1);
      dls_batch_deepen(is, step, &b, &depth);
      dls_batch_next_flight(is, &b, &a);
    }
  }
  if (dls_some(differ | dls_not(dls_size(a.q[0]) <= dls_same(DBL_MAX)))) {
    return false;
  }
  dls_batch_next_flight(is, &a, x);
  dls_batch_keep_depth(k, &depth, p);
  p->steps = step;
  return true;
}

/* Many cycles from x, which is at the end of one, as long as active sets repeat. @return steps made */
DLS_INLINE size_t dls_batch_go_on(const dls_batch *k, const dls_kernel *o, dls_sizes is,
                                  const dls_batch_cycle *c, size_t most, dls_batch_progress *p,
                                  dls_batch_node *x)
{
  const size_t steps = DLS_CYCLE_ROUNDS * c->count;
  const dls_real one = dls_same(DLS_CYCLE_ROUNDS), none = dls_same(0);
  size_t made = 0;
  while (most - made >= steps && dls_batch_go_round(k, o, is, c, p, x)) {
    made += steps;
    for (size_t i = 1; i <= c->count; i++) {
      p->impacts += dls_select(c->impacts[i], one, none);
      p->solves += dls_select(c->active[i], one, none);
    }
  }
  return made;
}

#endif
