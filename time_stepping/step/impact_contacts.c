/* impact_contacts.c -- impact law, and the contacts that remain closed after it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/impact_contacts.h"
#include "common/base/arrays.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool dls_impact_contacts_create(const dls_system *sys, dls_impact_contacts *s)
{
  const size_t m = sys->m, rows = sys->d * m;
  s->set.index = calloc(2 * m + 1, sizeof *s->set.index);
  s->stays.index = s->set.index + m;
  s->touch = calloc(m + 1, sizeof *s->touch);
  s->block =
      dls_arrays((const dls_slot[]){{rows, {&s->lambda, &s->gamma}}, {sys->n, {&s->a, &s->v_start}}, {0}});
  return dls_impact_sequence_create(sys, &s->sequence) && s->set.index != NULL && s->touch != NULL &&
         s->block != NULL;
}

void dls_impact_contacts_destroy(dls_impact_contacts *s)
{
  free(s->set.index);
  free(s->touch);
  free(s->block);
  dls_impact_sequence_destroy(&s->sequence);
}

void dls_impact_contacts_add(dls_impact_contacts *s, size_t j, double u_minus, bool was_closed)
{
  s->touch[s->set.count] = (dls_touch){.u_minus = u_minus, .was_closed = was_closed};
  s->set.index[s->set.count++] = j;
}

/* v+ from v_start; contacts that separate by more than zero wait. */
static dls_status impact(dls_sim *sim, dls_contact_system *contacts, dls_impact_contacts *s, double zero,
                         double *v, dls_error *err)
{
  const dls_configuration *config = contacts->config;
  dls_impact_sequence *sequence = &s->sequence;
  memcpy(v, s->v_start, config->sys->n * sizeof *v);
  sequence->set.count = 0;
  for (size_t k = 0; k < s->set.count; k++) {
    const dls_touch *touch = &s->touch[k];
    dls_impact_sequence_add(sequence, s->set.index[k], touch->u_minus, !touch->passed,
                            touch->u_minus > zero); /* those that separate wait */
  }
  const dls_status status = dls_impact_sequence_solve(sim, contacts, sequence, v, err); /* v+ = v + M^-1 H P */
  for (size_t k = 0; k < s->set.count; k++) {
    dls_touch *touch = &s->touch[k];
    touch->impulse = sequence->P[config->d * k];
    touch->u_plus = dls_configuration_row(config, config->d * s->set.index[k], v); /* H^T v+ */
    touch->struck = sequence->struck[k];
    touch->u_struck = sequence->u_minus[k];
  }
  return status;
}

/* Keep the contacts that remain closed by the acceleration problem on the present s->stays. @return whether some left */
static bool sort_out(dls_contact_system *contacts, dls_impact_contacts *s, double zero, double stick,
                     double noise)
{
  const size_t d = contacts->config->d;
  bool left = false;
  s->stays.count = 0;
  for (size_t k = 0; k < s->set.count; k++) {
    dls_touch *touch = &s->touch[k];
    const size_t j = s->set.index[k];
    if (!touch->stays) {
      continue;
    }
    touch->press = dls_delassus_entry(contacts->W, d * j, d * j) * s->lambda[d * j];
    const double low = sqrt(8 * touch->press * noise); /* flies 4 noise high */
    touch->stays = touch->u_plus <= fmax(zero, fmax(stick * touch->press, low));
    left = left || !touch->stays;
    if (touch->stays) {
      s->stays.index[s->stays.count++] = j;
    }
  }
  return left;
}

static dls_status find_stays(dls_sim *sim, dls_contact_system *contacts, dls_impact_contacts *s, double t,
                             const double *q, const double *v, double zero, double stick, double noise,
                             dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t k = 0; k < s->set.count; k++) {
    s->touch[k].stays = stick >= 0;
    s->stays.index[k] = s->set.index[k];
  }
  s->stays.count = stick >= 0 ? s->set.count : 0;
  for (bool again = true; again && s->stays.count > 0 && status == DLS_OK;) {
    status = dls_instant_acceleration(sim, contacts, t, q, v, &s->stays, s->a, s->lambda, s->gamma, NULL, err);
    again = status == DLS_OK && sort_out(contacts, s, zero, stick, noise);
  }
  return status;
}

