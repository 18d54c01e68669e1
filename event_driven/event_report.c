/* event_driven/event_report.c -- what an event leaves in the record: its kind at every contact, impulses and their work.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/event_integrator.h"
#include <string.h>

void dls_tracker_book(const dls_tracker *tr, const dls_touch *touch, dls_event *event)
{
  event->tangential = tr->d > 1;
  event->work_normal = 0.5 * (touch->u_minus + touch->u_plus) * touch->impulse;
  for (size_t i = 0; i + 1 < tr->d; i++) {
    event->slip_minus[i] = touch->slip_minus[i];
    event->slip_plus[i] = touch->still ? 0 : touch->slip_plus[i];
    event->friction[i] = touch->friction[i];
    event->work_friction += 0.5 * (event->slip_minus[i] + event->slip_plus[i]) * touch->friction[i];
  }
}

static void report(dls_tracker *tr, dls_event_kind kind, const dls_touch *touch)
{
  dls_event event = {.t = tr->hit.t,
                     .kind = kind,
                     .contact = touch->contact,
                     .u_minus = touch->u_minus,
                     .u_plus = touch->u_plus,
                     .impulse = touch->impulse,
                     .solutions = kind == DLS_IMPACT && tr->impact_solutions > 0 ? tr->impact_solutions
                                  : tr->grips != NULL                            ? tr->solutions
                                                                                 : 0,
                     .root_missed = tr->hit.missed};
  if (touch->merged) {
    event.merged_count = tr->merge.count;
    event.merged_difference = tr->merge.dv;
    event.merged_orders = tr->merge.orders;
    event.merged_unsolved = tr->merge.unsolved;
    memcpy(event.merged, tr->merge.contact, sizeof event.merged);
  }
  dls_touch seen = *touch;
  if (tr->grips == NULL) { /* without friction the event itself needs no slips */
    dls_slip_of(tr, touch->contact, tr->v, seen.slip_plus);
  }
  dls_tracker_book(tr, &seen, &event);
  dls_sim_event(tr->sim, &event);
}

/* Of a contact that was and is closed: it begins, ends or turns its slip, or takes part in an impact of others. */
static void report_grip(dls_tracker *tr, const dls_touch *touch)
{
  const dls_grip *was = &tr->was[touch->contact], *is = &tr->contact[touch->contact].grip;
  if (was->kind == DLS_GRIP_SLIPS && is->kind == DLS_GRIP_STICKS) {
    report(tr, DLS_STICK, touch);
  } else if (was->kind == DLS_GRIP_STICKS && is->kind == DLS_GRIP_SLIPS) {
    report(tr, DLS_SLIP, touch);
  } else if (was->kind == DLS_GRIP_SLIPS && is->kind == DLS_GRIP_SLIPS &&
             (touch->still ||
              (tr->hit.kind == DLS_HIT_SWITCH && was->e[0] * is->e[0] + was->e[1] * is->e[1] < 0))) {
    report(tr, DLS_REVERSAL, touch);
  } else if (tr->grips != NULL && touch->impulse > 0) {
    report(tr, DLS_IMPACT, touch);
  }
}

void dls_tracker_report(dls_tracker *tr, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    const dls_touch *touch = &tr->touch[k];
    const bool closed = tr->contact[touch->contact].closed;
    if (touch->jams) {
      report(tr, DLS_JAM, touch);
    } else if (touch->u_minus < 0 && touch->impulse > 0) {
      report(tr, DLS_IMPACT, touch);
    } else if (tr->was_closed[touch->contact] && !closed) {
      report(tr, DLS_LIFT_OFF, touch);
    } else if (!tr->was_closed[touch->contact] && closed) {
      report(tr, DLS_LANDING, touch);
    } else if (!closed && touch->closing && touch->u_minus == 0) {
      report(tr, DLS_GRAZING, touch);
    } else if (closed) {
      report_grip(tr, touch);
    }
  }
}

dls_status dls_tracker_count_event(dls_tracker *tr, dls_error *err)
{
  if (dls_hit_is_quiet(&tr->hit) || tr->hit.kind == DLS_HIT_START || ++tr->events <= tr->eps.max_events) {
    return DLS_OK;
  }
  const size_t made = tr->impact_count;
  const size_t kept = made < DLS_WINDOW ? made : DLS_WINDOW;
  const double window =
      kept > 0 ? tr->impacts[(made - 1) % DLS_WINDOW] - tr->impacts[(made - kept) % DLS_WINDOW] : 0;
  char name[80];
  dls_contact_name(tr->sys, tr->hit.contact, name, sizeof name);
  return dls_sim_fail(
      tr->sim, err, DLS_ERR_CHATTERING,
      "event %zu, of %s, is more than max_events = %zu; the last %zu impacts came within %.3g s", tr->events,
      name, tr->eps.max_events, kept, window);
}

void dls_tracker_count_wrong_releases(dls_tracker *tr, size_t count)
{
  dls_system_curvature(tr->sys, tr->hit.t, tr->q, tr->v, tr->curvature);
  for (size_t k = 0; k < count; k++) {
    const size_t j = tr->touch[k].contact;
    const double gamma = dls_matrix_column_dot(tr->stage.place->normals, j, tr->a) + tr->curvature[j];
    tr->sim->work.wrong_releases += tr->touch[k].u_plus == 0 && !tr->contact[j].closed && gamma < -tr->eps.a;
  }
}

dls_status dls_tracker_left_limits(dls_tracker *tr, const double *v, dls_error *err)
{
  const dls_status status = dls_tracker_smooth(tr, tr->hit.t, tr->q, v, tr->sim->a_left, tr->lambda, err);
  dls_tracker_multipliers(tr, tr->hit.t, tr->q, v, tr->lambda, tr->sim->a_left, tr->sim->mu_left);
  memcpy(tr->force_left, tr->lambda, tr->d * tr->m * sizeof *tr->lambda);
  dls_tracker_split(tr, tr->lambda, tr->sim->lambda_left, tr->sim->lambda_t_left);
  return status;
}
