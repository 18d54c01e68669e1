/* experiments/cli/repeat.c -- the words of the command that made a file: of a trajectory, from its metadata; of a folder, from the
 * head of its journal or the study file in it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/repeat.h"
#include "experiments/extra/foreign/file_metadata.h"

#include "common/base/line.h"
#include "common/base/text.h"
#include "experiments/extra/foreign/process.h"
#include <delassus/trajectory.h>
#include <delassus/work.h>
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char law_mark[] = " with law "; /* in the name of a model */

static void add_word(dls_repeat *r, const char *text, size_t length)
{
  r->all_fit = r->all_fit && r->count < DLS_REPEAT_WORDS;
  if (r->all_fit) {
    char *word = dls_pool_copy(r->pool, text, length);
    r->words[r->count] = word;
    r->count += word != NULL; /* without memory the pool says so */
  }
}

void dls_repeat_add(dls_repeat *r, const char *format, ...)
{
  char text[4096];
  va_list list;
  va_start(list, format);
  const int length = vsnprintf(text, sizeof text, format, list);
  va_end(list);
  r->all_fit = r->all_fit && length >= 0 && (size_t)length < sizeof text;
  add_word(r, text, r->all_fit ? (size_t)length : 0);
}

static void add_option(dls_repeat *r, const char *name, const char *value)
{
  dls_repeat_add(r, "--%s", name);
  dls_repeat_add(r, "%s", value);
}

/* Length of the first of settings "m=1,f=-2" or "M=a.mtx K=b b.mtx": to a separator behind which NAME= follows. */
static size_t setting_length(const char *text, char separator)
{
  size_t length = strcspn(text, (char[]){separator, '\0'});
  while (text[length] != '\0') {
    const char *next = text + length + 1;
    const char *name_end =
        next + strspn(next, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    if (*name_end == '=' && name_end > next) {
      break;
    }
    length += 1 + strcspn(next, (char[]){separator, '\0'});
  }
  return length;
}

/* --set for each setting. */
static void add_settings(dls_repeat *r, const char *text, char separator)
{
  while (*text != '\0') {
    const size_t length = setting_length(text, separator);
    dls_repeat_add(r, "--set");
    dls_repeat_add(r, "%.*s", (int)length, text);
    text += length;
    text += *text == separator ? 1 : 0;
  }
}

/* "incline with law fremond" is a model and an option. */
static void add_model(dls_repeat *r, const char *name)
{
  const char *mark = strstr(name, law_mark);
  const size_t length = mark != NULL ? (size_t)(mark - name) : strlen(name);
  dls_repeat_add(r, "%.*s", (int)length, name);
  if (mark != NULL) {
    add_option(r, "law", mark + strlen(law_mark));
  }
}

/* --- a trajectory --- */

enum {
  MODEL,
  PARAMETERS,
  LAW,
  FILES,
  SCHEME,
  CHOICE,
  STEP,
  END,
  HALVE,
  TOLERANCE,
  PROJECT,
  RECORDED,
  ACCURACY,
  CYCLE,
  COMPLETE,
  KEYS
};
static const char *const keys[KEYS] = {[MODEL] = "model",
                                       [PARAMETERS] = "parameters",
                                       [LAW] = "law",
                                       [FILES] = "files",
                                       [SCHEME] = "scheme",
                                       [CHOICE] = "choice",
                                       [STEP] = "step",
                                       [END] = "end",
                                       [HALVE] = "halve",
                                       [TOLERANCE] = "start_tolerance",
                                       [PROJECT] = "project_start",
                                       [RECORDED] = "recorded",
                                       [ACCURACY] = "accuracy",
                                       [CYCLE] = "cycle_period",
                                       [COMPLETE] = "complete"};

typedef struct head {
  dls_pool *pool;
  const char *values[KEYS]; /* NULL: not there */
  bool external;            /* it is of another program */
} head;

static bool take_key(void *data, const char *key, const char *value)
{
  head *h = data;
  for (size_t i = 0; i < KEYS; i++) {
    if (h->values[i] == NULL && strcmp(keys[i], key) == 0) {
      h->values[i] = dls_pool_copy(h->pool, value, strlen(value));
    }
  }
  return true;
}

/* "NAME=COMMAND" of the program whose name is that of the scheme. */
static bool find_external(void *data, const char *key, const char *value)
{
  head *h = data;
  const size_t length = strlen(h->values[SCHEME]);
  if (strcmp(key, "external") == 0 && strncmp(value, h->values[SCHEME], length) == 0 && value[length] == '=') {
    h->external = true;
  }
  return true;
}

/* A table of another program is not a run of ours. */
static dls_status check_external(const char *path, head *h, dls_error *err)
{
  const dls_status status = dls_file_metadata_each(path, find_external, h, err);
  return status != DLS_OK || !h->external ? status
                                          : dls_fail(err, DLS_ERR_ARG,
                                                     "'%.200s' is a table of the external program %s, which is "
                                                     "in its line '# external:'; folders "
                                                     "of order and work with such programs can be verified",
                                                     path, h->values[SCHEME]);
}

static dls_status check_head(const char *path, const head *h, dls_error *err)
{
  static const int needed[] = {MODEL, PARAMETERS, SCHEME};
  for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
    if (h->values[needed[i]] == NULL) {
      return dls_fail(
          err, DLS_ERR_ARG,
          "'%.200s' does not say '# %s: ...': only trajectories of delassus, and folders of order, work and "
          "study, say how they were made",
          path, keys[needed[i]]);
    }
  }
  return h->values[CYCLE] == NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG,
                        "'%.200s' is of a limit cycle (--cycle), which is not repeated from a file", path);
}

