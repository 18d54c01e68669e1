/* experiments/cli/study_page.c -- the page of `study --report`.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/study_page.h"
#include "experiments/show/report_study.h"

dls_status dls_cli_study_page_begin(const dls_cli_args *args, const char *title, dls_report **page,
                                    dls_error *err)
{
  *page = NULL;
  return dls_cli_value(args, "report") != NULL ? dls_report_begin(title, page, err) : DLS_OK;
}

static const char *title_of(const dls_cli_study_job *job, size_t i)
{
  const dls_study *study = &job->file->studies[i];
  return study->name[0] != '\0' ? study->title : job->file->title;
}

void dls_cli_study_page_open(const dls_cli_study_job *job, size_t i)
{
  const dls_study *study = &job->file->studies[i];
  if (job->page == NULL) {
    return;
  }
  if (job->is_part || job->file->study_count > 1) {
    dls_report_part(job->page, title_of(job, i));
  }
  if (study->caption[0] != '\0') {
    dls_cli_study_write_caption(study->caption, dls_report_markdown(job->page));
    fputs("\n", dls_report_markdown(job->page)); /* the caption may lack the end of its last line */
  }
  if (study->source[0] != '\0') {
    dls_report_entry(job->page, "source", "%s", study->source);
  }
  dls_report_entry(job->page, "study", "%s%s%s", job->name, study->name[0] != '\0' ? "/" : "", study->name);
}

void dls_cli_study_page_close(const dls_cli_study_job *job, size_t i)
{
  const dls_study *study = &job->file->studies[i];
  char score_text[DLS_CLI_SCORE_TEXT], text[DLS_CLI_SCORE_TEXT + 40];
  if (job->page == NULL || study->expectation_count == 0 || dls_cli_study_interrupted(job)) {
    return;
  }
  const dls_cli_study_score score = dls_cli_study_score_one(job, i);
  dls_report_section(job->page, "Verdict");
  dls_cli_study_write_rows(job, i, dls_report_markdown(job->page));
  dls_cli_study_score_text(score, score_text, sizeof score_text);
  snprintf(text, sizeof text, "This study %s.", score_text);
  dls_report_verdict(job->page, score.met == score.expected, text);
}

dls_status dls_cli_study_page_end(const dls_cli_args *args, dls_report *page, dls_error *err)
{
  if (page == NULL) {
    return DLS_OK;
  }
  if (dls_report_has_parts(page)) {
    dls_report_part(page, "How this page was made");
  }
  dls_report_provenance(page, args->catalogue, "stands with each study");
  return dls_report_finish(page, dls_cli_value(args, "report"), err);
}
