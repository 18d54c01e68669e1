/* experiments/measures/energy/energy_ledger.c -- the energy ledger of a run, step by step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "experiments/measures/energy/energy_contacts.h"
#include "experiments/measures/energy/energy_momenta.h"
#include "experiments/measures/energy/energy_plain.h"
#include <delassus/energy.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const dls_balance_term plain_terms[] = {
    {"numerical", "dE - external - damping - impact - sliding - drive", false}, {0}};
static const dls_balance_term yielding_terms[] = {
    {"numerical", "dH - external - damping - impact - sliding - drive", false}, {0}};

/* Fraction of the run: longer steps get intermediate states, so that a picture shows parabolas, not chords. */
static const double longest_piece = 0.005;

/* Neumaier's sum: the rounding of each addition is kept and added in the end. */
typedef struct neumaier {
  double sum, carry;
} neumaier;

enum { NORMAL, FRICTION, DRIVE, SLIDING, CONTACT_WORKS };
enum { CONTACT_COLUMNS = 6 };                    /* normal, friction, drive and their sums */
enum { MOST_SUMS = 4 + DLS_BALANCE_MOST_TERMS }; /* external, damping, impact, terms, residual */

/* A ledger being written. */
typedef struct book {
  dls_energy_ledger *out;
  const dls_energy_spec *spec;
  dls_trajectory *record; /* of the run: events only */
  dls_energy_plain plain;
  dls_measures *measures;
  double *block;                /* owns the vectors */
  double *q, *v, *own, *work;   /* n, n, vectors n, n: state before the step; the identity's memory; scratch */
  double t, kinetic, potential; /* at the last node */
  neumaier sums[MOST_SUMS];
  dls_energy_contacts contacts;
  double contact_works[CONTACT_WORKS];
  neumaier contact_sums[CONTACT_WORKS];
  double step_gain;                     /* gains of the rows of the present step up to now [J] */
  double drive_left;                    /* done before the impulses of the present step [J] */
  double kinetic_left;                  /* at its left limit, where that has a row; else NaN [J] */
  double (*stored)(const dls_sim *sim); /* plain balance: energy in contacts that yield, or NULL */
  bool open;                            /* the state at t = 0 is noted */
} book;

static void add(neumaier *s, double x)
{
  const double sum = s->sum + x;
  s->carry += fabs(s->sum) >= fabs(x) ? (s->sum - sum) + x : (x - sum) + s->sum;
  s->sum = sum;
}

size_t dls_energy_residual_column(const dls_energy_ledger *ledger)
{
  return DLS_ENERGY_NUMERICAL + ledger->term_count;
}

size_t dls_energy_sum_column(const dls_energy_ledger *ledger, size_t column)
{
  return dls_energy_residual_column(ledger) + 1 + column - DLS_ENERGY_EXTERNAL;
}

size_t dls_energy_momentum_column(const dls_energy_ledger *ledger)
{
  return dls_energy_residual_column(ledger) + 1 + 4 + ledger->term_count +
         (ledger->contacts ? CONTACT_COLUMNS : 0);
}

double dls_energy_numerical(const dls_energy_ledger *ledger)
{
  neumaier sum = {0, 0};
  for (size_t i = 0; i < ledger->term_count; i++) {
    add(&sum, ledger->numerical[i]);
  }
  return sum.sum + sum.carry;
}

void dls_energy_destroy(dls_energy_ledger *ledger)
{
  if (ledger != NULL) {
    dls_trajectory_destroy(ledger->rows);
    dls_trajectory_destroy(ledger->states);
    free(ledger);
  }
}

/* Kinetic and potential energy with the velocity v; E and H go into the ledger. */
static void measure(book *b, const dls_sim *sim, const double *v)
{
  dls_energy_ledger *out = b->out;
  b->kinetic = dls_measures_kinetic(b->measures, sim->q, v);
  b->potential = dls_balance_potential(sim->sys, sim->q, b->work);
  out->last = b->kinetic + b->potential;
  out->algorithmic_last = out->balance != NULL ? out->balance->algorithmic(sim, b->spec->step, b->own)
                          : b->stored != NULL  ? out->last + b->stored(sim)
                                               : out->last;
}

