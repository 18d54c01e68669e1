/* experiments/cli/explain.c -- `delassus explain`: the story of a run, each sentence with its evidence.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/command_line.h"
#include "experiments/cli/foreign_tables.h"
#include "experiments/extra/foreign/file_metadata.h"
#include "experiments/measures/story/story.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FACTS = 8 };
typedef enum fact { MODEL, PARAMETERS, FILES, LAW, SCHEME, CHOICE, STEP, RECORDED } fact;
static const char *const fact_keys[FACTS] = {"model",  "parameters", "files", "law",
                                             "scheme", "choice",     "step",  "recorded"};

/* Of the run and of what explains it. */
typedef struct reading {
  dls_pool pool;
  const char *facts[FACTS]; /* lines "# key: value" of the file; NULL: not there */
  dls_trajectory *traj;
  dls_model_choice choice;
  dls_system *sys;
  const dls_scheme *scheme;
  dls_error *err;
} reading;

/* --- the metadata of the file --- */

/* "t=1 kind=impact contact=0 u_minus=-2 u_plus=1 ...": what the story uses of an event; others have another story. */
static dls_status add_event(dls_trajectory *traj, char *text, dls_error *err)
{
  dls_event event = {.t = NAN};
  bool known = false;
  for (char *rest = text, *word = strtok_r(rest, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
    char *value = strchr(word, '=');
    if (value == NULL) {
      continue;
    }
    *value++ = '\0';
    if (strcmp(word, "t") == 0) {
      event.t = strtod(value, NULL);
    } else if (strcmp(word, "kind") == 0) {
      for (dls_event_kind kind = DLS_IMPACT; kind <= DLS_PAINLEVE && !known; kind++) {
        known = strcmp(value, dls_event_kind_name(kind)) == 0;
        event.kind = kind;
      }
    } else if (strcmp(word, "contact") == 0) {
      event.contact = strtoul(value, NULL, 10);
    } else if (strcmp(word, "u_minus") == 0) {
      event.u_minus = strtod(value, NULL);
    } else if (strcmp(word, "u_plus") == 0) {
      event.u_plus = strtod(value, NULL);
    } else {
      event.root_missed = event.root_missed || strcmp(word, "root_missed") == 0;
      event.merged_count += strcmp(word, "merged") == 0;
    }
  }
  return known && isfinite(event.t) ? dls_trajectory_add_event(traj, &event, err) : DLS_OK;
}

static bool take(void *data, const char *key, const char *value)
{
  reading *r = data;
  char *text = dls_pool_copy(&r->pool, value, strlen(value));
  for (int i = 0; i < FACTS; i++) {
    if (strcmp(key, fact_keys[i]) == 0 && r->facts[i] == NULL) {
      r->facts[i] = text;
    }
  }
  dls_status status = text != NULL ? DLS_OK : dls_fail(r->err, DLS_ERR_MEMORY, "no memory for the metadata");
  if (status == DLS_OK && strcmp(key, "event") == 0) {
    status = add_event(r->traj, text, r->err);
  } else if (status == DLS_OK && strcmp(key, "complete") == 0) {
    r->traj->complete = strcmp(value, "no") != 0;
  } else if (status == DLS_OK && strcmp(key, "failure") == 0) {
    snprintf(r->traj->failure, sizeof r->traj->failure, "%s", value);
  }
  return status == DLS_OK;
}

/* --- the model --- */

/* "m=1,f=-2" and "M=M.mtx K=K.mtx" as settings, and the law. */
static dls_status choose_of_file(const dls_cli_args *args, const dls_model *model, reading *r, dls_error *err)
{
  const char *law = r->facts[LAW];
  const char *lines[] = {r->facts[PARAMETERS], r->facts[FILES]};
  static const char *const separators[] = {",", " "};
  size_t count = 0, room = 0;
  for (int i = 0; i < 2; i++) {
    room += lines[i] != NULL ? strlen(lines[i]) : 0;
  }
  const char **settings = dls_pool_take(&r->pool, (room + 1) * sizeof *settings);
  for (int i = 0; i < 2 && settings != NULL; i++) {
    char *rest = lines[i] != NULL ? dls_pool_copy(&r->pool, lines[i], strlen(lines[i])) : NULL;
    for (char *word = rest != NULL ? strtok_r(rest, separators[i], &rest) : NULL; word != NULL;
         word = strtok_r(NULL, separators[i], &rest)) {
      settings[count++] = word;
    }
  }
  if (r->pool.failed) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the parameters of %s", model->name);
  }
  dls_status status = dls_model_choose("the file's parameters of", model, count, settings, &r->choice, err);
  if (status == DLS_OK && law != NULL) {
    status = dls_catalogue_choose_law(args->catalogue, "the file's line '# law': ", law, &r->choice, err);
  }
  return status;
}