/* The times of the rows; two rows of one time are a jump. */
static void write_times(const dls_trajectory *traj, FILE *out)
{
  for (size_t i = 0; i < traj->rows; i++) {
    const double t = dls_trajectory_at(traj, i, 0);
    if (i == 0 || t > dls_trajectory_at(traj, i - 1, 0)) {
      fprintf(out, "%s%.17g", i == 0 ? "" : ",", t);
    }
  }
}

static void write_columns(const dls_trajectory *traj, FILE *out)
{
  for (size_t i = 1; i < traj->columns; i++) {
    fprintf(out, "%s%s", i == 1 ? "" : ",", traj->names[i]);
  }
}

static void add_list(dls_repeat *r, const char *option, const dls_trajectory *traj,
                     void (*write)(const dls_trajectory *traj, FILE *out))
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = dls_text_stream(&text, &size);
  if (out == NULL) {
    r->pool->failed = true;
    return;
  }
  write(traj, out);
  r->pool->failed = fclose(out) != 0 || r->pool->failed;
  dls_repeat_add(r, "--%s", option);
  add_word(r, text, strlen(text));
  free(text);
}

/* What is recorded: "at 3 given times", "one of every 10 nodes, ...", or all of them. */
static void add_recording(dls_repeat *r, const head *h, const dls_trajectory *traj)
{
  static const char every[] = "one of every ";
  const char *recorded = h->values[RECORDED];
  if (recorded != NULL && strncmp(recorded, every, strlen(every)) == 0) {
    dls_repeat_add(r, "--every");
    dls_repeat_add(r, "%.*s", (int)strspn(recorded + strlen(every), "0123456789"), recorded + strlen(every));
  } else if (recorded != NULL) {
    add_list(r, "at", traj, write_times);
  }
  add_list(r, "columns", traj, write_columns);
}

/* The options of run that have their text in the metadata. */
static void add_run(dls_repeat *r, const head *h, const dls_trajectory *traj)
{
  static const int taken[] = {STEP, HALVE, TOLERANCE};
  static const char *const options[] = {"step", "halve", "start-tolerance"};
  add_option(r, "scheme", h->values[CHOICE] != NULL ? h->values[CHOICE] : h->values[SCHEME]);
  for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
    if (h->values[taken[i]] != NULL) {
      add_option(r, options[i], h->values[taken[i]]);
    }
  }
  if (h->values[PROJECT] != NULL) {
    dls_repeat_add(r, "--project-start");
  }
  add_recording(r, h, traj);
}

/* An exact solution has its accuracy where its rows are its own choice. */
static void add_trajectory(dls_repeat *r, const head *h, const dls_trajectory *traj)
{
  const bool exact = strcmp(h->values[SCHEME], "exact") == 0;
  const bool at = exact && h->values[ACCURACY] == NULL;
  r->command = exact ? &dls_cli_exact : &dls_cli_run;
  dls_repeat_add(r, "%s", r->command->name);
  add_model(r, h->values[MODEL]);
  add_settings(r, h->values[PARAMETERS], ',');
  add_settings(r, h->values[FILES] != NULL ? h->values[FILES] : "", ' ');
  if (h->values[LAW] != NULL && strstr(h->values[MODEL], law_mark) == NULL) {
    add_option(r, "law", h->values[LAW]);
  }
  if (at) {
    add_list(r, "at", traj, write_times);
  } else if (h->values[END] != NULL) {
    add_option(r, "end", h->values[END]);
  }
  if (!exact) {
    add_run(r, h, traj);
  }
}