/* Energies are known up to rounding of their parts, which may cancel: the scale includes the parts. */
static void widen_scale(book *b)
{
  const double sizes[] = {fabs(b->out->last), b->kinetic, fabs(b->potential)};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    b->out->scale = dls_larger(b->out->scale, sizes[i]);
  }
}

static void remember(book *b, const dls_sim *sim)
{
  widen_scale(b);
  b->out->scale = dls_larger(b->out->scale, dls_larger(fabs(b->out->algorithmic_last), fabs(b->out->external)));
  memcpy(b->q, sim->q, sim->sys->n * sizeof *b->q);
  memcpy(b->v, sim->v, sim->sys->n * sizeof *b->v);
  dls_energy_contacts_keep(&b->contacts, sim);
  dls_energy_plain_keep(&b->plain, sim);
  b->t = sim->t;
}

/* @param[in] works  of the step: external, damping, impact, terms, residual */
static dls_status append_row(const book *b, const dls_sim *sim, const double *works, dls_error *err)
{
  const size_t count = 4 + b->out->term_count;
  const size_t rows = b->out->rows->rows;
  if (b->spec->totals_only) {
    return DLS_OK;
  }
  if (b->spec->max_rows > 0 && rows >= b->spec->max_rows) {
    return dls_sim_fail(sim, err, DLS_ERR_LIMIT, "the ledger has %zu rows, at most max_rows = %zu are allowed",
                        rows, b->spec->max_rows);
  }
  double *row = dls_trajectory_append(b->out->rows);
  if (row == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for row %zu of the ledger", rows);
  }
  row[DLS_ENERGY_T] = sim->t;
  row[DLS_ENERGY_KINETIC] = b->kinetic;
  row[DLS_ENERGY_POTENTIAL] = b->potential;
  row[DLS_ENERGY_MECHANICAL] = b->out->last;
  row[DLS_ENERGY_ALGORITHMIC] = b->out->algorithmic_last;
  for (size_t i = 0; i < count; i++) {
    row[DLS_ENERGY_EXTERNAL + i] = works[i];
    row[DLS_ENERGY_EXTERNAL + count + i] = b->sums[i].sum + b->sums[i].carry;
  }
  for (size_t i = 0; b->out->contacts && i < SLIDING; i++) {
    row[DLS_ENERGY_EXTERNAL + 2 * count + i] = b->contact_works[i];
    row[DLS_ENERGY_EXTERNAL + 2 * count + 3 + i] = b->contact_sums[i].sum + b->contact_sums[i].carry;
  }
  const size_t momenta = dls_energy_momentum_column(b->out),
               past = momenta + dls_energy_momentum_columns(b->out);
  memcpy(row + momenta, b->out->momentum_last, (past - momenta) * sizeof *row);
  if (b->out->apart) {
    row[past] = b->contact_works[SLIDING];
    row[past + 1] = b->contact_sums[SLIDING].sum + b->contact_sums[SLIDING].carry;
  }
  return DLS_OK;
}

/* The sim's position with velocity v, whose energies are the kinetic one given and the ledger's potential, by the time that the
 * drive given is done [J]. */
static dls_status append_state(const book *b, const dls_sim *sim, const double *v, double kinetic, double drive,
                               dls_error *err)
{
  const dls_energy_state state = {sim, v, kinetic, b->potential, b->out->external + drive};
  return b->spec->totals_only ? DLS_OK : dls_energy_states_append(b->measures, &state, b->out, err);
}

static dls_status open_book(book *b, const dls_sim *sim, dls_error *err)
{
  const double nothing[MOST_SUMS] = {0};
  dls_energy_ledger *out = b->out;
  if (out->balance != NULL) {
    out->balance->start(sim, b->own);
  }
  measure(b, sim, sim->v);
  out->start = out->last;
  out->algorithmic_start = out->algorithmic_last;
  out->gain = -HUGE_VAL;
  dls_energy_momenta_note(b->measures, b->spec->choice->scheme, sim, sim->v, true, out);
  b->plain.seen = b->record->event_count; /* impacts at t = 0 are over */
  b->open = true;
  remember(b, sim);
  const dls_status status = append_row(b, sim, nothing, err);
  return status != DLS_OK ? status : append_state(b, sim, sim->v, b->kinetic, 0, err);
}

