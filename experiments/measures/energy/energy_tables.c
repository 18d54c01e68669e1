/* experiments/measures/energy/energy_tables.c -- an energy ledger as a table for people.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/energy/energy_contacts.h"
#include "experiments/measures/energy/energy_momenta.h"
#include <delassus/energy.h>
#include <math.h>

static const double created = 1e-9; /* of the energy scale: work of contacts below it is rounding */

static void put_line(FILE *out, const char *what, double value, const char *remark)
{
  fprintf(out, "  %-24s %16.9e J%s%s\n", what, value, remark[0] != '\0' ? "   " : "", remark);
}

static void put_energies(const dls_energy_ledger *ledger, FILE *out)
{
  put_line(out, "energy at the start", ledger->start, dls_energy_mechanical_formula(ledger));
  put_line(out, ledger->rows->complete ? "energy at the end" : "energy where it stopped", ledger->last, "");
  if ((ledger->balance != NULL || ledger->yields) &&
      (ledger->algorithmic_start != ledger->start || ledger->algorithmic_last != ledger->last)) {
    put_line(out, "algorithmic, start", ledger->algorithmic_start, dls_energy_formula(ledger));
    put_line(out, ledger->rows->complete ? "algorithmic, end" : "algorithmic, there", ledger->algorithmic_last,
             "");
  }
}

static void put_works(const dls_energy_ledger *ledger, FILE *out)
{
  const dls_balance *balance = ledger->balance;
  const char *path = ledger->linear      ? "load, along the path between nodes"
                     : ledger->potential ? "forces without a potential, along the path"
                                         : "all smooth forces, along the path";
  put_line(out, "external work", ledger->external,
           ledger->steady    ? dls_energy_steady_formula
           : balance != NULL ? balance->external
                             : path);
  if (ledger->linear) {
    put_line(out, "damping work", ledger->damping,
             balance != NULL ? balance->damping : "-w^T C w, along the path between nodes");
  }
  put_line(out, "impact work", ledger->impact, dls_energy_impact_formula(ledger));
  if (ledger->apart) {
    put_line(out, "sliding work", ledger->sliding, dls_energy_sliding_formula);
    put_line(out, "drive work", ledger->drive, dls_energy_drive_formula);
  }
  if (ledger->contacts) {
    const bool stores = balance != NULL && balance->push != NULL;
    put_line(out, "contact: normal", ledger->normal,
             stores ? "dg f_gamma, of which contacts store some: it is in H, not in the impact work"
                    : "u_N p_N, u where the impulses of the scheme work");
  }
  if (ledger->contacts && ledger->apart) {
    put_line(out, "contact: friction", ledger->friction, "u_T^T p_T, in impacts and outside of them");
  }
  for (size_t i = 0; i < ledger->term_count; i++) {
    char what[60];
    snprintf(what, sizeof what, "%s%s", balance != NULL ? "numerical: " : "", ledger->terms[i].name);
    put_line(out, what, ledger->numerical[i], ledger->terms[i].formula);
  }
}

/* No law of impact or friction supplies energy in sum; a scheme may, as schatzman-paoli does where impacts of several contacts are one or
 * two steps apart. Compliant contacts give back what they have stored. */
static void put_created_energy(const dls_energy_ledger *ledger, FILE *out)
{
  const double work = ledger->normal + ledger->friction, least = created * ledger->scale;
  const bool stores = ledger->balance == NULL || ledger->balance->push != NULL || ledger->balance->yields;
  if (ledger->contacts && !stores && work > least &&
      ledger->last - ledger->start - ledger->external - ledger->drive > least) {
    put_line(out, "warning", work, "created by the contacts: normal and friction together");
  }
}

static void put_momenta(const dls_energy_ledger *ledger, FILE *out)
{
  for (size_t i = 0; i < dls_energy_momentum_columns(ledger); i++) {
    char name[20], what[40];
    const char *unit = NULL;
    dls_energy_momentum_name(ledger, i, name, sizeof name, &unit);
    snprintf(what, sizeof what, "momentum %s", name);
    fprintf(out, "  %-24s %16.9e %s   at the end %.9e, largest change %.1e\n", what, ledger->momentum_start[i],
            unit, ledger->momentum_last[i], ledger->momentum_change[i]);
  }
  if (ledger->reports) {
    fputs("  scheme_px, ...: of the velocities that the scheme computes with, in place of those it reports\n",
          out);
  }
}

dls_status dls_energy_write_table(const dls_energy_ledger *ledger, const char *label, FILE *out)
{
  fprintf(out, "%s, %zu steps\n", label, ledger->steps);
  put_energies(ledger, out);
  put_works(ledger, out);
  put_created_energy(ledger, out);
  if (ledger->steps > 0) {
    char when[80];
    snprintf(when, sizeof when, "impact%s and numerical terms, at t = %.6g s", ledger->apart ? ", sliding" : "",
             ledger->gain_time);
    put_line(out, "largest gain of a step", ledger->gain, when);
  }
  if (ledger->balance != NULL) {
    const double relative = ledger->scale > 0 ? fabs(ledger->residual) / ledger->scale : 0;
    fprintf(out, "  %-24s %16.1e     of the energy scale %.6g J, at t = %.6g s\n", "largest |residual|",
            relative, ledger->scale, ledger->residual_time);
  }
  put_momenta(ledger, out);
  if (ledger->balance != NULL && ledger->balance->symbols != NULL) {
    fprintf(out, "  %s\n", ledger->balance->symbols);
  }
  if (!ledger->rows->complete) {
    fprintf(out, "  stopped early: %s\n", ledger->rows->failure);
  }
  fputc('\n', out);
  return ferror(out) ? DLS_ERR_IO : DLS_OK;
}
