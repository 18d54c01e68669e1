/* experiments/extra/foreign/external.c -- runs of an external program: its command, a folder for its files, its
 * messages.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/foreign/external.h"
#include "common/base/hash.h"
#include "common/base/text.h"
#include "experiments/extra/foreign/command_line.h"
#include "experiments/extra/foreign/process.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SAID = 1 << 16, NAME_ROOM = 61 }; /* bytes kept of the end of a program's messages */
static const char set_mark[] = "set:";        /* {set:h} is the parameter where {h} is the step */

struct dls_external {
  dls_scheme scheme; /* its entry of the catalogue leads back here */
  dls_pool pool;
  const char *command;
  char **words; /* word_count, then NULL */
  size_t word_count;
  bool writes_file; /* some word contains {out}; otherwise the table is standard output */
  dls_external_spec spec;
  dls_foreign_manner manner;
};

/* --- the entry --- */

static dls_status refuse_start(dls_sim *sim, dls_error *err)
{
  return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                  "%s is an external program: allowed in order, work and compare only", sim->scheme->name);
}

static dls_status refuse_advance(dls_sim *sim, double h, dls_error *err)
{
  (void)h;
  return refuse_start(sim, err);
}

static dls_status read_name(dls_external *x, dls_error *err)
{
  const char *text = x->spec.text, *equals = strchr(text, '=');
  const size_t length = equals != NULL ? (size_t)(equals - text) : 0;
  bool good = length > 0 && length < NAME_ROOM && isalpha((unsigned char)text[0]);
  for (size_t i = 0; i < length && good; i++) {
    good = isalnum((unsigned char)text[i]) || strchr("-_.", text[i]) != NULL;
  }
  if (!good) {
    return dls_fail(err, DLS_ERR_PARSE,
                    "--external '%.100s': expected NAME=COMMAND, with up to %d letters, digits, '-', '_' and "
                    "'.' in NAME, such as mysim=\"./mysim --step {h} --end {T} --out {out}\"",
                    text, NAME_ROOM - 1);
  }
  x->scheme.name = dls_pool_copy(&x->pool, text, length);
  x->command = dls_pool_copy(&x->pool, equals + 1, strlen(equals + 1));
  return DLS_OK;
}

/* Copies of the data that the caller's spec points to, in our pool. */
static dls_status copy_spec(dls_external *x, dls_error *err)
{
  const dls_external_spec *spec = &x->spec;
  dls_status status = dls_foreign_map(spec->map_count, spec->map, &x->pool, &x->manner, err);
  const char **map = dls_pool_take(&x->pool, (spec->map_count + 1) * sizeof *map);
  for (size_t i = 0; i < spec->map_count && map != NULL; i++) {
    map[i] = dls_pool_copy(&x->pool, spec->map[i], strlen(spec->map[i]));
  }
  x->spec.map = map;
  x->spec.log = spec->log != NULL ? dls_pool_copy(&x->pool, spec->log, strlen(spec->log)) : NULL;
  x->spec.text = dls_pool_copy(&x->pool, spec->text, strlen(spec->text));
  x->manner.between_given = spec->between_given;
  x->manner.between = spec->between;
  return status;
}

dls_status dls_external_create(const dls_external_spec *spec, dls_external **out, dls_error *err)
{
  static const dls_option none[] = {{0}};
  dls_external *x = *out = calloc(1, sizeof *x);
  if (x == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for --external '%.100s'", spec->text);
  }
  x->spec = *spec;
  x->scheme = (dls_scheme){.summary = "external program",
                           .options = none,
                           .kind = x,
                           .stepping = DLS_BY_STEP,
                           .handles = DLS_HANDLES_ANY_STEP,
                           .start = refuse_start,
                           .advance = refuse_advance};
  dls_status status = read_name(x, err);
  if (status == DLS_OK) {
    status = copy_spec(x, err);
  }
  if (status == DLS_OK) {
    status = dls_command_split(x->command, &x->pool, &x->words, &x->word_count, err);
  }
  for (size_t i = 0; i < x->word_count && status == DLS_OK; i++) {
    x->writes_file = x->writes_file || strstr(x->words[i], "{out}") != NULL;
  }
  if (status == DLS_OK && x->pool.failed) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for --external '%.100s'", spec->text);
  }
  if (status != DLS_OK) {
    dls_external_destroy(x);
    *out = NULL;
  }
  return status;
}