static dls_status read_trajectory(const char *path, dls_repeat *r, dls_error *err)
{
  head h = {.pool = r->pool};
  dls_trajectory *traj = NULL;
  dls_status status = dls_file_metadata_each(path, take_key, &h, err);
  status = status != DLS_OK ? status : check_head(path, &h, err);
  status = status != DLS_OK ? status : check_external(path, &h, err);
  status = status != DLS_OK ? status : dls_trajectory_read(path, &traj, err);
  if (status == DLS_OK) {
    r->prefix = h.values[COMPLETE] != NULL && strcmp(h.values[COMPLETE], "no") == 0;
    add_trajectory(r, &h, traj);
  }
  dls_trajectory_destroy(traj);
  return status;
}

/* --- a folder --- */

/* "0.1 to 0.01, 5 levels" as "0.1:0.01:5" */
static void add_sequence(dls_repeat *r, const char *option, const char *text)
{
  const size_t first = strcspn(text, " ");
  const char *last = strstr(text, " to "), *levels = strstr(text, ", ");
  if (last != NULL && levels != NULL) {
    dls_repeat_add(r, "--%s", option);
    dls_repeat_add(r, "%.*s:%.*s:%.*s", (int)first, text, (int)(levels - last - 4), last + 4,
                   (int)strspn(levels + 2, "0123456789"), levels + 2);
  }
}

/* About other programs: what is said of each of them is the same of all. */
static void take_external(dls_repeat *r, const char *key, const char *value)
{
  if (strcmp(key, "external") == 0) {
    add_option(r, "external", value);
    r->externals++;
  } else if (r->externals != 1) {
    return;
  } else if (strcmp(key, "external_map") == 0) {
    r->map =
        r->map == NULL ? dls_pool_print(r->pool, "%s", value) : dls_pool_print(r->pool, "%s,%s", r->map, value);
  } else if (strcmp(key, "external_between") == 0) {
    add_option(r, "between", value);
  } else if (strcmp(key, "external_limit") == 0) {
    add_option(r, "external-limit", value);
  }
}

/* "last_q0" as "last:q0", "impacts" as it is: one more of those that are kept. */
static void take_wanted(dls_repeat *r, const char *name)
{
  static const char *const measures[] = {"last_", "least_", "largest_", "mean_"};
  const char *before = r->wanted != NULL ? r->wanted : "", *comma = r->wanted != NULL ? "," : "";
  r->wanted = dls_pool_print(r->pool, "%s%s%s", before, comma, name);
  for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
    const size_t length = strlen(measures[i]);
    if (strncmp(name, measures[i], length) == 0) {
      r->wanted = dls_pool_print(r->pool, "%s%s%.*s:%s", before, comma, (int)length - 1, name, name + length);
    }
  }
}

/* Of a sweep. */
static void take_sweep(dls_repeat *r, const char *key, const char *value)
{
  static const char *const same[] = {"sweep", "against", "step", "halve", "from"};
  for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
    if (strcmp(key, same[i]) == 0) {
      add_option(r, key, value);
    }
  }
  if (strcmp(key, "max_rows") == 0) {
    add_option(r, "max-rows", value);
  } else if (strcmp(key, "wanted") == 0) {
    take_wanted(r, value);
  }
}

/* The command of a sweep. */
static bool take_kind(void *data, const char *key, const char *value)
{
  static const dls_cli_command *const known[] = {&dls_cli_run, &dls_cli_energy, &dls_cli_order, &dls_cli_work};
  dls_repeat *r = data;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(key, "kind") == 0 && strcmp(value, known[i]->name) == 0) {
      r->command = known[i];
    }
  }
  return true;
}

