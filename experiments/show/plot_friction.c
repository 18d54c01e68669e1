/* experiments/show/plot_friction.c -- bands of stick, and +-mu lambda_N around the force of friction.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/plot_friction.h"
#include <math.h>
#include <stdlib.h>

enum { STICKS = DLS_PLOT_STICKS, SLIPS, MOST_BANDS = 500 };

static int column(const dls_trajectory *traj, const char *prefix, size_t contact, const char *suffix)
{
  char name[64];
  snprintf(name, sizeof name, "%s%zu%s", prefix, contact, suffix);
  return dls_trajectory_column(traj, name);
}

static bool has_status(const dls_trajectory *traj, int status, int value)
{
  for (size_t row = 0; status > 0 && row < traj->rows; row++) {
    if ((int)dls_trajectory_at(traj, row, (size_t)status) == value) {
      return true;
    }
  }
  return false;
}

static void add_band(dls_figure *figure, dls_panel *panel, double from, double to)
{
  if (to > from) {
    dls_panel_mark(figure, panel,
                   &(dls_mark){.kind = DLS_MARK_PHASE, .x = from, .x2 = to, .colour = DLS_SHADE});
  }
}

int dls_plot_stick_column(const dls_trajectory *traj, size_t *contact)
{
  for (*contact = 0;; (*contact)++) { /* by their names: tables that are derived from a run have them too */
    const int status = column(traj, "status", *contact, "");
    if (status < 0 || has_status(traj, status, SLIPS)) {
      return status;
    }
  }
}

/* The status of a node is valid until the next. */
void dls_plot_bands(dls_figure *figure, dls_panel *panel, const dls_trajectory *traj, size_t status)
{
  double from = 0;
  bool sticks = false;
  for (size_t row = 0; row < traj->rows && panel->mark_count < MOST_BANDS; row++) {
    const double t = dls_trajectory_at(traj, row, 0);
    const bool now = (int)dls_trajectory_at(traj, row, status) == STICKS;
    if (sticks && !now) {
      add_band(figure, panel, from, t);
    }
    from = now && !sticks ? t : from;
    sticks = now;
  }
  if (sticks) {
    add_band(figure, panel, from, dls_trajectory_at(traj, traj->rows - 1, 0));
  }
}

/* mu of a contact in the plane: |lambda_T| / lambda_N where it slips, right limits only. @return 0 if it never does */
static double friction_of(const dls_trajectory *traj, size_t contact)
{
  const int status = column(traj, "status", contact, ""), normal = column(traj, "lambda", contact, ""),
            tangential = column(traj, "lambda", contact, "t");
  double mu = 0;
  for (size_t row = 0; status > 0 && normal > 0 && tangential > 0 && row < traj->rows; row++) {
    const double N = dls_trajectory_at(traj, row, (size_t)normal),
                 T = dls_trajectory_at(traj, row, (size_t)tangential);
    const bool left =
        row + 1 < traj->rows && dls_trajectory_at(traj, row + 1, 0) == dls_trajectory_at(traj, row, 0);
    if (!left && (int)dls_trajectory_at(traj, row, (size_t)status) == SLIPS && N > 0) {
      mu = fmax(mu, fabs(T) / N);
    }
  }
  return mu;
}

static size_t contact_of(const char *name)
{
  return strtoul(name + sizeof "lambda" - 1, NULL, 10);
}

const dls_plot_table *dls_plot_limits(dls_figure *figure, const dls_trajectory *traj, const char *name)
{
  const size_t contact = contact_of(name);
  const double mu = traj->d == 2 ? friction_of(traj, contact) : 0;
  const int normal = column(traj, "lambda", contact, "");
  if (!(mu > 0)) {
    return NULL;
  }
  dls_plot_table *table = dls_plot_table_new(figure, 3, "limit_%s", name);
  for (size_t row = 0; row < traj->rows; row++) {
    const double limit = mu * dls_trajectory_at(traj, row, (size_t)normal);
    dls_plot_table_add(table, (double[]){dls_trajectory_at(traj, row, 0), limit, -limit});
  }
  return table;
}
