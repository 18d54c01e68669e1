/* experiments/measures/story/causes.c -- why a scheme does what was found, and what helps: one row for each fault and family.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/story/facts.h"
#include "experiments/measures/story/thresholds.h"

#include <string.h>

typedef struct reason {
  dls_story_fault fault;
  dls_family family;  /* DLS_FAMILIES: any */
  const char *scheme; /* NULL: any of the family */
  const char *cause, *remedy;
} reason;

/* The first row that fits counts. A scheme that is not known has the rows of any family alone. */
#define ON_VELOCITIES "the contact law of this scheme acts on velocities and does not correct gaps"
#define REACTS_LATE                                                                                            \
  "a step that ends with separation is followed by one without contact force, and the next one reacts"
#define COMES_TO_REST "velocity_test=off with gamma=0.5, where the scheme has these options; e = 0"
static const reason reasons[] = {
    {DLS_FAULT_SINKS, DLS_FAMILY_MOREAU, NULL, ON_VELOCITIES,
     "a smaller step, to which the speed is proportional; " COMES_TO_REST},
    {DLS_FAULT_SINKS, DLS_FAMILY_NEWMARK, NULL, ON_VELOCITIES,
     "a smaller step, to which the speed is proportional; " COMES_TO_REST},
    {DLS_FAULT_SINKS, DLS_FAMILIES, NULL, NULL, "a smaller step; a scheme that enforces gaps"},
    {DLS_FAULT_DEPTH, DLS_FAMILY_MOREAU, NULL, ON_VELOCITIES, "a smaller step; a scheme that enforces gaps"},
    {DLS_FAULT_DEPTH, DLS_FAMILY_NEWMARK, NULL, ON_VELOCITIES, "a smaller step; a scheme that enforces gaps"},
    {DLS_FAULT_DEPTH_STEP, DLS_FAMILY_EVENT_DRIVEN, NULL, NULL, "a smaller tolerance: tol=1e-12"},
    {DLS_FAULT_DEPTH_STEP, DLS_FAMILIES, NULL,
     "the impact lies inside a step and acts at the end of a step; the depth is about "
     "the distance of the fastest approach in one step, or less",
     "a smaller step; event-driven, which locates impacts"},
    {DLS_FAULT_DEPTH_SPRING, DLS_FAMILIES, NULL,
     "contact forces of this scheme are springs, which are compressed",
     "a larger stiffness, with a step that resolves it"},
    {DLS_FAULT_PASSES, DLS_FAMILIES, NULL,
     "no force acts at a gap that is negative and closes: the contact is not detected", "a smaller step"},
    {DLS_FAULT_BOUNCES, DLS_FAMILY_MOREAU, NULL, REACTS_LATE, COMES_TO_REST},
    {DLS_FAULT_BOUNCES, DLS_FAMILY_NEWMARK, NULL, REACTS_LATE, COMES_TO_REST},
    {DLS_FAULT_CREEPS, DLS_FAMILY_SOFT, NULL,
     "friction is regularised: without slip there is no friction force",
     "a stiffer regularisation; a scheme with Coulomb's law, such as moreau-jean"},
    {DLS_FAULT_CREEPS, DLS_FAMILY_TEACHING, "explicit-tanh",
     "friction is a smooth function of the slip: without slip there is no friction force",
     "a scheme with Coulomb's law, such as moreau-jean"},
    {DLS_FAULT_GAINS, DLS_FAMILY_TEACHING, "newmark-velocity-contact",
     "the contact force of an impact is part of the acceleration, and acts again in the next step",
     "nonsmooth-newmark, whose impacts are impulses"},
    {DLS_FAULT_GAINS, DLS_FAMILY_TEACHING, "naive-rk4",
     "the velocity is reversed below the surface, where the body has gained more speed than it should",
     "event-driven or rk-moreau"},
    {DLS_FAULT_GAINS, DLS_FAMILY_PENALTY, NULL,
     "the spring of the contact is integrated with steps that do not resolve it",
     "a smaller step; conserving-penalty"},
    {DLS_FAULT_GAINS, DLS_FAMILIES, NULL, NULL,
     "a smaller step; `delassus energy` shows the term that creates it; `--law fremond` if an impact with "
     "friction does"},
    {DLS_FAULT_LOSES, DLS_FAMILIES, NULL,
     "numerical dissipation: neither contact forces nor smooth forces do this work",
     "a smaller step; `delassus energy` shows the term that dissipates it"},
    {DLS_FAULT_RESTITUTION, DLS_FAMILY_PENALTY, NULL,
     "restitution follows from springs, dampers and the step, not from the coefficient of the model",
     "a smaller step; a scheme with an impact law, such as moreau-jean"},
    {DLS_FAULT_RESTITUTION, DLS_FAMILY_SOFT, NULL,
     "restitution follows from springs, dampers and the step, not from the coefficient of the model",
     "a scheme with an impact law, such as moreau-jean"},
    {DLS_FAULT_RESTITUTION, DLS_FAMILIES, NULL, NULL, "`delassus judge` with files of smaller steps"},
};

void dls_story_fault_found(dls_story_facts *facts, dls_story_fault fault, double t, size_t contact,
                           const char *text, const char *evidence)
{
  const dls_scheme *scheme = facts->subject->scheme;
  dls_statement *statement =
      facts->found[fault]++ < STORY_CONTACTS ? dls_story_finding(facts, t, contact, text, evidence) : NULL;
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons && statement != NULL; i++) {
    const reason *r = &reasons[i];
    const bool family = r->family == DLS_FAMILIES || (scheme != NULL && r->family == scheme->family);
    const bool name = r->scheme == NULL || (scheme != NULL && strcmp(r->scheme, scheme->name) == 0);
    if (r->fault == fault && family && name) {
      statement->cause = r->cause;
      statement->remedy = r->remedy;
      return;
    }
  }
}