/* A line of the journal's head, which is one option or more of the study. */
static bool take_input(void *data, const char *key, const char *value)
{
  static const char *const same[] = {"scheme", "end", "repeats", "seed", "norm", "of", "reference"};
  dls_repeat *r = data;
  for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
    if (strcmp(key, same[i]) == 0) {
      add_option(r, key, value);
    }
  }
  take_external(r, key, value);
  take_sweep(r, key, value);
  if (strcmp(key, "model") == 0) {
    add_model(r, value);
  } else if (strcmp(key, "parameter") == 0) {
    add_option(r, "set", value);
  } else if (strcmp(key, "start_tolerance") == 0) {
    add_option(r, "start-tolerance", value);
  } else if (strcmp(key, "project_start") == 0) {
    dls_repeat_add(r, "--project-start");
  } else if (strcmp(key, "check_reference") == 0) {
    dls_repeat_add(r, "--check-reference");
  } else if (strcmp(key, "steps") == 0) {
    add_sequence(r, "steps", value);
  } else if (strcmp(key, "tolerances") == 0) {
    add_sequence(r, "tols", value);
  }
  return true;
}

static bool has(const char *folder, const char *name, dls_repeat *r, const char **path)
{
  struct stat info;
  *path = dls_pool_print(r->pool, "%s/%s", folder, name);
  return *path != NULL && stat(*path, &info) == 0 && S_ISREG(info.st_mode);
}

/* The value of a line "KEY: value" of study.txt, in the pool; NULL: there is none. */
static const char *recorded(const char *folder, const char *key, dls_repeat *r)
{
  const char *path = NULL;
  FILE *file = NULL;
  dls_status status =
      has(folder, "study.txt", r, &path) ? dls_line_open(path, &file, NULL) : DLS_ERR_NOT_APPLICABLE;
  const size_t length = strlen(key);
  const char *value = NULL;
  dls_line line = {0};
  bool there = true;
  while (status == DLS_OK && value == NULL &&
         (status = dls_line_read(&line, file, path, &there, NULL)) == DLS_OK && there) {
    if (strncmp(line.text, key, length) == 0 && strncmp(line.text + length, ": ", 2) == 0) {
      value = dls_pool_copy(r->pool, line.text + length + 2, strlen(line.text + length + 2));
    }
  }
  free(line.text);
  if (file != NULL) {
    fclose(file);
  }
  r->pool->failed = r->pool->failed || status == DLS_ERR_MEMORY;
  return value;
}

/* What a work study is drawn over stands in its text. */
static dls_status add_against(const char *folder, dls_repeat *r, dls_error *err)
{
  const char *work = recorded(folder, "work", r);
  for (int a = DLS_AGAINST_STEPS; work != NULL && a <= DLS_AGAINST_SECONDS; a++) {
    if (strcmp(work, dls_work_text((dls_against)a)) == 0) {
      add_option(r, "against", dls_work_name((dls_against)a));
      r->seconds = a == DLS_AGAINST_SECONDS;
    }
  }
  return work != NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG,
                        "'%.200s' has no study.txt, which says what the errors are drawn over", folder);
}

/* The journal has what is in the files of a model, study.txt their names. */
static void add_files(const char *folder, dls_repeat *r)
{
  const char *files = recorded(folder, "files", r);
  if (files != NULL) {
    add_settings(r, files, ' ');
  }
}

/* What a script of gnuplot draws for: its terminal, and the style in its head. */
static dls_status read_script(const char *path, const char **format, const char **style)
{
  static const char *const known[][2] = {{"pngcairo ", "png"}, {"svg ", "svg"}, {"pdfcairo ", "pdf"}};
  static const char terminal[] = "set terminal ", journal[] = "# style: journal", slides[] = "# style: slides";
  FILE *file = NULL;
  dls_status status = dls_line_open(path, &file, NULL);
  dls_line line = {0};
  bool there = true;
  while (status == DLS_OK && *format == NULL &&
         (status = dls_line_read(&line, file, path, &there, NULL)) == DLS_OK && there) {
    *style = strncmp(line.text, journal, strlen(journal)) == 0 ? "journal"
             : strncmp(line.text, slides, strlen(slides)) == 0 ? "slides"
                                                               : *style;
    for (size_t i = 0; i < 3 && strncmp(line.text, terminal, strlen(terminal)) == 0; i++) {
      if (strncmp(line.text + strlen(terminal), known[i][0], strlen(known[i][0])) == 0) {
        *format = known[i][1];
      }
    }
  }
  free(line.text);
  if (file != NULL) {
    fclose(file);
  }
  return status;
}

/* Pictures of a folder and, of a study, of the folders in it. */
typedef struct pictures {
  dls_pool *pool;
  const char *format, *style, *drawn; /* of a script, its style; of a picture */
} pictures;

