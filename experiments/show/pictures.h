/* experiments/show/pictures.h -- the pictures of delassus/plot.h, work.h and energy.h on any canvas: files, or figures of a
 * page.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PICTURES_H
#define DELASSUS_EXPERIMENTS_PICTURES_H

#include "experiments/measures/ledger/ledger.h"
#include "experiments/measures/order/local.h"
#include "experiments/measures/order/order_contacts.h"
#include "experiments/measures/spectrum/spectrum.h"
#include "experiments/measures/sweep/sweep.h"
#include "experiments/show/figure.h"

#include <delassus/energy.h>
#include <delassus/plot.h>
#include <delassus/work.h>

dls_status dls_draw_trajectory(const dls_trajectory *traj, const dls_trajectory *reference,
                               const dls_canvas *canvas, dls_error *err);
dls_status dls_draw_mesh(const dls_model *model, const dls_system *sys, const dls_trajectory *traj,
                         const dls_canvas *canvas, dls_error *err);
dls_status dls_draw_order(const dls_order_study *study, size_t norm, size_t of, const dls_canvas *canvas,
                          dls_error *err);
/* A figure of the contacts of all runs over the phase of the grid, if it is one of an impact, and over the step; is there any to draw? */
bool dls_order_has_contacts(const dls_order_study *study, const dls_contact_picture *what);
dls_status dls_draw_contacts(const dls_order_study *study, const dls_contact_picture *what,
                             const dls_canvas *canvas, dls_error *err);
dls_status dls_draw_work(const dls_work_study *study, size_t norm, size_t of, const dls_canvas *canvas,
                         dls_error *err);
dls_status dls_draw_comparison(const dls_comparison *plot, const dls_canvas *canvas, dls_error *err);
/* A panel for each quantity over the parameter: its turns, filled; hollow where a contact sticks. */
dls_status dls_draw_sweep(const dls_sweep *sweep, const dls_canvas *canvas, dls_error *err);
/* Rows of panels for each place, q and v. */
dls_status dls_draw_local(const dls_local *local, const dls_canvas *canvas, dls_error *err);
/* What each scheme converges to on each problem of a ledger. */
dls_status dls_draw_ledger(const dls_ledger *ledger, const dls_canvas *canvas, dls_error *err);
/* A panel for each quantity over h/T; a curve for each scheme. */
dls_status dls_draw_spectrum(const dls_spectrum *spectrum, const dls_canvas *canvas, dls_error *err);
dls_status dls_draw_energies(size_t count, const dls_energy_curve *curves, const char *title,
                             const dls_canvas *canvas, dls_error *err);
dls_status dls_draw_dissipation(size_t count, const dls_energy_curve *curves, const char *title,
                                const dls_canvas *canvas, dls_error *err);
/* Panels of kinetic energy, potential and their sum, where it is known; of the momenta, which the ledgers have. */
dls_status dls_draw_parts(size_t count, const dls_energy_curve *curves, const char *title,
                          const dls_canvas *canvas, dls_error *err);
dls_status dls_draw_momenta(size_t count, const dls_energy_curve *curves, const char *title,
                            const dls_canvas *canvas, dls_error *err);

#endif