void dls_external_destroy(dls_external *external)
{
  if (external != NULL) {
    dls_pool_release(&external->pool);
    free(external);
  }
}

dls_status dls_external_log_to(dls_external *external, const char *path, dls_error *err)
{
  external->spec.log = dls_pool_copy(&external->pool, path, strlen(path));
  return external->spec.log != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for '%.100s'", path);
}

const dls_scheme *dls_external_scheme(const dls_external *external)
{
  return &external->scheme;
}

const dls_external *dls_external_of(const dls_scheme *scheme)
{
  return scheme->advance == refuse_advance ? scheme->kind : NULL;
}

/* --- the command of a run --- */

/* Source of the values by name. */
typedef struct lookup {
  const dls_external_case *run;
  const char *out; /* path for {out} */
  char text[60];   /* number of the last run */
} lookup;

static const char *number(lookup *l, double value)
{
  const dls_option plain = {.kind = DLS_REAL};
  dls_option_format(&plain, value, l->text, sizeof l->text);
  return l->text;
}

static const char *find_value(void *data, const char *name)
{
  lookup *l = data;
  const size_t mark = strlen(set_mark);
  const bool set = strncmp(name, set_mark, mark) == 0;
  if (!set && (strcmp(name, "h") == 0 || strcmp(name, "T") == 0)) {
    return number(l, name[0] == 'h' ? l->run->step : l->run->end);
  }
  if (!set && (strcmp(name, "end") == 0 || strcmp(name, "out") == 0)) {
    return name[0] == 'o' ? l->out : number(l, l->run->end);
  }
  const dls_option *parameters = l->run->model->parameters;
  const int at = dls_option_find(parameters, set ? name + mark : name);
  if (at < 0) {
    return NULL;
  }
  dls_option_format(&parameters[at],
                    l->run->parameters != NULL ? l->run->parameters[at] : parameters[at].initial, l->text,
                    sizeof l->text);
  return l->text;
}

static void list_values(const dls_model *model, char *list, size_t size)
{
  list[0] = '\0';
  dls_text_append(list, size, "h, T, out, of %s ", model->name);
  for (size_t i = 0; i < dls_option_count(model->parameters); i++) {
    dls_text_append(list, size, "%s%s", i > 0 ? ", " : "", model->parameters[i].name);
  }
}

/* The words with all values filled in, ended by NULL, in the pool; NULL with err. */
static char **fill_words(const dls_external *x, const dls_external_case *run, const char *out, dls_pool *pool,
                         dls_error *err)
{
  char list[200];
  lookup l = {.run = run, .out = out};
  char **words = dls_pool_take(pool, (x->word_count + 1) * sizeof *words);
  list_values(run->model, list, sizeof list);
  for (size_t i = 0; i < x->word_count && words != NULL; i++) {
    dls_error why = {0};
    words[i] = dls_command_fill(x->words[i], find_value, &l, list, pool, &why);
    if (words[i] == NULL) {
      dls_fail(err, why.status, "external %s: %.330s", x->scheme.name, why.text);
      return NULL;
    }
  }
  if (words == NULL) {
    dls_fail(err, DLS_ERR_MEMORY, "no memory for the command of %s", x->scheme.name);
  }
  return words;
}

