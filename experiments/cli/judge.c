/* experiments/cli/judge.c -- `delassus judge`: the files of any program against the solution of a model.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/judge/judge.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/errors.h"
#include "experiments/cli/file_impulses.h"
#include "experiments/cli/foreign_tables.h"
#include "experiments/cli/judge_verdict.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/report_page.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FILES = 100000 };

static const dls_cli_file files[] = {{.name = "errors.csv", .write_order = dls_order_write_errors},
                                     {.name = "orders.csv", .write_order = dls_order_write_orders},
                                     {.name = "contacts.csv", .write_judgement = dls_judgement_write_contacts},
                                     {.name = "study.txt", .write_order = dls_order_write_report},
                                     {0}};

/* Everything read, with the pool that has its strings. */
typedef struct reading {
  const dls_cli_args *args;
  dls_pool *pool;
  dls_foreign_manner manner;
  dls_judged judged;
  const char **programs;
  size_t room;
} reading;

static dls_status no_memory(dls_error *err)
{
  return dls_fail(err, DLS_ERR_MEMORY, "no memory for the names of the files");
}

/* --- which files, of which program --- */

/* The name of the folder of a path, the program; "files" for none. */
static const char *folder_of(dls_pool *pool, const char *path, size_t length)
{
  while (length > 0 && path[length - 1] == '/') {
    length--;
  }
  size_t begin = length;
  while (begin > 0 && path[begin - 1] != '/') {
    begin--;
  }
  const bool none = length == begin || (length - begin == 1 && path[begin] == '.');
  return none ? "files" : dls_pool_copy(pool, path + begin, length - begin);
}

static size_t program_number(reading *r, const char *name)
{
  for (size_t i = 0; i < r->judged.program_count; i++) {
    if (strcmp(r->programs[i], name) == 0) {
      return i;
    }
  }
  r->programs[r->judged.program_count] = name;
  return r->judged.program_count++;
}

static dls_status add_file(reading *r, const char *path, const char *program, dls_error *err)
{
  dls_judged *judged = &r->judged;
  if (judged->count == MOST_FILES) {
    return dls_fail(err, DLS_ERR_ARG, "more than %d files", (int)MOST_FILES);
  }
  if (judged->count == r->room) {
    const size_t room = 2 * r->room + 64;
    dls_judged_file *more = realloc(judged->files, room * sizeof *more);
    const char **programs = realloc(r->programs, room * sizeof *programs);
    judged->files = more != NULL ? more : judged->files;
    judged->programs = r->programs = programs != NULL ? programs : r->programs;
    if (more == NULL || programs == NULL) {
      return no_memory(err);
    }
    r->room = room;
  }
  const char *own = dls_pool_copy(r->pool, path, strlen(path));
  if (own == NULL || program == NULL) {
    return no_memory(err);
  }
  judged->files[judged->count] = (dls_judged_file){.path = own, .program = program_number(r, program)};
  judged->count++;
  return DLS_OK;
}

static int is_table(const struct dirent *entry)
{
  const size_t length = strlen(entry->d_name);
  return entry->d_name[0] != '.' && length > 4 && strcmp(entry->d_name + length - 4, ".csv") == 0;
}

/* All NAME.csv of a folder, by name. */
static dls_status add_folder(reading *r, const char *path, dls_error *err)
{
  struct dirent **entries = NULL;
  const int count = scandir(path, &entries, is_table, alphasort);
  if (count < 0) {
    return dls_fail(err, errno == ENOMEM ? DLS_ERR_MEMORY : DLS_ERR_ARG, "cannot read the folder '%.200s': %s",
                    path, strerror(errno));
  }
  dls_status status = count > 0 ? DLS_OK : dls_fail(err, DLS_ERR_ARG, "'%.200s' has no files NAME.csv", path);
  const char *program = folder_of(r->pool, path, strlen(path));
  for (int i = 0; i < count; i++) {
    const char *name = dls_pool_print(r->pool, "%s/%s", path, entries[i]->d_name);
    status = status != DLS_OK ? status : name == NULL ? no_memory(err) : add_file(r, name, program, err);
    free(entries[i]);
  }
  free(entries);
  return status;
}

static dls_status find_files(reading *r, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 1; i < r->args->positional_count && status == DLS_OK; i++) {
    const char *path = r->args->positional[i], *slash = strrchr(path, '/');
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
      status = add_folder(r, path, err);
    } else {
      status = add_file(r, path, folder_of(r->pool, path, slash != NULL ? (size_t)(slash - path) : 0), err);
    }
  }
  return status;
}

/* --- how they are read --- */

