/* experiments/cli/repeat.c -- the words of the command that made a file: of a trajectory, a sweep, a folder of order and work, from the
 * line `command:` in it; of a folder of study, from the study file in it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/repeat.h"
#include "experiments/campaign/picture_form.h"
#include "experiments/cli/command_line.h"
#include "experiments/extra/foreign/process.h"

#include "common/base/line.h"
#include "common/base/text.h"
#include <delassus/trajectory.h>
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* --- the line with the command --- */

/* One word as a shell reads it: plain, '...' with '\\'' for an apostrophe, or $'...' with \n, \r, \' and \\ in it. @return behind it */
static const char *read_word(const char *at, char *word)
{
  bool quoted = false, escapes = false; /* escapes: within $'...' */
  for (; *at != '\0' && (quoted || *at != ' '); at++) {
    if (*at == '\\' && (escapes || !quoted) && at[1] != '\0') {
      at++;
      *word++ = (char)(escapes && *at == 'n' ? '\n' : escapes && *at == 'r' ? '\r' : *at);
    } else if (*at == '\'') {
      quoted = !quoted;
      escapes = escapes && quoted;
    } else if (!quoted && at[0] == '$' && at[1] == '\'') {
      escapes = true;
    } else {
      *word++ = *at;
    }
  }
  *word = '\0';
  return at;
}

/* The command of that name that a file may name. */
static const dls_cli_command *find_command(const char *name)
{
  static const dls_cli_command *const known[] = {&dls_cli_run, &dls_cli_exact, &dls_cli_order, &dls_cli_work,
                                                 &dls_cli_energy};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(name, known[i]->name) == 0) {
      return known[i];
    }
  }
  return NULL;
}

/* The file may come from an untrusted source: options that define what is computed, and no others. */
static dls_status check_word(dls_repeat *r, const char *path, const char *word, dls_error *err)
{
  const size_t length = strcspn(word, "=");
  if (strncmp(word, "--", 2) != 0) {
    return DLS_OK;
  }
  const dls_key_effect effect = dls_key_effect_of(word + 2, length - 2);
  r->externals += strcmp(word, "--external") == 0 || strncmp(word, "--external=", 11) == 0;
  if (effect == DLS_KEY_EFFECT_PROGRAM) {
    r->externals += r->externals == 0;
  }
  return effect != DLS_KEY_EFFECT_OTHER
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG, "'%.200s': '%.60s' is not an option that its line command: may have",
                        path, word);
}

/* "delassus order bouncing-ball --scheme ..." */
static dls_status read_command(dls_repeat *r, const char *path, const char *line, dls_error *err)
{
  static const char start[] = "delassus ";
  char *word = dls_pool_take(r->pool, strlen(line) + 1);
  if (word == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the command of '%.200s'", path);
  }
  const char *at = line + (strncmp(line, start, strlen(start)) == 0 ? strlen(start) : 0);
  bool value = false;
  for (at += strspn(at, " "); *at != '\0'; at += strspn(at, " ")) {
    at = read_word(at, word);
    if (r->command == NULL && (r->command = find_command(word)) == NULL) {
      return dls_fail(err, DLS_ERR_ARG, "'%.200s': '%.60s' is not a command that can be verified", path, word);
    }
    const dls_status status = value ? DLS_OK : check_word(r, path, word, err);
    if (status != DLS_OK) {
      return status;
    }
    r->seconds = r->seconds || (value && strcmp(word, "seconds") == 0 && r->count > 0 &&
                                strcmp(r->words[r->count - 1], "--against") == 0);
    value =
        !value && strncmp(word, "--", 2) == 0 && strchr(word, '=') == NULL && !dls_command_is_switch(word + 2);
    add_word(r, word, strlen(word));
  }
  return DLS_OK;
}

/* The rest of the first line of a file that begins with `start`, in the pool; NULL: there is none. @param[in] head  look only at the
 * lines with # in front */
static const char *find_line(const char *path, const char *start, bool head, dls_repeat *r)
{
  FILE *file = NULL;
  dls_status status = dls_line_open(path, &file, NULL);
  const char *value = NULL;
  dls_line line = {0};
  bool there = true;
  while (status == DLS_OK && value == NULL &&
         (status = dls_line_read(&line, file, path, &there, NULL)) == DLS_OK && there &&
         (!head || line.text[0] == '#')) {
    if (strncmp(line.text, start, strlen(start)) == 0) {
      value = dls_pool_copy(r->pool, line.text + strlen(start), strlen(line.text + strlen(start)));
    }
  }
  free(line.text);
  if (file != NULL) {
    fclose(file);
  }
  r->pool->failed = r->pool->failed || status == DLS_ERR_MEMORY;
  return value;
}

/* --- a trajectory --- */

static const char command_mark[] = "# command: ";