static dls_status find_model(const dls_cli_args *args, reading *r, dls_error *err)
{
  const bool given = args->positional_count > 1;
  const char *name = given ? args->positional[1] : r->facts[MODEL];
  if (name == NULL) {
    return dls_fail(err, DLS_ERR_ARG,
                    "%.150s does not name its model: add MODEL, e.g. delassus explain %.60s bouncing-ball",
                    args->positional[0], args->positional[0]);
  }
  if (!given && dls_cli_count(args, "set") > 0) {
    return dls_fail(err, DLS_ERR_OPTION, "--set goes with MODEL: the file has its own parameters");
  }
  const dls_model *model = dls_catalogue_model(args->catalogue, name, err);
  dls_status status = model == NULL ? err->status
                      : given       ? dls_cli_model(args, model, &r->choice, err)
                                    : choose_of_file(args, model, r, err);
  return status != DLS_OK ? status : dls_model_create(r->choice.model, r->choice.parameters, &r->sys, err);
}

/* --- what is printed --- */

static void print_statement(const dls_statement *s, bool contact, FILE *out)
{
  enum { TIME = 14 };
  char head[60] = "", line[40] = "";
  if (!isnan(s->t)) {
    snprintf(line, sizeof line, "%.6g s", s->t);
  }
  if (contact && s->has_contact) {
    snprintf(head, sizeof head, "Contact %zu: ", s->contact);
  }
  const size_t length = strlen(head) + strlen(s->text) + 1;
  char *text = malloc(length);
  fprintf(out, "  %-*s ", TIME - 3, line);
  if (text != NULL) {
    snprintf(text, length, "%s%s", head, s->text);
  }
  dls_cli_wrap(out, text != NULL ? text : s->text, TIME, TIME);
  free(text);
  const char *const parts[] = {s->cause, s->remedy, s->evidence};
  static const char *const names[] = {"cause: ", "remedy: ", "evidence: "};
  for (int i = 0; i < 3; i++) {
    if (parts[i] != NULL) {
      fprintf(out, "%*s%s", TIME + 2, "", names[i]);
      dls_cli_wrap(out, parts[i], TIME + 2 + strlen(names[i]), TIME + 4);
    }
  }
}

static void print_story(const reading *r, const char *path, const dls_story *story, FILE *out)
{
  const dls_trajectory *traj = r->traj;
  const char *scheme = r->facts[CHOICE], *step = r->facts[STEP];
  fprintf(out, "%s: %s%s%s%s%s%s, %zu rows from %.6g to %.6g s\n", path, r->choice.model->name,
          scheme != NULL ? " by " : "", scheme != NULL ? scheme : "", step != NULL ? ", step " : "",
          step != NULL ? step : "", step != NULL ? " s" : "", traj->rows, dls_trajectory_at(traj, 0, 0),
          dls_trajectory_at(traj, traj->rows - 1, 0));
  for (size_t i = 0; i < story->phase_count; i++) {
    const dls_statement *s = &story->phases[i];
    const bool same = i > 0 && story->phases[i - 1].has_contact == s->has_contact &&
                      story->phases[i - 1].contact == s->contact;
    if (!same && s->has_contact) {
      fprintf(out, "\ncontact %zu\n", s->contact);
    } else if (!same) {
      fputs("\nother contacts\n", out);
    }
    print_statement(s, false, out);
  }
  fputs(story->finding_count > 0 ? "\nfindings\n" : "\nfindings: none\n", out);
  for (size_t i = 0; i < story->finding_count; i++) {
    print_statement(&story->findings[i], true, out);
  }
}

