/* experiments/cli/study_verdict.c -- what came out of a study, against what was expected: table, CSV, Markdown.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/provenance.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/study_run.h"
#include "experiments/measures/order/local.h"
#include "experiments/measures/order/study_tables.h"
#include "experiments/show/markdown.h"

#include "common/base/text.h"
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = DLS_CLI_VERDICT_COLUMNS, MOST_PICTURES = 256 };

bool dls_cli_study_interrupted(const dls_cli_study_job *job)
{
  bool complete = true;
  for (size_t i = 0; i < job->file->study_count && job->made != NULL; i++) {
    complete = complete && job->made[i];
  }
  return !complete && (dls_cli_signal() != 0 || job->pool->failed || job->out_of_memory ||
                       dls_cli_out_of_memory() > job->starts_at);
}

dls_cli_study_score dls_cli_study_score_one(const dls_cli_study_job *job, size_t i)
{
  dls_cli_study_score score = {0};
  for (size_t j = 0; j < job->file->studies[i].expectation_count; j++) {
    const dls_study_claim claim = job->file->studies[i].expectations[j].claim;
    const bool met = job->verdicts[i][j].agrees;
    score.expected++;
    score.met += met;
    score.source += claim != DLS_CLAIM_OURS;
    score.source_agrees += met && claim == DLS_CLAIM_SOURCE_AGREES;
    score.own += claim != DLS_CLAIM_SOURCE_AGREES;
    score.own_met += met && claim != DLS_CLAIM_SOURCE_AGREES;
  }
  return score;
}

dls_cli_study_score dls_cli_study_score_of(const dls_cli_study_job *job)
{
  dls_cli_study_score sum = {0};
  for (size_t i = 0; i < job->file->study_count; i++) {
    const dls_cli_study_score one = dls_cli_study_score_one(job, i);
    sum.expected += one.expected;
    sum.met += one.met;
    sum.source += one.source;
    sum.source_agrees += one.source_agrees;
    sum.own += one.own;
    sum.own_met += one.own_met;
  }
  return sum;
}

void dls_cli_study_score_text(dls_cli_study_score score, char *text, size_t size)
{
  snprintf(text, size, "%s", score.expected == 0 ? "nothing is expected" : "");
  if (score.source > 0) {
    dls_text_append(text, size, "agrees with the source %zu of %zu%s", score.source_agrees, score.source,
                    score.own > 0 ? "; " : "");
  }
  if (score.own > 0) {
    dls_text_append(text, size, "reproduces our own values %zu of %zu", score.own_met, score.own);
  }
}

/* Origin of the interval, for tables. */
static const char *claim_text(dls_study_claim claim)
{
  static const char *const texts[] = {
      [DLS_CLAIM_OURS] = "ours", [DLS_CLAIM_SOURCE_AGREES] = "source", [DLS_CLAIM_SOURCE_DIFFERS] = "differs"};
  return texts[claim];
}

static const char *or_not_run(bool made, const dls_study_verdict *verdict)
{
  return !made ? "did not run" : verdict->why;
}

void dls_cli_study_fill_row(const dls_cli_study_job *job, size_t i, size_t j, dls_cli_study_row *out)
{
  const dls_study *study = &job->file->studies[i];
  const dls_study_expectation *e = &study->expectations[j];
  const dls_study_verdict *verdict = &job->verdicts[i][j];
  dls_study_describe(study, e, out->what, sizeof out->what);
  if (verdict->why[0] != '\0' || !job->made[i]) {
    snprintf(out->value, sizeof out->value, "none: %.110s", or_not_run(job->made[i], verdict));
  } else {
    snprintf(out->value, sizeof out->value, "%.6g", verdict->value);
  }
  if (isinf(e->low)) {
    snprintf(out->interval, sizeof out->interval, "<= %.10g", e->high);
  } else if (isinf(e->high)) {
    snprintf(out->interval, sizeof out->interval, ">= %.10g", e->low);
  } else {
    snprintf(out->interval, sizeof out->interval, "[%.10g, %.10g]", e->low, e->high);
  }
  const char *const cells[COLUMNS] = {verdict->agrees ? "yes" : "no", out->value, out->interval,
                                      claim_text(e->claim), out->what};
  memcpy(out->cells, cells, sizeof cells);
}