static void look_at_entry(pictures *p, const char *path)
{
  static const char *const endings[] = {"png", "svg", "pdf"};
  const char *dot = strrchr(path, '.');
  if (dot != NULL && p->format == NULL && strcmp(dot, ".gp") == 0) {
    p->pool->failed = read_script(path, &p->format, &p->style) == DLS_ERR_MEMORY || p->pool->failed;
  }
  for (size_t i = 0; dot != NULL && i < 3; i++) {
    p->drawn = strcmp(dot + 1, endings[i]) == 0 ? endings[i] : p->drawn;
  }
}

static void look_into(pictures *p, const char *folder, bool deeper)
{
  DIR *entries = opendir(folder);
  p->pool->failed = p->pool->failed || (entries == NULL && errno == ENOMEM);
  for (const struct dirent *e = entries != NULL ? readdir(entries) : NULL; e != NULL; e = readdir(entries)) {
    const char *path = dls_pool_print(p->pool, "%s/%s", folder, e->d_name);
    struct stat info;
    if (path == NULL || e->d_name[0] == '.' || stat(path, &info) != 0) {
      continue;
    }
    if (S_ISDIR(info.st_mode) && deeper) {
      look_into(p, path, false);
    } else if (S_ISREG(info.st_mode)) {
      look_at_entry(p, path);
    }
  }
  if (entries != NULL) {
    closedir(entries);
  }
}

/* --plot-format and --style of the pictures in a folder, whose scripts are compared. Where a script is gone the ending of a picture
 * names the format. */
static void add_pictures(const char *folder, dls_repeat *r)
{
  pictures p = {.pool = r->pool};
  char program[4096];
  if (dls_process_find("gnuplot", program, sizeof program)) {
    look_into(&p, folder, true);
  }
  const char *format = p.format != NULL ? p.format : p.drawn;
  add_option(r, "plot-format", format != NULL ? format : "none");
  if (p.style != NULL) {
    add_option(r, "style", p.style);
  }
}

static dls_status read_folder(const char *folder, dls_repeat *r, dls_error *err)
{
  const char *path = NULL;
  if (has(folder, "study.yaml", r, &path)) {
    r->command = &dls_cli_study_file;
    dls_repeat_add(r, "study");
    dls_repeat_add(r, "%s", path);
    add_pictures(folder, r);
    return DLS_OK;
  }
  r->command = has(folder, "work.csv", r, &path) ? &dls_cli_work : &dls_cli_order;
  if (!has(folder, "runs.csv", r, &path)) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "'%.200s' has neither runs.csv nor study.yaml: folders of order, work and study can be verified",
        folder);
  }
  dls_status status = dls_file_metadata_each(path, take_kind, r, err);
  dls_repeat_add(r, "%s", r->command->name);
  status = status != DLS_OK ? status : dls_file_metadata_each(path, take_input, r, err);
  add_files(folder, r);
  add_pictures(folder, r);
  if (r->map != NULL) {
    add_option(r, "map", r->map);
  }
  if (r->wanted != NULL) {
    add_option(r, "of", r->wanted);
  }
  const bool alone = r->command == &dls_cli_work && !has(folder, "sweep.csv", r, &path);
  return status != DLS_OK || !alone ? status : add_against(folder, r, err);
}

dls_status dls_repeat_of(const char *path, dls_pool *pool, dls_repeat *out, dls_error *err)
{
  struct stat info;
  *out = (dls_repeat){.pool = pool, .all_fit = true};
  if (stat(path, &info) != 0) {
    return dls_fail(err, DLS_ERR_ARG, "cannot read '%.200s': %s", path, strerror(errno));
  }
  dls_status status = S_ISDIR(info.st_mode) ? read_folder(path, out, err) : read_trajectory(path, out, err);
  if (pool->failed) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for the command that made '%.200s'", path);
  }
  return status != DLS_OK || out->all_fit
             ? status
             : dls_fail(err, DLS_ERR_ARG, "the command that made '%.200s' has more than %d words", path,
                        DLS_REPEAT_WORDS);
}

void dls_repeat_print(const dls_repeat *r, FILE *out)
{
  fputs("delassus", out);
  for (size_t i = 0; i < r->count; i++) {
    const char *word = r->words[i];
    const bool plain = word[0] != '\0' && strpbrk(word, " \t\n\"'\\$`*?[]{}();&|<>~#!") == NULL;
    fputs(plain ? " " : " '", out);
    for (; *word != '\0'; word++) {
      fputs(*word == '\'' && !plain ? "'\\''" : (char[]){*word, '\0'}, out);
    }
    fputs(plain ? "" : "'", out);
  }
}
