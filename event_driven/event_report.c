/* event_driven/event_report.c -- what an event leaves in the record: its kind at every contact, impulses and their work.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/event_integrator.h"
#include <string.h>

void dls_event_record_work(const dls_event_integrator *tr, const dls_participant *participant, dls_event *event)
{
  event->tangential = tr->d > 1;
  event->work_normal = 0.5 * (participant->u_minus + participant->u_plus) * participant->impulse;
  for (size_t i = 0; i + 1 < tr->d; i++) {
    event->slip_minus[i] = participant->slip_minus[i];
    event->slip_plus[i] = participant->stationary ? 0 : participant->slip_plus[i];
    event->friction[i] = participant->friction[i];
    event->work_friction += 0.5 * (event->slip_minus[i] + event->slip_plus[i]) * participant->friction[i];
  }
}

static void report_kind(dls_event_integrator *tr, dls_event_kind kind, const dls_participant *participant)
{
  dls_event event = {.t = tr->located.t,
                     .kind = kind,
                     .contact = participant->contact,
                     .u_minus = participant->u_minus,
                     .u_plus = participant->u_plus,
                     .impulse = participant->impulse,
                     .solutions = kind == DLS_IMPACT && tr->impact_solutions > 0 ? tr->impact_solutions
                                  : tr->grips != NULL                            ? tr->solutions
                                                                                 : 0,
                     .root_missed = tr->located.root_missed};
  if (participant->merged) {
    event.merged_count = tr->merge.count;
    event.merged_difference = tr->merge.dv;
    event.merged_orders = tr->merge.orders;
    event.merged_unsolved = tr->merge.unsolved;
    memcpy(event.merged, tr->merge.contact, sizeof event.merged);
  }
  dls_participant bracketed = *participant;
  if (tr->grips == NULL) { /* without friction the event itself needs no slips */
    dls_slip_of(tr, participant->contact, tr->v, bracketed.slip_plus);
  }
  dls_event_record_work(tr, &bracketed, &event);
  dls_sim_event(tr->sim, &event);
}

/* Of a contact that was and is closed: it begins, ends or turns its slip, or takes part in an impact of others. */
static void report_friction_change(dls_event_integrator *tr, const dls_participant *participant)
{
  const dls_grip *was = &tr->was[participant->contact], *is = &tr->contact[participant->contact].grip;
  if (was->kind == DLS_GRIP_SLIPS && is->kind == DLS_GRIP_STICKS) {
    report_kind(tr, DLS_STICK, participant);
  } else if (was->kind == DLS_GRIP_STICKS && is->kind == DLS_GRIP_SLIPS) {
    report_kind(tr, DLS_SLIP, participant);
  } else if (was->kind == DLS_GRIP_SLIPS && is->kind == DLS_GRIP_SLIPS &&
             (participant->stationary ||
              (tr->located.kind == DLS_LOCATED_SWITCH && was->e[0] * is->e[0] + was->e[1] * is->e[1] < 0))) {
    report_kind(tr, DLS_REVERSAL, participant);
  } else if (tr->grips != NULL && participant->impulse > 0) {
    report_kind(tr, DLS_IMPACT, participant);
  }
}

void dls_event_report(dls_event_integrator *tr, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    const dls_participant *participant = &tr->participant[k];
    const bool closed = tr->contact[participant->contact].closed;
    if (participant->painleve) {
      report_kind(tr, DLS_JAM, participant);
    } else if (participant->u_minus < 0 && participant->impulse > 0) {
      report_kind(tr, DLS_IMPACT, participant);
    } else if (tr->was_closed[participant->contact] && !closed) {
      report_kind(tr, DLS_LIFT_OFF, participant);
    } else if (!tr->was_closed[participant->contact] && closed) {
      report_kind(tr, DLS_LANDING, participant);
    } else if (!closed && participant->closing && participant->u_minus == 0) {
      report_kind(tr, DLS_GRAZING, participant);
    } else if (closed) {
      report_friction_change(tr, participant);
    }
  }
}

dls_status dls_event_count(dls_event_integrator *tr, dls_error *err)
{
  if (dls_located_is_quiet(&tr->located) || tr->located.kind == DLS_LOCATED_START ||
      ++tr->events <= tr->eps.max_events) {
    return DLS_OK;
  }
  const size_t made = tr->impact_count;
  const size_t kept = made < DLS_WINDOW ? made : DLS_WINDOW;
  const double window =
      kept > 0 ? tr->impacts[(made - 1) % DLS_WINDOW] - tr->impacts[(made - kept) % DLS_WINDOW] : 0;
  char name[80];
  dls_contact_name(tr->sys, tr->located.contact, name, sizeof name);
  return dls_sim_fail(
      tr->sim, err, DLS_ERR_CHATTERING,
      "event %zu, of %s, is more than max_events = %zu; the last %zu impacts came within %.3g s", tr->events,
      name, tr->eps.max_events, kept, window);
}

void dls_event_count_wrong_releases(dls_event_integrator *tr, size_t count)
{
  dls_system_curvature(tr->sys, tr->located.t, tr->q, tr->v, tr->curvature);
  for (size_t k = 0; k < count; k++) {
    const size_t j = tr->participant[k].contact;
    const double gamma = dls_matrix_column_dot(tr->stage.place->normals, j, tr->a) + tr->curvature[j];
    tr->sim->work.wrong_releases +=
        tr->participant[k].u_plus == 0 && !tr->contact[j].closed && gamma < -tr->eps.a;
  }
}

dls_status dls_event_left_limits(dls_event_integrator *tr, const double *v, dls_error *err)
{
  const dls_status status = dls_smooth_dynamics(tr, tr->located.t, tr->q, v, tr->sim->a_left, tr->lambda, err);
  dls_smooth_multipliers(tr, tr->located.t, tr->q, v, tr->lambda, tr->sim->a_left, tr->sim->mu_left);
  memcpy(tr->force_left, tr->lambda, tr->d * tr->m * sizeof *tr->lambda);
  dls_smooth_split_rows(tr, tr->lambda, tr->sim->lambda_left, tr->sim->lambda_t_left);
  return status;
}