static dls_status print_table(const dls_cli_study_job *job, size_t i, FILE *out, dls_error *err)
{
  static const char *const headers[COLUMNS] = {"met", "value", "expected", "claim", "quantity"};
  const dls_study *study = &job->file->studies[i];
  char heading[200];
  dls_cli_rows rows = {.columns = COLUMNS, .headers = headers};
  for (size_t j = 0; j < study->expectation_count; j++) {
    const char *reported = study->expectations[j].reported;
    dls_cli_study_row row;
    dls_cli_study_fill_row(job, i, j, &row);
    if (reported[0] != '\0') {
      dls_text_append(row.what, sizeof row.what, " (source: %s)", reported);
    }
    for (int k = 0; k < COLUMNS; k++) {
      dls_cli_cell(&rows, "%s", row.cells[k]);
    }
  }
  snprintf(heading, sizeof heading, "verdict%s%.100s\n", study->name[0] != '\0' ? " of " : "", study->name);
  return dls_cli_rows_print(&rows, heading, out, err);
}

dls_status dls_cli_study_print_verdict(const dls_cli_study_job *job, FILE *out, dls_error *err)
{
  dls_status status = DLS_OK;
  char score[DLS_CLI_SCORE_TEXT];
  for (size_t i = 0; i < job->file->study_count && status == DLS_OK; i++) {
    const dls_study *study = &job->file->studies[i];
    if (study->expectation_count > 0) {
      status = print_table(job, i, out, err);
      fputc('\n', out);
    }
  }
  if (job->file->caption[0] != '\0') {
    dls_cli_wrap(out, job->file->caption, 0, 0);
    fputc('\n', out);
  }
  for (size_t i = 0; i < job->file->study_count; i++) {
    if (job->missing[i][0] != '\0') {
      fprintf(out, "pictures that could not be drawn%s%s: %s\n",
              job->file->studies[i].name[0] != '\0' ? ", " : "", job->file->studies[i].name, job->missing[i]);
    }
  }
  dls_cli_study_score_text(dls_cli_study_score_of(job), score, sizeof score);
  fprintf(out, "results are in %s\n%s: %s\n", job->folder, job->name, score);
  return status;
}

static void write_bound(FILE *out, double bound)
{
  fputc(',', out);
  if (isfinite(bound)) {
    fprintf(out, "%.17g", bound);
  }
}

void dls_cli_study_write_verdict(const dls_cli_study_job *job, FILE *out)
{
  fputs("study,part,quantity,scheme,norm,of,number,value,low,high,agrees,why,at,curve,place,impulse,source\n",
        out);
  for (size_t i = 0; i < job->file->study_count; i++) {
    const dls_study *study = &job->file->studies[i];
    for (size_t j = 0; j < study->expectation_count; j++) {
      const dls_study_expectation *e = &study->expectations[j];
      const dls_study_verdict *verdict = &job->verdicts[i][j];
      fprintf(out, "%s,%s,%s,", job->name, study->name, e->quantity);
      dls_table_field(out, study->schemes[e->scheme]);
      fprintf(out, ",%s,%s,", e->norm != NULL ? e->norm : "", e->of != NULL ? e->of : "");
      if (e->number > 0) {
        fprintf(out, "%zu", e->number);
      }
      if (isnan(verdict->value) || !job->made[i]) {
        fputs(",nan", out);
      } else {
        fprintf(out, ",%.17g", verdict->value);
      }
      write_bound(out, e->low);
      write_bound(out, e->high);
      fprintf(out, ",%s,", verdict->agrees ? "yes" : "no");
      dls_table_field(out, or_not_run(job->made[i], verdict));
      write_bound(out, e->at);
      write_bound(out, e->curve);
      const bool local = study->kind == DLS_STUDY_LOCAL;
      fprintf(out, ",%s,%s,%s\n", local ? dls_local_place_names[e->place] : "",
              !local       ? ""
              : e->impulse ? "yes"
                           : "no",
              dls_study_claim_name(e->claim));
    }
  }
  dls_provenance_stamp(job->catalogue, out);
}