/* --- the command --- */

static dls_status read_file(const dls_cli_args *args, reading *r, dls_error *err)
{
  dls_foreign_manner manner = {0};
  dls_csv_layout layout;
  dls_status status = dls_cli_read_manner(args, &r->pool, &manner, err);
  if (status == DLS_OK) {
    status = dls_foreign_read(&manner, args->positional[0], args->positional[0], &r->traj, &layout, err);
  }
  if (status != DLS_OK) {
    return status == DLS_ERR_IO ? (err->status = DLS_ERR_ARG) : status; /* no such file: the request is wrong */
  }
  dls_cli_report_layout(args->command->name, args->positional[0], r->traj, NULL);
  r->err = err;
  status = dls_file_metadata_each(args->positional[0], take, r, err);
  if (status != DLS_OK || err->status != DLS_OK) {
    return err->status;
  }
  if (r->traj->rows < 2) {
    return dls_fail(err, DLS_ERR_ARG, "%.150s has %zu row%s: there is nothing to explain", args->positional[0],
                    r->traj->rows, r->traj->rows == 1 ? "" : "s");
  }
  const char *name = r->facts[SCHEME];
  r->scheme = name != NULL ? dls_catalogue_scheme(args->catalogue, name, NULL) : NULL;
  return find_model(args, r, err);
}

static int run(const dls_cli_args *args)
{
  dls_error err = {0};
  reading r = {0};
  dls_story story = {0};
  dls_status status = read_file(args, &r, &err);
  if (status == DLS_OK) {
    const dls_story_subject subject = {.sys = r.sys,
                                       .scheme = r.scheme,
                                       .traj = r.traj,
                                       .recorded = r.facts[RECORDED],
                                       .step = r.facts[STEP] != NULL ? strtod(r.facts[STEP], NULL) : 0};
    status = dls_story_tell(&subject, &story, &err);
  }
  if (status == DLS_OK) {
    print_story(&r, args->positional[0], &story, stdout);
  }
  const int code = status == DLS_OK ? DLS_EXIT_DONE : dls_cli_fail(args->command->name, &err);
  dls_story_clear(&story);
  dls_system_destroy(r.sys);
  dls_model_choice_release(&r.choice);
  dls_trajectory_destroy(r.traj);
  dls_pool_release(&r.pool);
  return code;
}

const dls_cli_command dls_cli_explain = {
    .name = "explain",
    .group = DLS_CLI_MEASURE,
    .synopsis = "FILE.csv [MODEL]",
    .summary = "the story of a run in plain sentences, each with its evidence",
    .text =
        "What happens at the contacts of a run (impacts, accumulation, stick, slip, flight), and what is "
        "wrong\n"
        "with it: sinking, penetration, missed contacts, impacts at rest, creep, energy that is created or "
        "lost.\n"
        "Each sentence has its evidence; a cause and a remedy follow where they are known. FILE.csv is a file\n"
        "of `run`, `compare` or `exact`, which names its model, or a table of another program with MODEL. No\n"
        "reference solution is computed.\n",
    .page = "guide/what-goes-wrong",
    .examples = "  delassus run bouncing-ball --scheme moreau-jean --step 0.01 --end 5 --out ball.csv\n"
                "  delassus explain ball.csv\n"
                "  delassus explain mysim.csv bouncing-ball --map t=time,q0=height --between linear\n",
    .keys = DLS_COMMAND_EXPLAIN,
    .least = 1,
    .most = 2,
    .run = run,
};