dls_status dls_external_check(const dls_external *external, const dls_model *model, dls_error *err)
{
  dls_pool pool = {0};
  char path[PATH_MAX];
  dls_error why = {0};
  const dls_external_case run = {.model = model, .step = 1, .end = 1};
  char **words = fill_words(external, &run, "out", &pool, &why);
  dls_status status = words != NULL ? DLS_OK : dls_fail(err, why.status, "%s", why.text);
  if (words != NULL && !dls_process_find(words[0], path, sizeof path)) {
    status = dls_fail(err, DLS_ERR_ARG, "external %s: no executable program '%.200s'%s", external->scheme.name,
                      words[0], strchr(words[0], '/') == NULL ? " in PATH" : "");
  }
  dls_pool_release(&pool);
  return status;
}

/* --- inputs of a run --- */

enum { FILES_ROOM = 16384 }; /* characters; a longer list is cut */

/* FNV-1a hash of the contents. @return false if the file cannot be read */
static bool hash_file(const char *path, uint64_t *hash)
{
  unsigned char bytes[4096];
  struct stat info;
  const int file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  *hash = DLS_HASH_START;
  ssize_t count = 0;
  while (file >= 0 && (count = read(file, bytes, sizeof bytes)) > 0) {
    *hash = dls_hash(*hash, bytes, (size_t)count);
  }
  return file >= 0 && close(file) == 0 && count == 0;
}

/* "./mysim FNV-1a 0123456789abcdef, ..." of the program and all words that are files. Does not allocate. */
static void describe_files(const dls_external *x, char *text, size_t size)
{
  text[0] = '\0';
  for (size_t i = 0; i < x->word_count; i++) {
    char path[PATH_MAX];
    uint64_t hash = 0;
    const bool found = i > 0 ? snprintf(path, sizeof path, "%s", x->words[i]) < (int)sizeof path
                             : dls_process_find(x->words[0], path, sizeof path);
    if (found && hash_file(path, &hash)) {
      dls_text_append(text, size, "%s%s FNV-1a %016" PRIx64, text[0] == '\0' ? "" : ", ", x->words[i], hash);
    }
  }
}

void dls_external_describe(const dls_external *external,
                           void (*take)(void *data, const char *key, const char *value), void *data)
{
  char files[FILES_ROOM];
  lookup l = {0};
  describe_files(external, files, sizeof files);
  take(data, "external", external->spec.text);
  take(data, "external_files", files);
  for (size_t i = 0; i < external->spec.map_count; i++) {
    take(data, "external_map", external->spec.map[i]);
  }
  if (external->spec.between_given) {
    take(data, "external_between", external->spec.between == DLS_CONSTANT ? "constant" : "linear");
  }
  take(data, "external_limit", number(&l, external->spec.seconds));
}

/* --- a run --- */

/* The files of a run, in a folder of its own. */
typedef struct workplace {
  dls_pool pool;
  char *folder, *table, *said;
} workplace;

static dls_status make_workplace(workplace *w, dls_error *err)
{
  char *folder = dls_pool_print(&w->pool, "%s/delassus-external-XXXXXX", dls_temporary_folder());
  if (folder != NULL && mkdtemp(folder) == NULL) {
    return dls_fail(err, DLS_ERR_IO, "cannot make a folder '%.200s': %s", folder, strerror(errno));
  }
  w->folder = folder;
  w->table = folder != NULL ? dls_pool_print(&w->pool, "%s/out.csv", folder) : NULL;
  w->said = folder != NULL ? dls_pool_print(&w->pool, "%s/said.txt", folder) : NULL;
  return w->pool.failed ? dls_fail(err, DLS_ERR_MEMORY, "no memory for the names of files") : DLS_OK;
}

static void clear_workplace(workplace *w)
{
  const char *const files[] = {w->table, w->said};
  for (size_t i = 0; i < 2; i++) {
    if (files[i] != NULL) {
      unlink(files[i]);
    }
  }
  if (w->folder != NULL) {
    rmdir(w->folder);
  }
  dls_pool_release(&w->pool);
}

