/* delassus/trajectory.h -- what a run leaves: time-ordered nodes, events, work, and how it ended.
 *
 * A node is a row of doubles; the columns of a run over n degrees of freedom and m contacts are
 *   t, q0.., v0.., g0.., u0.., p0.., lambda0.., status0.. [, a0..] [, u0t.., p0t.., lambda0t..] [, mu0.., phi0..]
 * with g the gap, u its velocity, p the impulse carried by the node's jump or by the step that ends there,
 * lambda the smooth contact force, status 1 where the contact is closed, 2 where it slips, t along its tangents, a the smooth acceleration (only where
 * the meaning between nodes asks for it), mu the multipliers of the joints' forces, phi what is left of their equations. Two rows with equal t are the left and the right limit of a jump.
 * A table read from a CSV file is a trajectory too, with the columns that the file has.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TRAJECTORY_H
#define DELASSUS_TRAJECTORY_H

#include <delassus/counters.h>
#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Meaning of a quantity between two nodes. Constant: the right limit of the earlier node holds until the
 * later. Hermite: cubic from values and slopes; the slope of q is v, of v is a, of g is u. Cubic: the same where no column has
 * the slope, which is the derivative of the polynomial through up to five nearest nodes without a jump between them. */
typedef enum dls_meaning { DLS_LINEAR, DLS_CONSTANT, DLS_HERMITE, DLS_CUBIC } dls_meaning;

typedef enum dls_event_kind {
  DLS_IMPACT,       /* impulse at a closed contact, u- < 0 */
  DLS_LANDING,      /* contact closes and stays, without impulse (tangential landing, start in contact) */
  DLS_GRAZING,      /* g = u = 0 without closing */
  DLS_LIFT_OFF,     /* a lasting contact opens */
  DLS_ACCUMULATION, /* infinitely many impacts passed as one; see time_end and bound */
  DLS_STICK,        /* slip of a closed contact ends */
  DLS_SLIP,         /* a sticking contact begins to slip */
  DLS_REVERSAL,     /* slip changes its direction without sticking */
  DLS_PAINLEVE,     /* a contact that slips has no force: an impulse without collision stops it */
} dls_event_kind;
const char *dls_event_kind_name(dls_event_kind kind);

#define DLS_SLOW_IMPACT 0.01 /* of the fastest impact of a run: a slower one is slow */

enum { DLS_MERGED_MOST = 8 }; /* contacts of one event that are kept by name */

typedef struct dls_event {
  double t;
  dls_event_kind kind;
  size_t contact;
  double u_minus, u_plus, impulse; /* m/s, m/s, N s; 0 where they do not apply */
  double time_end;                 /* accumulation: estimated time at which the last impact happens */
  double bound;                    /* accumulation: bound of the error in gap that passing it introduces [m] */
  /* Accumulation passed by an event-driven scheme: */
  size_t members;                    /* contacts that take part, one event each; else 0 */
  size_t impacts;                    /* of them all, followed one by one besides infinite series */
  double duration;                   /* from the impact after which it was passed to the event [s] */
  double bound_velocity, bound_time; /* of the error in v after the event [m/s], in the event's time [s] */
  /* Contacts with friction, where there is an impulse and the scheme has computed them (`tangential`): */
  double slip_minus[2], slip_plus[2], friction[2]; /* along the tangents [m/s, m/s, N s] */
  double work_normal, work_friction;               /* of the impulses on the system [J] */
  size_t
      solutions; /* of the problem of the impact, else of the one that decides the modes after the event; 0: not counted */
  bool tangential;  /* slips, friction and works above are computed; false: records leave them out */
  bool root_missed; /* the root finder of the event-driven scheme's integrator had not seen it */
  /* Contacts, including this one, whose impacts the event-driven scheme merges because their times differ by less than their
   * error, although another order gives another v+; 0: none. The first of them, and the largest difference of v. */
  size_t merged_count, merged[DLS_MERGED_MOST];
  double merged_difference;
  size_t merged_orders,
      merged_unsolved; /* orders compared, and those without a result, by which later bounds are infinite */
} dls_event;

struct dls_system;
struct dls_measures;
struct dls_contact_work;
struct dls_scheme;

