/* csv_write.c -- trajectories as text: metadata lines, a header, rows.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/decimal.h"
#include "common/base/text.h"
#include "common/run/csv.h"
#include "common/run/event_totals.h"
#include <errno.h>
#include <string.h>

enum { ROWS_SIZE = 1 << 14 }; /* characters of rows per call of the stream */

const char *const dls_meaning_names[DLS_MEANINGS] = {
    [DLS_LINEAR] = "linear", [DLS_CONSTANT] = "constant", [DLS_HERMITE] = "hermite", [DLS_CUBIC] = "cubic"};

void dls_csv_write_name(const char *name, FILE *out)
{
  if (strpbrk(name, " \t\r,=\"") == NULL) {
    fputs(name, out);
    return;
  }
  fputc('"', out);
  for (; *name != '\0'; name++) {
    fputs(*name == '"' ? "\"" : "", out);
    fputc(*name, out);
  }
  fputc('"', out);
}

/* "# interpolation: q0=hermite v0=linear ..." */
static void write_interpolation(const dls_trajectory *traj, FILE *out)
{
  fputs("# interpolation:", out);
  for (size_t i = 1; i < traj->columns; i++) {
    fputc(' ', out);
    dls_csv_write_name(traj->names[i], out);
    fprintf(out, "=%s", dls_meaning_names[traj->meaning[i]]);
  }
  fputs("\n", out);
}

/* "# text", kept on one line. */
static void write_comment(const char *key, const char *text, FILE *out)
{
  fprintf(out, "# %s", key);
  dls_text_put_on_one_line(out, text);
  fputs("\n", out);
}

/* The key and the shortest number that reads back as x. */
static void write_number(const char *key, double x, FILE *out)
{
  char text[DLS_DECIMAL_SIZE];
  dls_decimal_write(x, text);
  fputs(key, out);
  fputs(text, out);
}

static void write_tangential(const char *key, const double *x, size_t d, FILE *out)
{
  for (size_t i = 1; i < d; i++) {
    write_number(i == 1 ? key : ",", x[i - 1], out);
  }
}

/* Of contacts with tangents. */
static void write_friction(const dls_event *event, size_t d, FILE *out)
{
  if (event->impulse != 0 && event->tangential) {
    write_tangential(" slip_minus=", event->slip_minus, d, out);
    write_tangential(" slip_plus=", event->slip_plus, d, out);
    write_tangential(" friction=", event->friction, d, out);
    write_number(" work_normal=", event->work_normal, out);
    write_number(" work_friction=", event->work_friction, out);
  }
  if (event->solutions > 0) {
    fprintf(out, " n_solutions=%zu", event->solutions);
  }
}

/* "0+2"; "+..." after the last one stored; pairs of orders without a common result: "1/2". */
static void write_merged(const dls_event *event, FILE *out)
{
  const size_t kept = event->merged_count < DLS_MERGED_MOST ? event->merged_count : DLS_MERGED_MOST;
  for (size_t i = 0; i < kept; i++) {
    fprintf(out, "%s%zu", i == 0 ? " merged=" : "+", event->merged[i]);
  }
  fputs(event->merged_count > kept ? "+..." : "", out);
  if (event->merged_unsolved > 0) {
    fprintf(out, " merged_unsolved=%zu/%zu", event->merged_unsolved, event->merged_orders);
  }
}

/* note: more keys; "": none */
static void write_event(const dls_event *event, size_t d, const char *note, FILE *out)
{
  write_number("# event: t=", event->t, out);
  fprintf(out, " kind=%s contact=%zu", dls_event_kind_name(event->kind), event->contact);
  write_number(" u_minus=", event->u_minus, out);
  write_number(" u_plus=", event->u_plus, out);
  write_number(" impulse=", event->impulse, out);
  if (event->kind == DLS_ACCUMULATION) {
    write_number(" time_end=", event->time_end, out);
    fprintf(out, " bound=%.3g", event->bound);
  }
  if (event->kind == DLS_ACCUMULATION && event->members > 0) {
    fprintf(out, " members=%zu impacts=%zu", event->members, event->impacts);
    write_number(" duration=", event->duration, out);
    fprintf(out, " bound_velocity=%.3g bound_time=%.3g", event->bound_velocity, event->bound_time);
  }
  if (d > 1) {
    write_friction(event, d, out);
  }
  if (event->root_missed) {
    fputs(" root_missed=1", out);
  }
  write_merged(event, out);
  fputs(note, out);
  fputs("\n", out);
}

void dls_csv_write_beginning(const dls_trajectory *traj, FILE *out)
{
  fprintf(out, "# delassus: %s\n", DLS_VERSION);
  for (size_t i = 0; i < traj->meta_count; i++) {
    write_comment("", traj->meta[i], out);
  }
  write_interpolation(traj, out);
}

void dls_csv_write_events(const dls_trajectory *traj, size_t count, FILE *out)
{
  const locale_t before = dls_text_begin_c_locale();
  const size_t noted = traj->totals != NULL ? traj->totals->note_count : 0;
  for (size_t i = 0; i < count; i++) {
    write_event(&traj->events[i], traj->d, i < noted ? traj->totals->notes[i] : "", out);
  }
  dls_text_end_c_locale(before);
}

void dls_csv_write_header(const dls_trajectory *traj, FILE *out)
{
  fprintf(out, "# complete: %s\n", traj->complete ? "yes" : "no");
  if (!traj->complete) {
    write_comment("failure: ", traj->failure, out);
  }
  dls_csv_write_names(traj, out);
}

void dls_csv_write_names(const dls_trajectory *traj, FILE *out)
{
  for (size_t j = 0; j < traj->columns; j++) {
    fputs(j > 0 ? "," : "", out);
    dls_csv_write_name(traj->names[j], out);
  }
  fputs("\n", out);
}

/* Numbers are collected, so that the stream is called once for many. @return false: stopped by poll */
static bool write_rows(const dls_trajectory *traj, FILE *out, bool (*poll)(void))
{
  char text[ROWS_SIZE];
  size_t used = 0;
  bool more = true;
  for (size_t i = 0; i < traj->rows && more; i++) {
    for (size_t j = 0; j < traj->columns; j++) {
      used += dls_decimal_write(dls_trajectory_at(traj, i, j), text + used);
      text[used++] = j + 1 < traj->columns ? ',' : '\n';
      if (used + DLS_DECIMAL_SIZE > sizeof text) {
        fwrite(text, 1, used, out);
        used = 0;
        more = poll == NULL || poll();
      }
    }
  }
  fwrite(text, 1, used, out);
  return more;
}

void dls_csv_write_rows(const dls_trajectory *traj, FILE *out)
{
  write_rows(traj, out, NULL);
}

dls_status dls_csv_finish(FILE *out, dls_error *err)
{
  if (fflush(out) != 0 || ferror(out)) {
    return dls_fail(err, DLS_ERR_IO, "writing the trajectory failed: %s", strerror(errno));
  }
  return DLS_OK;
}

dls_status dls_csv_write(const dls_trajectory *traj, FILE *out, bool (*poll)(void), dls_error *err)
{
  dls_csv_write_beginning(traj, out);
  dls_csv_write_events(traj, traj->event_count, out);
  dls_csv_write_header(traj, out);
  return write_rows(traj, out, poll) ? dls_csv_finish(out, err)
                                     : dls_fail(err, DLS_ERR_INTERRUPTED, "interrupted");
}

dls_status dls_trajectory_write(const dls_trajectory *traj, FILE *out, dls_error *err)
{
  return dls_csv_write(traj, out, NULL, err);
}