/* The file of a run has a new name each time and is deleted afterwards. Records have {out} instead of its path, so that
 * they are equal. */
static void name_table(char *text, const char *path)
{
  static const char name[] = "{out}"; /* shorter than the path */
  const size_t length = strlen(path);
  for (char *at = text; (at = strstr(at, path)) != NULL; at += strlen(name)) {
    memcpy(at, name, strlen(name));
    memmove(at + strlen(name), at + length, strlen(at + length) + 1);
  }
}

/* The end of the messages. @return a text to be freed; NULL without memory */
static char *read_said(const workplace *w)
{
  char *text = calloc(1, MOST_SAID + 1);
  FILE *file = text != NULL ? fopen(w->said, "rb") : NULL;
  if (file == NULL && errno == ENOMEM) {
    free(text);
    return NULL;
  }
  if (file != NULL) {
    if (fseek(file, -(long)MOST_SAID, SEEK_END) != 0) {
      rewind(file);
    }
    text[fread(text, 1, MOST_SAID, file)] = '\0';
    fclose(file);
    name_table(text, w->table);
  }
  return text;
}

/* The last nonempty line. */
static void last_line(const char *text, char *line, size_t size)
{
  size_t end = strlen(text);
  while (end > 0 && isspace((unsigned char)text[end - 1])) {
    end--;
  }
  size_t begin = end;
  while (begin > 0 && text[begin - 1] != '\n') {
    begin--;
  }
  const size_t length = end - begin < size - 1 ? end - begin : size - 1;
  memcpy(line, text + begin, length);
  line[length] = '\0';
  for (char *c = line; *c != '\0'; c++) {
    *c = iscntrl((unsigned char)*c) ? ' ' : *c;
  }
}

/* Append the messages to the log in one write: several runs may do so. */
static dls_status keep_said(const dls_external *x, const dls_external_case *run, const char *how,
                            const char *said, dls_error *err)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = dls_text_stream(&text, &size);
  if (out == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for what %s said", x->scheme.name);
  }
  fprintf(out, "== %s, h = %.17g s, T = %.17g s: it %s\n%s%s", x->scheme.name, run->step, run->end, how, said,
          said[0] != '\0' && said[strlen(said) - 1] != '\n' ? "\n" : "");
  const bool made = fclose(out) == 0;
  const int file = made ? open(x->spec.log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
  const bool written = file >= 0 && write(file, text, size) == (ssize_t)size;
  const int reason = errno;
  if (file >= 0) {
    close(file);
  }
  free(text);
  return written ? DLS_OK
                 : dls_fail(err, DLS_ERR_IO, "cannot write '%.200s': %s", x->spec.log, strerror(reason));
}

/* The outcome in words. */
static dls_status conclude(const dls_external *x, const dls_external_case *run, const dls_process_spec *spec,
                           const dls_process_end *end, const workplace *w, dls_error *err)
{
  char how[120], line[160];
  if (end->failed == ENOMEM) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory to start %s", x->scheme.name);
  }
  const bool good = end->failed == 0 && !end->late && !end->interrupted && WIFEXITED(end->status) &&
                    WEXITSTATUS(end->status) == 0;
  char *said = read_said(w);
  if (said == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for what %s said", x->scheme.name);
  }
  dls_process_describe(spec, end, how, sizeof how);
  last_line(said, line, sizeof line);
  dls_status status =
      x->spec.log != NULL && (!good || said[0] != '\0') ? keep_said(x, run, how, said, err) : DLS_OK;
  free(said);
  if (status == DLS_OK && !good) {
    status = dls_fail(err, end->interrupted ? DLS_ERR_INTERRUPTED : DLS_ERR_INTEGRATOR, "%s %s%s%s",
                      x->scheme.name, how, line[0] != '\0' ? ": " : "", line);
  }
  return status;
}

