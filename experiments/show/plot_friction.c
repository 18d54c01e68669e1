/* experiments/show/plot_friction.c -- bands of stick, and +-mu lambda_N around the force of friction.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/plot_friction.h"
#include <math.h>
#include <stdlib.h>

enum { STICKS = DLS_PLOT_STICKS, SLIPS, PIXELS = 1000 };

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

int dls_plot_stick_column(const dls_trajectory *traj, size_t *contact)
{
  int found = -1;
  for (size_t i = 0;; i++) { /* by their names: tables that are derived from a run have them too */
    const int status = column(traj, "status", i, "");
    if (status < 0) {
      return found;
    }
    const bool sticks = has_status(traj, status, STICKS);
    if (has_status(traj, status, SLIPS) && (sticks || found < 0)) {
      found = status;
      *contact = i;
    }
    if (found == status && sticks) {
      return found;
    }
  }
}

/* Bands of stick, of which no gap is narrower than a pixel of a wide picture: such gaps are part of the band. */
typedef struct bands {
  dls_figure *figure;
  dls_panel *panel;
  double from, to, least;
} bands;

static void put_band(bands *b)
{
  if (b->to > b->from) {
    dls_panel_mark(b->figure, b->panel,
                   &(dls_mark){.kind = DLS_MARK_PHASE, .x = b->from, .x2 = b->to, .colour = DLS_SHADE});
  }
}

static void stick(bands *b, double from, double to)
{
  if (from > b->to + b->least) {
    put_band(b);
    b->from = from;
  }
  b->to = to;
}

void dls_plot_bands(dls_figure *figure, dls_panel *panel, const dls_trajectory *traj, size_t status,
                    bool of_steps)
{
  const double begin = dls_trajectory_at(traj, 0, 0), end = dls_trajectory_at(traj, traj->rows - 1, 0);
  bands b = {figure, panel, begin, begin, (end - begin) / PIXELS};
  for (size_t row = 1; row < traj->rows; row++) {
    const double t = dls_trajectory_at(traj, row, 0), before = dls_trajectory_at(traj, row - 1, 0);
    if (t > before && (int)dls_trajectory_at(traj, of_steps ? row : row - 1, status) == STICKS) {
      stick(&b, before, t);
    }
  }
  put_band(&b);
}

static size_t contact_of(const char *name)
{
  return strtoul(name + strcspn(name, "0123456789"), NULL, 10);
}

double dls_plot_friction_of(const dls_trajectory *traj, const char *name)
{
  const size_t contact = contact_of(name);
  const char *symbol = name[0] == 'p' ? "p" : "lambda";
  const int status = column(traj, "status", contact, ""), normal = column(traj, symbol, contact, ""),
            tangential = column(traj, symbol, contact, "t");
  double mu = 0;
  for (size_t row = 0; traj->d == 2 && status > 0 && normal > 0 && tangential > 0 && row < traj->rows; row++) {
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

const dls_plot_table *dls_plot_limits(dls_figure *figure, const dls_trajectory *traj, const char *name)
{
  const size_t contact = contact_of(name);
  const double mu = dls_plot_friction_of(traj, name);
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