static void take_contact_works(book *b, const dls_contact_works *works)
{
  b->contact_works[NORMAL] = works->normal;
  b->contact_works[FRICTION] = works->friction;
  b->contact_works[DRIVE] = works->drive;
  b->contact_works[SLIDING] = works->sliding;
}

/* works := the step's, and what is left over: the residual, or the plain balance's numerical term. The state is that with velocity
 * v, H was `before` and the potential `potential`. */
static void balance_row(book *b, const dls_sim *sim, const double *v, dls_balance_step *step, double *works)
{
  dls_energy_ledger *out = b->out;
  const double before = out->algorithmic_last, potential = b->potential;
  measure(b, sim, v);
  step->external +=
      out->linear ? 0 : b->potential - potential; /* -dV/dq does -(V' - V), which is not external work */
  works[0] = step->external;
  works[1] = step->damping;
  works[2] = step->impact;
  neumaier rest = {out->algorithmic_last - before, 0};
  add(&rest, -b->contact_works[SLIDING]);
  add(&rest, -b->contact_works[DRIVE]);
  for (size_t i = 0; i < out->term_count; i++) {
    works[3 + i] = step->term[i];
  }
  for (size_t i = 0; i < 3 + out->term_count; i++) {
    add(&rest, -works[i]);
  }
  works[3 + out->term_count] = rest.sum + rest.carry;
  if (out->balance == NULL) {
    works[3] = works[4];
    works[4] = 0;
  }
}

/* The identity's works, with sliding and drive taken out of them. */
static void evaluate_identity(book *b, const dls_sim *sim, dls_balance_step *step)
{
  const dls_balance *balance = b->out->balance;
  dls_contact_works works;
  balance->step(sim, b->spec->step, b->q, b->v, b->own, step);
  dls_energy_contacts_step(&b->contacts, sim, b->v, b->own, step->impact, b->out, &works);
  take_contact_works(b, &works);
  step->impact = works.impact;
  /* Of joints at rest it is rounding. */
  *(sim->sys->joint_rate != NULL ? &b->contact_works[DRIVE] : &step->external) += step->joints;
  for (size_t i = 0; i < b->out->term_count; i++) {
    const bool moves =
        balance->of_impulses != NULL && strcmp(balance->of_impulses, balance->terms[i].name) == 0;
    step->term[i] -= moves ? works.moved : 0;
  }
}

static void note_totals(book *b, const dls_sim *sim, const double *works)
{
  dls_energy_ledger *out = b->out;
  double *const totals[] = {&out->external, &out->damping, &out->impact};
  double *const of_contacts[] = {&out->normal, &out->friction, &out->drive, &out->sliding};
  double gain = works[2] + b->contact_works[SLIDING];
  for (size_t i = 0; i < 4 + out->term_count; i++) {
    add(&b->sums[i], works[i]);
  }
  for (size_t i = 0; i < 3 + out->term_count; i++) {
    *(i < 3 ? totals[i] : &out->numerical[i - 3]) = b->sums[i].sum + b->sums[i].carry;
    gain += i < 3 ? 0 : works[i];
  }
  const double residual = works[3 + out->term_count];
  if (!(fabs(residual) <= fabs(out->residual))) {
    out->residual = residual;
    out->residual_time = sim->t;
  }
  for (size_t i = 0; i < CONTACT_WORKS; i++) {
    add(&b->contact_sums[i], b->contact_works[i]);
    *of_contacts[i] = b->contact_sums[i].sum + b->contact_sums[i].carry;
  }
  b->step_gain += gain;
}