static bool poll_run(void *data)
{
  const dls_external_case *run = data;
  return run->poll == NULL || run->poll(run->poll_data, 0);
}

/* Start it, with its table and messages in the run's folder. */
static dls_status start(const dls_external *x, const dls_external_case *run, workplace *w, double *seconds,
                        dls_error *err)
{
  const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC;
  char **words = fill_words(x, run, w->table, &w->pool, err);
  if (words == NULL) {
    return err != NULL ? err->status : DLS_ERR_MEMORY;
  }
  const int said = open(w->said, flags, 0600), table = x->writes_file ? said : open(w->table, flags, 0600);
  dls_status status = said >= 0 && table >= 0 ? DLS_OK
                                              : dls_fail(err, DLS_ERR_IO, "cannot write in '%.200s': %s",
                                                         w->folder, strerror(errno));
  if (status == DLS_OK) {
    const dls_process_spec spec = {.arguments = words,
                                   .output = table,
                                   .complaints = said,
                                   .seconds = x->spec.seconds,
                                   .own_group = true,
                                   .poll = poll_run,
                                   .poll_data = (void *)run};
    const dls_process_end end = dls_process_run(&spec);
    *seconds = end.seconds;
    status = conclude(x, run, &spec, &end, w, err);
  }
  if (said >= 0) {
    close(said);
  }
  if (table >= 0 && table != said) {
    close(table);
  }
  return status;
}

static dls_status read_table(const dls_external *x, const dls_external_case *run, const char *path,
                             dls_trajectory **traj, dls_error *err)
{
  dls_error why = {0};
  char name[NAME_ROOM + 40];
  snprintf(name, sizeof name, "the table of %s", x->scheme.name);
  struct stat info;
  if (stat(path, &info) != 0) {
    return dls_fail(err, DLS_ERR_INTEGRATOR, "%s succeeded, but wrote no file {out}", x->scheme.name);
  }
  if (!S_ISREG(info.st_mode)) { /* a pipe or a device may be endless */
    return dls_fail(err, DLS_ERR_INTEGRATOR, "%s: {out} is not a regular file", x->scheme.name);
  }
  dls_csv_layout layout;
  const dls_status status = dls_foreign_read(&x->manner, path, name, traj, &layout, &why);
  if (status != DLS_OK) {
    name_table(why.text, path);
    return dls_fail(err, status == DLS_ERR_MEMORY ? status : DLS_ERR_INTEGRATOR, "%s: %.300s", x->scheme.name,
                    why.text);
  }
  const char *assumed = dls_foreign_assumed(*traj);
  if (assumed != NULL && x->spec.log != NULL) {
    char how[200];
    snprintf(how, sizeof how, "wrote %s", assumed);
    if (keep_said(x, run, how, "", err) != DLS_OK) {
      return err->status;
    }
  }
  return dls_foreign_ends_early(*traj, run->step, run->end)
             ? dls_fail(err, DLS_ERR_INTEGRATOR, "%s: its table ends before T = %.6g s", x->scheme.name,
                        run->end)
             : DLS_OK;
}

dls_status dls_external_run(const dls_external *external, const dls_external_case *run, dls_trajectory **traj,
                            double *seconds, dls_error *err)
{
  workplace w = {0};
  *traj = NULL;
  dls_status status = make_workplace(&w, err);
  if (status == DLS_OK) {
    status = start(external, run, &w, seconds, err);
  }
  if (status == DLS_OK) {
    status = read_table(external, run, w.table, traj, err);
  }
  clear_workplace(&w);
  return status;
}

dls_status dls_external_time(const dls_external *external, const dls_external_case *run, double *seconds,
                             dls_error *err)
{
  workplace w = {0};
  dls_status status = make_workplace(&w, err);
  status = status != DLS_OK ? status : start(external, run, &w, seconds, err);
  clear_workplace(&w);
  return status;
}