typedef struct dls_trajectory {
  size_t n, m;          /* 0, 0 for a table of unknown origin */
  size_t d;             /* rows of a contact: 2 or 3 with tangents, else 1 */
  size_t r;             /* joint equations */
  size_t columns, rows; /* columns >= 1, the first is t */
  char **names;         /* columns */
  dls_meaning *meaning; /* columns */
  double *data;         /* rows x columns, row-major */
  dls_event *events;
  size_t event_count;
  char **meta; /* meta_count lines "key: value" */
  size_t meta_count;
  bool complete; /* false: the run stopped early, failure says when and why */
  char failure[400];
  dls_work work;
  size_t row_capacity, event_capacity; /* private */
  size_t whole_columns;                /* private: columns of a node of the run, recorded or not */
  size_t *source; /* private: of each column, its place in a whole node; NULL: all are kept */
  double *whole;  /* private: a whole node, where source is not NULL, and behind it what contact did so far */
  struct dls_measures
      *measures; /* private: evaluates columns that no node has, those with a source behind the whole node */
  struct dls_contact_work *works; /* private: does, where such columns are among them */
  bool skip_nodes;                /* true: keep events and work only */
  bool skip_events;               /* with skip_nodes: of many events keep totals only */
  bool step_impulses; /* p is all that a contact transmitted in a step; else lambda acts besides it */
  struct dls_event_totals
      *totals; /* private: of all events of the run, where some may be left out; else NULL */
} dls_trajectory;

/** An empty trajectory of a run over n degrees of freedom and m contacts; with_a adds the columns a0... */
dls_trajectory *dls_trajectory_create(size_t n, size_t m, bool with_a);
/** The same of a system with tangents or joints: behind all other columns u0t.., p0t.., lambda0t.. for d = 2, u0t1, u0t2,
 * u1t1, ..., p0t1, ... for d = 3; behind those mu0.., phi0... */
dls_trajectory *dls_trajectory_create_system(const struct dls_system *sys, bool with_a);
/**
 * Record fewer columns: t, those marked, and the slopes that their meaning between nodes needs (v of a cubic q, a
 * of a cubic v, u of a cubic g). A bar of 1e5 elements has 1.6 MB a node otherwise.
 * @param[in,out] traj  empty, made by dls_trajectory_create (or dls_sim_trajectory), meanings set
 * @param[in] keep      for each of its columns
 * @return DLS_OK; DLS_ERR_ARG if there are rows already, or no n; DLS_ERR_MEMORY
 */
dls_status dls_trajectory_select(dls_trajectory *traj, const bool *keep, dls_error *err);
/**
 * Record energies, momenta and works of contact too, as columns behind the others.
 * @param[in,out] traj  empty, its columns selected
 * @param[in] sys       of the run; borrowed until that is over
 * @param[in] scheme    that makes it
 * @param[in] keep      for each name of dls_measures_of
 * @return DLS_OK; DLS_ERR_ARG if the columns have not been selected; DLS_ERR_MEMORY
 */
dls_status dls_trajectory_measure(dls_trajectory *traj, const struct dls_system *sys,
                                  const struct dls_scheme *scheme, const bool *keep, dls_error *err);
/** An empty table with given column names (copied), all of meaning DLS_LINEAR. */
dls_trajectory *dls_trajectory_create_table(size_t columns, const char *const *names);
void dls_trajectory_destroy(dls_trajectory *traj);

/** Make room for rows more nodes, so that appending them does not allocate. */
dls_status dls_trajectory_reserve(dls_trajectory *traj, size_t rows, dls_error *err);
/** Append a row and return where to write its columns, or NULL if out of memory. */
double *dls_trajectory_append(dls_trajectory *traj);
/** Reserve memory for `count` events in all, so that adding them does not allocate. */
dls_status dls_trajectory_reserve_events(dls_trajectory *traj, size_t count, dls_error *err);
dls_status dls_trajectory_add_event(dls_trajectory *traj, const dls_event *event, dls_error *err);
/** Add the line "key: <formatted>". */
dls_status dls_trajectory_note(dls_trajectory *traj, dls_error *err, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/** Set the meaning of every column whose name is prefix followed by digits, or by digits and t, t1, t2: along tangents. */
void dls_trajectory_set_meaning(dls_trajectory *traj, const char *prefix, dls_meaning meaning);
/** DLS_CUBIC for velocities of contacts, forces and accelerations, of a run whose nodes are dense enough for it. */
void dls_trajectory_set_cubic(dls_trajectory *traj);

/** Position of the column named name, or -1. */
int dls_trajectory_column(const dls_trajectory *traj, const char *name);
static inline double dls_trajectory_at(const dls_trajectory *traj, size_t row, size_t column)
{
  return traj->data[row * traj->columns + column];
}

/** Write as CSV: "# key: value" lines (meta, interpolation, events, completeness), header, rows; numbers in
 * the fewest digits that read back as they were. */
dls_status dls_trajectory_write(const dls_trajectory *traj, FILE *out, dls_error *err);
/**
 * Read any CSV with a header whose first column is t; lines that start with # are metadata, of which
 * "interpolation" restores the meaning of the columns. A field may stand between quotes, two of which stand for
 * one inside (RFC 4180, but on one line).
 * @return DLS_ERR_IO if the file cannot be read; DLS_ERR_PARSE with file:line:column and what is wrong there:
 *         no header, first column not t, duplicate name, wrong number of fields, no finite number, t
 * decreasing, no row
 */
dls_status dls_trajectory_read(const char *path, dls_trajectory **out, dls_error *err);

#ifdef __cplusplus
}
#endif

#endif