static void note_step(book *b, const dls_sim *sim)
{
  if (!(b->step_gain <= b->out->gain) && !isnan(b->out->gain)) { /* NaN stays */
    b->out->gain = b->step_gain;
    b->out->gain_time = sim->t;
  }
  b->out->steps++;
}

/* Are energies, works and sums finite? */
static bool is_finite(const book *b, const double *works)
{
  double zero = 0 * b->out->last + 0 * b->out->algorithmic_last; /* 0 * x is 0 for finite x, else NaN */
  for (size_t i = 0; i < 4 + b->out->term_count; i++) {
    zero += 0 * works[i] + 0 * (b->sums[i].sum + works[i]);
  }
  return zero == 0;
}

/* A row for the sim's state with velocity v, which the works `step` led to. */
static dls_status book_row(book *b, const dls_sim *sim, const double *v, dls_balance_step *step, dls_error *err)
{
  double works[MOST_SUMS] = {0};
  const double last = b->out->last, algorithmic_last = b->out->algorithmic_last;
  balance_row(b, sim, v, step, works);
  if (!is_finite(b, works)) { /* the ledger ends at the row before */
    b->out->last = last;
    b->out->algorithmic_last = algorithmic_last;
    return dls_sim_fail(sim, err, DLS_ERR_NONFINITE,
                        "the energy balance is not finite: kinetic %g J, potential %g J", b->kinetic,
                        b->potential);
  }
  widen_scale(b);
  note_totals(b, sim, works);
  dls_energy_momenta_note(b->measures, b->spec->choice->scheme, sim, v, false, b->out);
  return append_row(b, sim, works, err);
}

/* Of the plain balance, where a jump has a row for each of its limits. */
static dls_status book_plain(book *b, const dls_sim *sim, dls_error *err)
{
  dls_balance_step step = {0};
  dls_energy_plain *plain = &b->plain;
  dls_status status = dls_energy_plain_step(plain, sim, b->record, b->t, b->q, b->v, &step, err);
  if (status == DLS_OK && dls_energy_plain_jumps(plain, sim, b->t)) {
    take_contact_works(b, &plain->works);
    status = book_row(b, sim, sim->v_left, &step, err);
    b->kinetic_left = b->kinetic;
    step = (dls_balance_step){0};
  }
  if (status != DLS_OK) {
    return status;
  }
  b->drive_left = b->out->drive;
  status = dls_energy_plain_impulses(plain, sim, b->t, b->v, &step, err);
  if (status != DLS_OK) {
    return status;
  }
  take_contact_works(b, &plain->works);
  return book_row(b, sim, sim->v, &step, err);
}

/* Of a scheme whose identity is that of a whole step. */
static dls_status book_identity(book *b, const dls_sim *sim, dls_error *err)
{
  dls_balance_step step = {0};
  b->drive_left = b->out->drive;
  evaluate_identity(b, sim, &step);
  return book_row(b, sim, sim->v, &step, err);
}

/* States inside a long step whose path is a cubic, for pictures: energies are those of the path, what is lost between both ends is
 * linear in time. `before` is the ledger's state at the start of the step. */
static dls_status append_between(book *b, const dls_sim *sim, const dls_energy_state *before, dls_error *err)
{
  const double h = sim->t - b->t, pieces = ceil(h / (longest_piece * b->spec->end));
  const double end = (sim->jump ? b->kinetic_left : b->kinetic) + b->potential;
  const double rest = before->kinetic + before->potential - before->supplied;
  const double rest_end = end - b->out->external - (sim->jump ? b->drive_left : b->out->drive);
  dls_sim at = *sim;
  dls_status status = DLS_OK;
  if (b->out->balance != NULL || b->plain.spread || b->spec->totals_only ||
      sim->scheme->q_between != DLS_HERMITE || isnan(end)) {
    return DLS_OK;
  }
  for (double k = 1; k < pieces && status == DLS_OK; k++) {
    const double s = k / pieces;
    dls_energy_plain_at(&b->plain, sim, s, h, b->q, b->v);
    at.t = b->t + s * h;
    at.q = b->plain.q;
    const double kinetic = dls_measures_kinetic(b->measures, at.q, b->plain.w),
                 potential = dls_balance_potential(sim->sys, at.q, b->work),
                 supplied = kinetic + potential - (1 - s) * rest - s * rest_end;
    status = dls_energy_states_append(
        b->measures, &(dls_energy_state){&at, b->plain.w, kinetic, potential, supplied}, b->out, err);
  }
  return status;
}

