/* experiments/measures/story/facts.h -- what sentences about a run are made of.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_STORY_FACTS_H
#define DELASSUS_EXPERIMENTS_STORY_FACTS_H

#include "experiments/measures/motion/motion.h"
#include "experiments/measures/story/story.h"

/** Rows during which forces of one contact follow each other. */
typedef struct dls_lasting {
  size_t contact, first, last; /* rows */
  bool sinks;
} dls_lasting;

/** What can be wrong. */
typedef enum dls_story_fault {
  DLS_FAULT_SINKS, /* also why it is deep in the end */
  DLS_FAULT_DEPTH,
  DLS_FAULT_DEPTH_STEP,
  DLS_FAULT_DEPTH_SPRING,
  DLS_FAULT_PASSES,
  DLS_FAULT_BOUNCES, /* at rest */
  DLS_FAULT_CREEPS,
  DLS_FAULT_GAINS,
  DLS_FAULT_LOSES,
  DLS_FAULT_RESTITUTION,
  DLS_FAULT_GRAZES,
  DLS_STORY_FAULTS
} dls_story_fault;

typedef struct dls_story_facts {
  const dls_story_subject *subject;
  dls_samples samples;
  dls_pushes pushes;
  dls_motion motion; /* impacts that are not slow */
  size_t lasting_count;
  dls_lasting *lasting; /* contact by contact, in the order of time */
  double *largest_gap;  /* m [m] */
  double fastest;       /* gap velocity or slip, of all contacts [m/s] */
  double fastest_slip;  /* [m/s] */
  double step;          /* of the subject, or the median of the rows' distances in time [s] */
  size_t found[DLS_STORY_FAULTS];
  dls_story *story;
} dls_story_facts;

/** Add a phase or a finding; evidence as text. @return the statement, or NULL without memory (pool->failed)
 * (sentences.c) */
dls_statement *dls_story_phase(dls_story_facts *facts, double t, size_t contact, const char *text,
                               const char *evidence);
dls_statement *dls_story_finding(dls_story_facts *facts, double t, size_t contact, const char *text,
                                 const char *evidence);
enum { DLS_STORY_NO_CONTACT = -1 };
/** By time, those of the whole run last; those of one time keep their order. */
void dls_story_sort(dls_statement *list, size_t count);

/** Slip speed of contact j at row k [m/s]; whether it is slip and not stick; the last row up to `last` of the same mode. */
double dls_story_slip(const dls_samples *s, size_t j, size_t k);
bool dls_story_slides(const dls_story_facts *facts, size_t j, size_t k);
/** Is it stick, and not a slip that turns: is the slip of the middle rows constant or far below the threshold? */
bool dls_story_sticks(const dls_story_facts *facts, size_t j, size_t first, size_t last);
size_t dls_story_same_mode(const dls_story_facts *facts, size_t j, size_t first, size_t last);

/** Impacts, stick, slip and flight of every contact (phases.c). */
void dls_story_phases(dls_story_facts *facts);
/** Sinking, penetration, energy, ... (findings.c). */
void dls_story_findings(dls_story_facts *facts);

/** A finding with what explains it; after the first STORY_CONTACTS of a fault they are only counted (causes.c). */
void dls_story_fault_found(dls_story_facts *facts, dls_story_fault fault, double t, size_t contact,
                           const char *text, const char *evidence);

#endif
