/* experiments/measures/energy/joint_ledger.h -- what joints do in a run: how well they hold, and the forces in them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_STUDY_JOINT_LEDGER_H
#define DELASSUS_STUDY_JOINT_LEDGER_H

#include <delassus/sim.h>

enum { DLS_JOINT_LABEL = 40 };

/* Equations with the same name before ": " are those of one joint. */
typedef struct dls_joint_entry {
  char name[DLS_JOINT_LABEL];
  size_t first, count; /* its equations */
  bool acts;           /* on coordinates in m: it has a force */
  double force;        /* largest |sum G_i mu_i| on the coordinates in m of one body so far [N] */
} dls_joint_entry;

typedef struct dls_joint_ledger {
  size_t count;
  dls_joint_entry *joints;
  double worst, worst_rate; /* largest |Phi| and |G^T v + dPhi/dt| so far, each in units of its equation */
  size_t worst_equation;
  dls_matrix *G; /* scratch, and what follows */
  size_t *body;  /* n: of a coordinate in m the body that its name says, "x of BODY", from 1; else 0 */
  size_t bodies;
  double *rate, *force, *squares; /* r, n, bodies + 1 */
  double *block;
} dls_joint_ledger;

/** @param[out] ledger  of a system with joints, or an empty one; release it in any case. @return DLS_ERR_MEMORY */
dls_status dls_joint_ledger_create(const dls_system *sys, dls_joint_ledger *ledger, dls_error *err);
void dls_joint_ledger_release(dls_joint_ledger *ledger);
/** A node of the run. */
void dls_joint_ledger_look(dls_joint_ledger *ledger, const dls_sim *sim);

#endif