static double smooth_works(const dls_energy_ledger *out)
{
  return out->external + out->damping + out->sliding;
}

static dls_status watch(void *data, const dls_sim *sim, dls_error *err)
{
  book *b = data;
  if (!b->open) {
    return open_book(b, sim, err);
  }
  b->step_gain = 0;
  b->kinetic_left = NAN;
  const dls_energy_state start = {sim, b->v, b->kinetic, b->potential, b->out->external + b->out->drive};
  const double before = b->out->last - smooth_works(b->out);
  dls_status status = b->out->balance != NULL ? book_identity(b, sim, err) : book_plain(b, sim, err);
  if (status != DLS_OK) {
    return status;
  }
  note_step(b, sim);
  status = append_between(b, sim, &start, err);
  if (status != DLS_OK) {
    return status;
  }
  remember(b, sim);
  if (sim->jump) { /* in pictures impulses of a whole step act at its end */
    const double kinetic =
        isnan(b->kinetic_left) ? before + smooth_works(b->out) - b->potential : b->kinetic_left;
    status = append_state(b, sim, sim->v_left, kinetic, b->drive_left, err);
  }
  return status != DLS_OK ? status : append_state(b, sim, sim->v, b->kinetic, b->out->drive, err);
}

/* Columns in the order of the enumeration, "num_" before the numerical terms, "sum_" before the sums. */
static dls_status create_rows(dls_energy_ledger *out, dls_error *err)
{
  static const char *const fixed[] = {"t",           "kinetic",  "potential", "mechanical",
                                      "algorithmic", "external", "damping",   "impact"};
  static const char *const of_contacts[] = {"normal",     "friction",     "drive",
                                            "sum_normal", "sum_friction", "sum_drive"};
  enum {
    MOST = 2 * DLS_ENERGY_NUMERICAL + 2 * DLS_BALANCE_MOST_TERMS + CONTACT_COLUMNS + 2 * DLS_MOMENTA_MOST + 2
  };
  enum { ROOM = 40 };
  char names[MOST][ROOM];
  const char *pointers[MOST];
  const size_t count = 4 + out->term_count;
  for (size_t i = 0; i < DLS_ENERGY_EXTERNAL + 2 * count; i++) {
    const bool is_sum = i >= DLS_ENERGY_EXTERNAL + count;
    const size_t column = is_sum ? i - count : i;
    const bool is_term = column >= DLS_ENERGY_NUMERICAL && column < dls_energy_residual_column(out);
    const char *name = is_term                         ? out->terms[column - DLS_ENERGY_NUMERICAL].name
                       : column < DLS_ENERGY_NUMERICAL ? fixed[column]
                                                       : "residual";
    snprintf(names[i], ROOM, "%s%s%s", is_sum ? "sum_" : "", is_term ? "num_" : "", name);
    pointers[i] = names[i];
  }
  size_t columns = DLS_ENERGY_EXTERNAL + 2 * count;
  for (size_t i = 0; out->contacts && i < CONTACT_COLUMNS; i++) {
    pointers[columns++] = of_contacts[i];
  }
  for (size_t i = 0; i < dls_energy_momentum_columns(out); i++, columns++) {
    const char *unit = NULL;
    dls_energy_momentum_name(out, i, names[columns], ROOM, &unit);
    pointers[columns] = names[columns];
  }
  if (out->apart) {
    pointers[columns++] = "sliding";
    pointers[columns++] = "sum_sliding";
  }
  out->rows = dls_trajectory_create_table(columns, pointers);
  return out->rows != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for the energy ledger");
}