/* --steps H1,H2,..., one for each file; 0: not given. */
static dls_status read_steps(const reading *r, double *steps, dls_error *err)
{
  const char *text = dls_cli_value(r->args, "steps");
  char **fields = NULL;
  size_t count = 0;
  dls_status status = text == NULL ? DLS_OK : dls_cli_split("--steps", text, ',', &fields, &count, err);
  if (status == DLS_OK && text != NULL && count != r->judged.count) {
    status = dls_fail(err, DLS_ERR_ARG, "--steps has %zu steps for %zu files: one for each, in their order",
                      count, r->judged.count);
  }
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    status = dls_parse_number("--steps", fields[i], &steps[i], err);
    if (status == DLS_OK && !(steps[i] > 0)) {
      status = dls_fail(err, DLS_ERR_ARG, "--steps: %s is not > 0", fields[i]);
    }
  }
  free(fields);
  return status;
}

static dls_status read_all(reading *r, dls_error *err)
{
  if (find_files(r, err) != DLS_OK || dls_cli_read_manner(r->args, r->pool, &r->manner, err) != DLS_OK) {
    return err->status;
  }
  double *steps = calloc(r->judged.count + 1, sizeof *steps);
  dls_status status = steps != NULL ? read_steps(r, steps, err) : no_memory(err);
  for (size_t i = 0; i < r->judged.count && status == DLS_OK; i++) {
    dls_judged_file *file = &r->judged.files[i];
    status = dls_judged_read(&r->manner, steps[i], file, err);
    if (status == DLS_OK) {
      dls_cli_report_layout(r->args->command->name, file->path, file->traj,
                            i > 0 ? r->judged.files[i - 1].traj : NULL);
      status = dls_cli_file_impulses(file->path, r->args->catalogue, file->traj, err);
    }
  }
  free(steps);
  return status;
}

/* --- all of it --- */

static int run(const dls_cli_args *args)
{
  dls_error err = {0};
  dls_study_results results = {0};
  dls_cli_request all;
  dls_request *request = &all.request;
  reading r = {.args = args, .pool = &all.pool};
  dls_status status = dls_cli_read_request(args, DLS_STUDY_ORDER, &all, &err);
  if (dls_cli_value(args, "end") == NULL) {
    request->spec.end = 0; /* as far as the files reach */
  }
  dls_cli_let_signals_end(args->command->name); /* while files are read */
  if (status == DLS_OK) {
    status = read_all(&r, &err);
  }
  dls_cli_note_signals_again();
  request->judged = &r.judged;
  int code = status != DLS_OK ? dls_cli_fail(args->command->name, &err)
                              : dls_cli_measure_errors(request, files, &results);
  if (code == DLS_EXIT_DONE && results.judgement != NULL && !dls_cli_all_converge(results.judgement)) {
    code = dls_cli_unmet(args, code);
    if (code == DLS_EXIT_UNMET) {
      dls_cli_message(args->command->name, "a program is not shown to converge (--strict): see the verdict");
    }
  }
  dls_study_results_release(&results);
  for (size_t i = 0; i < r.judged.count; i++) {
    dls_trajectory_destroy(r.judged.files[i].traj);
  }
  free(r.judged.files);
  free(r.programs);
  dls_cli_request_release(&all);
  return code;
}

static const dls_cli_option options[] = {
    {.name = "steps",
     .argument = "H1,H2,...",
     .help = "step of each file in s, in their order; else that of its line '# step: H', or the number in its "
             "name"},
    {0},
};

const dls_cli_command dls_cli_judge = {
    .name = "judge",
    .group = DLS_CLI_MEASURE,
    .synopsis = "MODEL FILE.csv...|DIR...",
    .summary = "trajectories of any program against the true solution: orders, plateaus, restitution, creep",
    .text = "Measure files that another program has written, one for each of its steps, as `order` measures "
            "runs: the\n"
            "column t of each is the time, and two rows with equal t are a jump. Commas, semicolons, tabs or "
            "blanks\n"
            "separate columns. The files of one folder are one program.\n"
            "Says in words whether it converges, at which order or to what else, and what it does at the "
            "contacts:\n"
            "restitution, times of impacts, penetration, creep at rest and of sticking contacts, energy of "
            "flights.\n",
    .page = "guide/my-simulator",
    .examples =
        "  delassus judge bouncing-ball mysim/ --between linear --end 4\n"
        "  delassus judge bouncing-ball a/*.csv b/*.csv --map q0=y,v0=vy --between linear --out verdict\n"
        "  delassus judge bouncing-ball mine/ --map t=time,q0=0.001*pos_mm --between linear\n",
    .options = options,
    .keys = DLS_COMMAND_JUDGE,
    .least = 2,
    .most = (size_t)-1,
    .run = run,
};