static int by_name(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

void dls_cli_study_write_caption(const char *text, FILE *out)
{
  for (; *text != '\0'; text++) {
    fputs(*text == '<' ? "\\<" : (const char[]){*text, '\0'}, out);
  }
  fputc('\n', out);
}

/* A line of its own. */
static void put_line(FILE *out, const char *lead, const char *text)
{
  fputs(lead, out);
  dls_markdown_escape(out, text);
  fputs("\n\n", out);
}

/* The pictures of a study, whatever its command calls them. @return DLS_ERR_IO if its folder cannot be read to its end */
static dls_status find_pictures(const dls_cli_study_job *job, const dls_study *study, const char **names,
                                size_t *found, dls_error *err)
{
  const char *place = dls_cli_study_place(job, study);
  size_t count = 0;
  const struct dirent *entry = NULL;
  errno = 0;
  DIR *folder = place != NULL ? opendir(place) : NULL;
  while (folder != NULL && count < MOST_PICTURES && (errno = 0, entry = readdir(folder)) != NULL) {
    const char *ending = strrchr(entry->d_name, '.');
    if (ending != NULL && ending != entry->d_name &&
        strcmp(ending + 1, dls_cli_study_pictures(job, study)) == 0) {
      names[count] = dls_pool_copy(job->pool, entry->d_name, strlen(entry->d_name));
      count += names[count] != NULL;
    }
  }
  const int reason = job->pool->failed                  ? ENOMEM
                     : entry != NULL || errno == ENOENT ? 0
                                                        : errno; /* a study that did not run has no folder */
  if (folder != NULL) {
    closedir(folder);
  }
  qsort(names, count, sizeof *names, by_name);
  *found = count;
  return reason == 0 ? DLS_OK
                     : dls_fail(err, DLS_ERR_IO, "cannot read folder '%.200s': %s", place != NULL ? place : "",
                                strerror(reason));
}

/* Is a name in "a.svg, b.svg"? */
static bool is_listed(const char *list, const char *name)
{
  const size_t length = strlen(name);
  for (const char *at = strstr(list, name); at != NULL; at = strstr(at + 1, name)) {
    if ((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0')) {
      return true;
    }
  }
  return false;
}

/* @param[in] missing  names; what an earlier run left there does not belong to these results */
static dls_status write_pictures(const dls_cli_study_job *job, const dls_study *study, const char *prefix,
                                 const char *missing, FILE *out, dls_error *err)
{
  const char *names[MOST_PICTURES];
  size_t count = 0;
  const dls_status status = find_pictures(job, study, names, &count, err);
  const char *format = dls_cli_study_pictures(job, study);
  const bool shown =
      strcmp(format, "pdf") != 0 && strcmp(format, "tex") != 0; /* a page shows no such: a link */
  for (size_t i = 0; i < count; i++) {
    if (!is_listed(missing, names[i])) {
      fprintf(out, "%s[%s](%s%s%s%s)\n\n", shown ? "!" : "", names[i], prefix, study->name,
              study->name[0] != '\0' ? "/" : "", names[i]);
    }
  }
  if (missing[0] != '\0') {
    put_line(out, "Pictures that could not be drawn: ", missing);
  }
  return status;
}

void dls_cli_study_write_rows(const dls_cli_study_job *job, size_t i, FILE *out)
{
  const size_t count = job->file->studies[i].expectation_count;
  if (count > 0) {
    fputs("| quantity | value | expected | met | claim | the source says |\n| --- | --- | --- | --- | --- | "
          "--- |\n",
          out);
  }
  for (size_t j = 0; j < count; j++) {
    dls_cli_study_row r;
    dls_cli_study_fill_row(job, i, j, &r);
    const char *const cells[] = {r.what,     r.value,    r.interval,
                                 r.cells[0], r.cells[3], job->file->studies[i].expectations[j].reported};
    for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++) {
      fputs(k == 0 ? "| " : " | ", out);
      dls_markdown_escape(out, cells[k]);
    }
    fputs(" |\n", out);
  }
  if (count > 0) {
    fputc('\n', out);
  }
}

dls_status dls_cli_study_write_report(const dls_cli_study_job *job, const char *prefix, FILE *out,
                                      dls_error *err)
{
  char score[DLS_CLI_SCORE_TEXT];
  dls_cli_study_score_text(dls_cli_study_score_of(job), score, sizeof score);
  put_line(out, "# ", job->file->title);
  if (job->file->source[0] != '\0') {
    put_line(out, "Source: ", job->file->source);
  }
  if (job->file->caption[0] != '\0') {
    dls_cli_study_write_caption(job->file->caption, out);
  }
  dls_markdown_escape(out, job->name);
  fprintf(out, ", delassus %s: %s.\n\n", DLS_VERSION, score);
  dls_status status = DLS_OK;
  for (size_t i = 0; i < job->file->study_count && status == DLS_OK; i++) {
    const dls_study *study = &job->file->studies[i];
    if (study->name[0] != '\0') {
      put_line(out, "## ", study->title);
    }
    if (study->name[0] != '\0' && strcmp(study->caption, job->file->caption) != 0) {
      dls_cli_study_write_caption(study->caption, out);
    }
    status = write_pictures(job, study, prefix, job->missing[i], out, err);
    dls_cli_study_write_rows(job, i, out);
    status = status != DLS_OK ? status : dls_cli_study_print_command(job, study, "    ", out, err);
    fputc('\n', out);
  }
  return status;
}