/* What the columns are, as metadata; scheme and options come from the run's own record. */
static dls_status note_formulas(const dls_energy_ledger *out, const dls_trajectory *record, dls_error *err)
{
  const dls_balance *balance = out->balance;
  const char *const plain = out->steady      ? dls_energy_steady_formula
                            : out->linear    ? "load along the path between nodes"
                            : out->potential ? "smooth forces along the path between nodes, but for -dV/dq"
                                             : "all smooth forces along the path between nodes; no potential";
  const char *const notes[][2] = {
      {"balance", balance != NULL ? balance->source : "no identity known: plain balance"},
      {"mechanical", dls_energy_mechanical_formula(out)},
      {"algorithmic", dls_energy_formula(out)},
      {"symbols", balance != NULL ? balance->symbols : NULL},
      {"external", balance != NULL && !out->steady ? balance->external : plain},
      {"damping", balance != NULL ? balance->damping : "-w^T C w along the path between nodes"},
      {"impact", dls_energy_impact_formula(out)},
      {"sliding", out->apart ? dls_energy_sliding_formula : NULL},
      {"drive", out->apart ? dls_energy_drive_formula : NULL}};
  dls_status status = DLS_OK;
  for (size_t i = 0; i < record->meta_count && status == DLS_OK; i++) {
    const char *colon = strstr(record->meta[i], ": ");
    char key[40] = "";
    snprintf(key, sizeof key, "%.*s", (int)(colon - record->meta[i]), record->meta[i]);
    status = dls_trajectory_note(out->rows, err, key, "%s", colon + 2);
  }
  for (size_t i = 0; i < sizeof notes / sizeof notes[0] && status == DLS_OK; i++) {
    status = notes[i][1] == NULL ? DLS_OK : dls_trajectory_note(out->rows, err, notes[i][0], "%s", notes[i][1]);
  }
  for (size_t i = 0; i < out->term_count && status == DLS_OK; i++) {
    char key[40];
    snprintf(key, sizeof key, "num_%s", out->terms[i].name);
    status = dls_trajectory_note(out->rows, err, key, "%s", out->terms[i].formula);
  }
  return status;
}

/* Does the identity hold for this nonlinear system? */
static bool holds(const dls_balance *balance, const dls_sim *sim)
{
  return balance->nonlinear && dls_system_has_energy(sim->sys) && !dls_system_mass_varies(sim->sys) &&
         (balance->holds == NULL || balance->holds(sim));
}

static dls_status create(const dls_energy_spec *spec, const dls_sim *sim, dls_energy_ledger **out,
                         dls_error *err)
{
  dls_energy_ledger *ledger = *out = calloc(1, sizeof *ledger);
  if (ledger == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the energy ledger");
  }
  ledger->linear = spec->sys->linear;
  ledger->steady = dls_system_has_steady_load(spec->sys);
  ledger->potential = dls_system_has_energy(spec->sys);
  ledger->balance = dls_balance_of(sim);
  if (ledger->balance != NULL && !ledger->linear && !holds(ledger->balance, sim)) {
    ledger->balance = NULL;
  }
  ledger->yields = ledger->balance == NULL && spec->choice->scheme->balance != NULL &&
                   spec->choice->scheme->balance->stored != NULL;
  ledger->terms = ledger->balance != NULL ? ledger->balance->terms
                  : ledger->yields        ? yielding_terms
                                          : plain_terms;
  while (ledger->terms[ledger->term_count].name != NULL) {
    ledger->term_count++;
  }
  ledger->apart = dls_energy_contacts_apart(spec->sys) || spec->sys->joint_rate != NULL;
  ledger->contacts = spec->sys->joint_rate != NULL || (dls_energy_contacts_known(spec->sys, ledger->balance) &&
                                                       (ledger->apart || !ledger->yields));
  dls_energy_momenta_plan(spec->sys, spec->choice->scheme, sim, ledger);
  const dls_status status = dls_energy_states_create(ledger, err);
  return status != DLS_OK ? status : create_rows(ledger, err);
}