/* Why a file without a command cannot be repeated. */
static dls_status refuse(const char *path, dls_repeat *r, dls_error *err)
{
  const char *external = find_line(path, "# external: ", true, r);
  return external != NULL
             ? dls_fail(err, DLS_ERR_ARG,
                        "'%.200s' is a table of the external program %.*s, which is in its line '# external:'; "
                        "folders of order and work with such programs can be verified",
                        path, (int)strcspn(external, "="), external)
             : dls_fail(err, DLS_ERR_ARG,
                        "'%.200s' does not say '# command: ...': only trajectories of delassus, and folders of "
                        "order, work and study, say how they were made",
                        path);
}

static dls_status read_trajectory(const char *path, dls_repeat *r, dls_error *err)
{
  const char *line = find_line(path, command_mark, true, r);
  if (line == NULL) {
    return refuse(path, r, err);
  }
  const char *complete = find_line(path, "# complete: ", true, r);
  r->prefix = complete != NULL && strcmp(complete, "no") == 0;
  return read_command(r, path, line, err);
}

/* --- a folder --- */

static bool has(const char *folder, const char *name, dls_repeat *r, const char **path)
{
  struct stat info;
  *path = dls_pool_print(r->pool, "%s/%s", folder, name);
  return *path != NULL && stat(*path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Pictures of a folder and, of a study, of the folders in it. */
typedef struct pictures {
  dls_pool *pool;
  const char *format, *drawn;                 /* of a script; of a picture */
  const char *form[DLS_PICTURE_FORM_OPTIONS]; /* of a script; NULL: not given */
} pictures;

/* The option that a comment in the head of a script repeats: "# style: journal". */
static void read_form(pictures *p, const char *line)
{
  for (size_t i = 0; i < DLS_PICTURE_FORM_OPTIONS; i++) {
    const char *name = dls_picture_form_options[i];
    const size_t length = strlen(name);
    if (strncmp(line, "# ", 2) == 0 && strncmp(line + 2, name, length) == 0 &&
        strncmp(line + 2 + length, ": ", 2) == 0) {
      p->form[i] = dls_pool_print(p->pool, "%s", line + length + 4);
    }
  }
}

/* What a script of gnuplot draws for: its terminal, and the form in its head. */
static dls_status read_script(pictures *p, const char *path)
{
  static const char *const known[][2] = {{"pngcairo ", "png"}, {"svg ", "svg"}, {"pdfcairo ", "pdf"}};
  static const char terminal[] = "set terminal ";
  FILE *file = NULL;
  dls_status status = dls_line_open(path, &file, NULL);
  dls_line line = {0};
  bool there = true;
  while (status == DLS_OK && p->format == NULL &&
         (status = dls_line_read(&line, file, path, &there, NULL)) == DLS_OK && there) {
    read_form(p, line.text);
    for (size_t i = 0; i < 3 && strncmp(line.text, terminal, strlen(terminal)) == 0; i++) {
      if (strncmp(line.text + strlen(terminal), known[i][0], strlen(known[i][0])) == 0) {
        p->format = known[i][1];
      }
    }
  }
  free(line.text);
  if (file != NULL) {
    fclose(file);
  }
  return status;
}

static void look_at_entry(pictures *p, const char *path)
{
  static const char *const endings[] = {"png", "svg", "pdf"};
  const char *dot = strrchr(path, '.');
  if (dot != NULL && p->format == NULL && strcmp(dot, ".gp") == 0) {
    p->pool->failed = read_script(p, path) == DLS_ERR_MEMORY || p->pool->failed;
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

/* --plot-format and the form of the pictures in a folder, whose scripts are compared. Where a script is gone the ending of a picture
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
  for (size_t i = 0; i < DLS_PICTURE_FORM_OPTIONS; i++) {
    if (p.form[i] != NULL) {
      add_option(r, dls_picture_form_options[i], p.form[i]);
    }
  }
}

static dls_status read_folder(const char *folder, dls_repeat *r, dls_error *err)
{
  const char *path = NULL, *line = NULL;
  if (has(folder, "study.yaml", r, &path)) {
    r->command = &dls_cli_study_file;
    dls_repeat_add(r, "study");
    dls_repeat_add(r, "%s", path);
    add_pictures(folder, r);
    return DLS_OK;
  }
  if (has(folder, "study.txt", r, &path)) {
    line = find_line(path, "command: ", false, r);
  } else if (has(folder, "sweep.csv", r, &path)) {
    line = find_line(path, command_mark, false, r);
  }
  if (line == NULL) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "'%.200s' has neither study.yaml nor a study.txt or sweep.csv that says its command: folders of "
        "order, work, study and of sweeps can be verified",
        folder);
  }
  const dls_status status = read_command(r, path, line, err);
  if (status == DLS_OK) {
    add_pictures(folder, r);
  }
  return status;
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
    fputc(' ', out);
    dls_command_put_word(out, r->words[i]);
  }
}