dls_status dls_impact_contacts_solve(dls_sim *sim, dls_contact_system *contacts, dls_impact_contacts *s,
                                     double t, const double *q, double stick, double noise, double *v,
                                     dls_error *err)
{
  double fastest = 0;
  bool passed = false;
  memcpy(s->v_start, v, sim->sys->n * sizeof *v);
  for (size_t k = 0; k < s->set.count; k++) {
    fastest = fmax(fastest, -s->touch[k].u_minus);
  }
  const double zero = dls_impact_still(sim->sys, fastest);
  dls_status status = impact(sim, contacts, s, zero, v, err);
  dls_contact_system_begin_interval(contacts, NULL);
  status = status != DLS_OK ? status : find_stays(sim, contacts, s, t, q, v, zero, stick, noise, err);
  for (size_t k = 0; k < s->set.count; k++) {
    dls_touch *touch = &s->touch[k];
    touch->passed = touch->stays && touch->u_minus < 0 && touch->u_plus > zero;
    passed = passed || touch->passed;
  }
  if (passed && status == DLS_OK) {
    status = impact(sim, contacts, s, zero, v, err);
  }
  return status != DLS_OK || s->stays.count == 0 ? status
                                                 : dls_contact_system_project_v(contacts, &s->stays, v, err);
}

/* The rebounds that are not made: u+ = e |u-| first, then a geometric sequence under the present acceleration. */
static void describe_accumulation(const dls_contact_system *contacts, const dls_touch *touch, dls_event *event)
{
  const double e = contacts->mixture[contacts->config->d * event->contact];
  const double u = -e * touch->u_minus;
  event->kind = DLS_ACCUMULATION;
  event->u_plus = 0; /* flights of 2 u/press, 2 e u/press, ..: their sum */
  event->time_end = event->t + (touch->press > 0 && e < 1 ? 2 * u / (touch->press * (1 - e)) : 0);
  event->bound =
      touch->press > 0 ? 0.5 * u * (u / touch->press) : 0; /* height u^2/(2 press); u^2 may overflow */
}

static void report(dls_sim *sim, const dls_contact_system *contacts, const dls_touch *touch, double t, size_t j,
                   dls_event_kind kind)
{
  dls_event event = {.t = t,
                     .kind = kind,
                     .contact = j,
                     .u_minus = touch->struck ? touch->u_struck : touch->u_minus,
                     .u_plus = touch->stays ? 0 : touch->u_plus,
                     .impulse = touch->impulse};
  if (touch->passed) {
    describe_accumulation(contacts, touch, &event);
  }
  dls_sim_event(sim, &event);
}

bool dls_impact_contacts_report(dls_sim *sim, const dls_contact_system *contacts, const dls_impact_contacts *s,
                                double t, const dls_contacts *closed)
{
  bool stopped = false;
  const size_t d = contacts->config->d;
  size_t next = 0; /* of closed */
  memset(sim->p, 0, sim->sys->m * sizeof *sim->p);
  memset(sim->p_t, 0, (d - 1) * sim->sys->m * sizeof *sim->p_t);
  for (size_t k = 0; k < s->set.count; k++) {
    const dls_touch *touch = &s->touch[k];
    const size_t j = s->set.index[k];
    while (next < closed->count && closed->index[next] < j) {
      next++;
    }
    const bool closed_now = next < closed->count && closed->index[next] == j,
               hit = touch->u_minus < 0 && touch->impulse > 0;
    sim->p[j] = touch->impulse;
    for (size_t i = 1; i < d; i++) {
      sim->p_t[(d - 1) * j + i - 1] = s->sequence.P[d * k + i];
    }
    stopped = stopped || hit;
    if (touch->passed || touch->struck || hit || touch->was_closed != closed_now) {
      report(sim, contacts, touch, t, j,
             touch->struck || hit ? DLS_IMPACT
             : closed_now         ? DLS_LANDING
                                  : DLS_LIFT_OFF);
    }
  }
  return stopped;
}