static dls_status prepare(book *b, size_t n, dls_error *err)
{
  const size_t vectors = b->out->balance == NULL ? 0 : b->out->balance->vectors;
  b->stored = b->out->yields ? b->spec->choice->scheme->balance->stored : NULL;
  b->block = dls_arrays((const dls_slot[]){{n, {&b->q, &b->v, &b->work}}, {vectors * n, {&b->own}}, {0}});
  if (b->block == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the energies of %zu degrees of freedom", n);
  }
  if (!dls_energy_contacts_create(b->spec->sys, b->out->balance, &b->contacts)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the energies of %zu contacts", b->spec->sys->m);
  }
  dls_status status = dls_measures_create(b->spec->sys, &b->measures, err);
  status = status != DLS_OK ? status : dls_energy_plain_create(b->spec->sys, b->measures, &b->plain, err);
  b->plain.yields = b->out->yields;
  b->plain.contacts = &b->contacts;
  return status;
}

/* The warnings of the run are those of its ledger. */
static dls_status keep_warnings(const book *b, dls_error *err)
{
  dls_status status = DLS_OK;
  const char *warning = NULL;
  for (size_t i = 0; status == DLS_OK && (warning = dls_trajectory_warning(b->record, i)) != NULL; i++) {
    status = dls_trajectory_note(b->out->rows, err, "warning", "%s", warning);
  }
  return status;
}

static dls_status run(book *b, dls_sim *sim, dls_error *err)
{
  const dls_energy_spec *spec = b->spec;
  b->record = dls_sim_trajectory(sim, err);
  if (b->record == NULL) {
    return DLS_ERR_MEMORY;
  }
  b->record->skip_nodes = true;
  dls_status status = note_formulas(b->out, b->record, err);
  if (status == DLS_OK) {
    status = dls_run(sim,
                     &(dls_run_spec){.step = spec->step,
                                     .end = spec->end,
                                     .start = spec->start,
                                     .record = b->record,
                                     .recording = {.max_rows = spec->max_rows},
                                     .poll = spec->poll,
                                     .poll_data = spec->poll_data,
                                     .watch = watch,
                                     .watch_data = b},
                     err);
  }
  b->out->rows->work = sim->work;
  b->out->warnings = dls_sim_warning_count(sim);
  b->out->explained = dls_sim_warning_explained(sim);
  const dls_status kept = keep_warnings(b, status == DLS_OK ? err : NULL);
  status = status != DLS_OK ? status : kept;
  b->out->rows->complete = b->out->states->complete = status == DLS_OK;
  snprintf(b->out->rows->failure, sizeof b->out->rows->failure, "%s",
           kept == DLS_OK ? b->record->failure : "no memory for its warnings");
  return status;
}

static dls_status check(const dls_energy_spec *spec, dls_error *err)
{
  if (spec->sys == NULL || spec->choice == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "an energy ledger needs a system and a scheme, there is no %s",
                    spec->sys == NULL ? "system" : "scheme");
  }
  return DLS_OK;
}

static dls_status make(book *b, dls_sim **sim, dls_error *err)
{
  const dls_energy_spec *spec = b->spec;
  dls_status status = check(spec, err);
  if (status != DLS_OK || (status = dls_scheme_choice_sim(spec->choice, spec->sys, sim, err)) != DLS_OK) {
    return status;
  }
  status = create(spec, *sim, &b->out, err);
  if (status != DLS_OK || (status = prepare(b, spec->sys->n, err)) != DLS_OK) {
    return status;
  }
  return run(b, *sim, err);
}

dls_status dls_energy_run(const dls_energy_spec *spec, dls_energy_ledger **out, dls_error *err)
{
  book b = {.spec = spec};
  dls_sim *sim = NULL;
  *out = NULL;
  const dls_status status = make(&b, &sim, err);
  dls_energy_plain_release(&b.plain);
  dls_energy_contacts_release(&b.contacts);
  dls_measures_destroy(b.measures);
  dls_trajectory_destroy(b.record);
  free(b.block);
  dls_sim_destroy(sim);
  if (b.open) {
    *out = b.out;
  } else {
    dls_energy_destroy(b.out);
  }
  return status;
}
