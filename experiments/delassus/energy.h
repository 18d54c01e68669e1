/* delassus/energy.h -- the energy ledger of a run: for every step each term of the balance, and what is left over.
 *
 *   H_k+1 - H_k = external + damping + impact + sliding + drive + numerical terms + residual
 *
 * Schemes with a known identity (dls_balance) on linear systems: the terms are those of the identity, the
 * residual is rounding. All others get the plain balance of E = T + V: external and damping work are
 * integrals along the scheme's own interpolation of q (Gauss, 4 points a step), impact is 1/2 (u+ + u-)^T p of
 * the impacts that the scheme reports (the true loss if u+ = -e u-), and the rest is one numerical term, so that
 * there is no residual. There a jump has two rows, of its left and of its right limit. In penalty schemes,
 * whose contacts store energy, the balance is that of H = E + sum U(g), and impact is 0, because contact is not an impact of a law.
 * Sliding is the work of friction outside of impacts, drive that of moving surfaces and supports. Nonlinear systems: external is the
 * work of all smooth forces except those of the potential V(q) of the model. A steady load F of a linear system has the potential
 * -F^T q; the work of any other load is external. The balance starts at t = 0+, after an impact there.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ENERGY_H
#define DELASSUS_ENERGY_H

#include <delassus/balance.h>
#include <delassus/measures.h>
#include <delassus/study.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_energy_spec {
  const dls_system *sys;
  const dls_scheme_choice *choice;
  double step, end; /* as in dls_run_spec */
  dls_start start;
  bool totals_only; /* keep no rows */
  size_t max_rows; /* > 0: the run ends with DLS_ERR_LIMIT before it has more rows, or more events, than this */
  bool (*poll)(void *data, double t);
  void *poll_data;
} dls_energy_spec;

/** Columns of the rows: these, one for each numerical term from NUMERICAL on, the residual; then the sums since
 * t = 0 of all from EXTERNAL on. With `contacts`: normal, friction, drive and their sums behind. Then the momenta of systems that have
 * them: px; px, py, L; or px, py, pz, Lx, Ly, Lz; with `reports` the same of the scheme's own velocity, scheme_px, ... Then with
 * `apart` sliding and its sum. */
enum {
  DLS_ENERGY_T,
  DLS_ENERGY_KINETIC,
  DLS_ENERGY_POTENTIAL,
  DLS_ENERGY_MECHANICAL,
  DLS_ENERGY_ALGORITHMIC,
  DLS_ENERGY_EXTERNAL,
  DLS_ENERGY_DAMPING,
  DLS_ENERGY_IMPACT,
  DLS_ENERGY_NUMERICAL
};

typedef struct dls_energy_ledger {
  const dls_balance *balance;    /* NULL: plain balance */
  bool linear;                   /* the system is */
  bool yields;                   /* plain balance of H = E + sum U(g), with the energy in contacts that yield */
  bool potential;                /* V is known; else external is the work of all smooth forces */
  const dls_balance_term *terms; /* numerical terms, ends with {0} */
  size_t term_count;             /* >= 1 */
  dls_trajectory
      *rows; /* a row for t = 0 and for every step, two where the plain balance jumps; none with totals_only */
  dls_trajectory *
      states; /* for pictures: energies, the work supplied (external and drive) and momenta at t = 0 and of every step, both limits of jumps */
  size_t steps;
  size_t warnings, explained;                 /* as in delassus/quality.h */
  double start, last;                         /* E at t = 0+ and at the end [J] */
  double algorithmic_start, algorithmic_last; /* H there */
  double external, damping, impact;           /* sums over all steps [J], compensated */
  double numerical[DLS_BALANCE_MOST_TERMS];
  double scale;                   /* largest of E, |H| and |sum of external| so far [J] */
  double residual, residual_time; /* the one of largest size [J] */
  bool contacts;                  /* the works of contact have columns */
  bool apart;                     /* friction, drive and sliding, too, not only normal */
  double normal, friction, drive; /* sums of these: u_N p_N, u_T^T p_T, and what moving surfaces do [J] */
  double sliding;                 /* the part of friction outside of impacts [J] */
  bool steady;                    /* the load has a potential, which is part of E */
  double law_gain,
      law_gain_time; /* largest normal + friction of a step, above rounding; 0: the law creates no energy */
  double law_gain_normal, law_gain_friction; /* there, of the contact that has most of it [J] */
  size_t law_gain_contact, gain_steps;       /* which contact; how many steps gain */
  size_t momenta;                            /* how many the system has: 0, 1, 3 or 6 */
  bool reports; /* the scheme reports other velocities than those of its momenta: these are kept, too */
  double momentum_start[2 * DLS_MOMENTA_MOST], momentum_last[2 * DLS_MOMENTA_MOST],
      momentum_change[2 * DLS_MOMENTA_MOST]; /* columns of momenta; largest |p - p(0)| [N s, N m s] */
  double gain,
      gain_time; /* largest sum of impact, sliding and numerical terms of a step [J]; <= 0: dissipative */
} dls_energy_ledger;

/**
 * Run a scheme and keep the ledger.
 * @param[out] out  NULL only if the run did not start; else what there is, also after a failure (then rows are
 *                  marked incomplete with time and reason)
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE if the mass matrix varies; as dls_scheme_choice_sim and dls_run
 */
dls_status dls_energy_run(const dls_energy_spec *spec, dls_energy_ledger **out, dls_error *err);
void dls_energy_destroy(dls_energy_ledger *ledger); /* NULL is fine */

/** Position of the first momentum. */
size_t dls_energy_momentum_column(const dls_energy_ledger *ledger);
/** Position of the residual, and of the sum that belongs to a column from EXTERNAL on. */
size_t dls_energy_residual_column(const dls_energy_ledger *ledger);
size_t dls_energy_sum_column(const dls_energy_ledger *ledger, size_t column);
/** Sum of all numerical terms over all steps [J]. */
double dls_energy_numerical(const dls_energy_ledger *ledger);
/** One ledger for people: energies, works, every numerical term with its formula, residual. */
dls_status dls_energy_write_table(const dls_energy_ledger *ledger, const char *label, FILE *out);

/** A ledger in a picture, with the name that its curves get. */
typedef struct dls_energy_curve {
  const char *label;
  const dls_energy_ledger *ledger; /* with rows */
} dls_energy_curve;

/**
 * Pictures, paths as for dls_plot_check. Energies over time: E, and E less the external work, of every ledger in
 * one panel each. Dissipation: the sums of damping, impact and numerical terms, a panel for each ledger.
 * @param[in] title  the model; the step in the metadata of the first ledger follows it
 * @return DLS_ERR_ARG if there is no ledger, or one has fewer than two rows; as dls_plot_check
 */
dls_status dls_plot_energies(size_t count, const dls_energy_curve *curves, const char *title, const char *path,
                             dls_error *err);
dls_status dls_plot_dissipation(size_t count, const dls_energy_curve *curves, const char *title,
                                const char *path, dls_error *err);
/** Parts: kinetic energy, potential and their sum, a panel each. Momenta: a panel for each, of systems that have some. At least one
 * ledger; as dls_plot_check */
dls_status dls_plot_parts(size_t count, const dls_energy_curve *curves, const char *title, const char *path,
                          dls_error *err);
dls_status dls_plot_momenta(size_t count, const dls_energy_curve *curves, const char *title, const char *path,
                            dls_error *err);

#ifdef __cplusplus
}
#endif

#endif
