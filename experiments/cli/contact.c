/* experiments/cli/contact.c -- `delassus contact`: contact problems from files, by one method or by all.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/progress.h"
#include "experiments/measures/order/study_tables.h"

#include "common/base/text.h"
#include "experiments/extra/contact_files/fclib.h"
#include "experiments/show/plot_profile.h"
#include <delassus/contact_file.h>
#include <delassus/output.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { MOST_METHODS = 16, PATH_SIZE = 1024 };

typedef struct request {
  const dls_cli_args *args;
  char **paths; /* own */
  size_t count;
  const dls_problem_method *methods[MOST_METHODS];
  dls_problem_solver *solvers[MOST_METHODS];
  size_t method_count;
  double *seconds;          /* count x method_count; infinity: not solved */
  const char *out, *format; /* of the picture; NULL: none */
  dls_picture_form form;
  bool all, several; /* methods; files, or a folder of them */
  size_t unsolved;   /* problems that no method has solved */
  bool headed;       /* the first line is printed */
} request;

/* --- which files --- */

/* Does the name ask for FCLIB's format? */
static bool is_hdf5(const char *name)
{
  const char *end = strrchr(name, '.');
  return end != NULL && (strcmp(end, ".hdf5") == 0 || strcmp(end, ".h5") == 0);
}

static dls_status add_path(request *r, const char *path, dls_error *err)
{
  char **grown = realloc(r->paths, (r->count + 1) * sizeof *grown);
  r->paths = grown != NULL ? grown : r->paths;
  char *copy = grown != NULL ? dls_text_copy(path) : NULL;
  if (copy == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu files", r->count + 1);
  }
  r->paths[r->count++] = copy;
  return DLS_OK;
}

/* The regular files of a folder, by name; hidden ones are left out. */
static dls_status add_folder(request *r, const char *folder, dls_error *err)
{
  struct dirent **entries = NULL;
  const int found = scandir(folder, &entries, NULL, alphasort);
  const size_t before = r->count;
  dls_status status = found >= 0 ? DLS_OK
                                 : dls_fail(err, errno == ENOMEM ? DLS_ERR_MEMORY : DLS_ERR_ARG,
                                            "cannot read the folder %.200s: %s", folder, strerror(errno));
  for (int k = 0; k < found; k++) {
    char path[PATH_SIZE];
    struct stat info;
    const int length = snprintf(path, sizeof path, "%s/%s", folder, entries[k]->d_name);
    if (status == DLS_OK && entries[k]->d_name[0] != '.' && length < PATH_SIZE && stat(path, &info) == 0 &&
        S_ISREG(info.st_mode)) {
      status = add_path(r, path, err);
    }
    free(entries[k]);
  }
  free(entries);
  return status == DLS_OK && r->count == before
             ? dls_fail(err, DLS_ERR_ARG, "there is no file in the folder %.200s", folder)
             : status;
}

static dls_status find_files(request *r, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < r->args->positional_count && status == DLS_OK; i++) {
    const char *path = r->args->positional[i];
    struct stat info;
    if (stat(path, &info) != 0) {
      return dls_fail(err, DLS_ERR_ARG, "there is no file or folder '%.200s'", path);
    }
    r->several = r->several || S_ISDIR(info.st_mode) || r->args->positional_count > 1;
    status = S_ISDIR(info.st_mode) ? add_folder(r, path, err) : add_path(r, path, err);
  }
  return status;
}

/* --- which methods --- */

static dls_status make_solvers(request *r, dls_error *err)
{
  double tolerance = 1e-12, facets = 8;
  if (dls_cli_positive(r->args, "tolerance", &tolerance, err) != DLS_OK ||
      dls_cli_integer(r->args, "facets", 3, 64, &facets, err) != DLS_OK) {
    return err->status;
  }
  const char *name = dls_cli_value(r->args, "method");
  if (r->all && name != NULL) {
    return dls_fail(err, DLS_ERR_ARG, "--method does not go with --all-methods");
  }
  dls_status status = DLS_OK;
  for (size_t k = 0; dls_problem_methods()[k] != NULL && status == DLS_OK; k++) {
    const dls_problem_method *method = dls_problem_methods()[k];
    if (!r->all && k > 0) {
      break;
    }
    dls_problem_solver **solver = &r->solvers[r->method_count];
    status = dls_problem_create(r->all ? method->name : name, tolerance, solver, err);
    if (status == DLS_OK) {
      status = dls_problem_facets(*solver, (size_t)facets, err);
    }
    r->methods[r->method_count++] = method;
  }
  for (size_t k = 0; !r->all && name != NULL && dls_problem_methods()[k] != NULL; k++) {
    const dls_problem_method *method = dls_problem_methods()[k];
    r->methods[0] = strcmp(method->name, name) == 0 ? method : r->methods[0];
  }
  return status;
}

/* --- one problem --- */

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Solve from the guess in the file, repeatedly as long as that takes no time. The least time counts, without readings of a clock
 * that stood still or went back. */
static dls_status solve(dls_problem_solver *solver, dls_contact_file *file, const double *guess,
                        dls_problem_report *report, double *seconds, dls_error *err)
{
  enum { MOST_RUNS = 50 };
  static const double enough = 2e-3; /* s */
  const dls_problem problem = dls_contact_file_problem(file);
  dls_status status = DLS_OK;
  double total = 0;
  *seconds = INFINITY;
  for (int k = 0; k < MOST_RUNS && total < enough; k++) {
    memcpy(file->r, guess, file->dim * file->contacts * sizeof *guess);
    const double begin = now();
    status = dls_problem_solve(solver, &problem, file->r, file->u, report, err);
    const double taken = now() - begin;
    if (taken > 0) {
      *seconds = fmin(*seconds, taken);
      total += taken;
    }
  }
  return status;
}

static void print_row(request *r, const char *path, const dls_contact_file *file, const char *method,
                      dls_status status, const dls_problem_report *report, bool unsolvable, double seconds)
{
  if (!r->headed) {
    printf("file,dim,contacts,method,outcome,residual,residual_abs,iterations,seconds,answered_by,solutions,"
           "stages\n");
    r->headed = true;
  }
  dls_table_field(stdout, path);
  printf(",%zu,%zu,%s,%s,", file->dim, file->contacts, method,
         status == DLS_OK                   ? "solved"
         : status == DLS_ERR_NOT_APPLICABLE ? "refused"
                                            : "not-solved");
  if (status == DLS_ERR_NOT_APPLICABLE) {
    printf(",,,,,,\n");
  } else {
    char stages[200];
    dls_problem_stages_text(report, stages, sizeof stages);
    printf("%.3g,%.3g,%zu,%.3g,%s,", report->residual, report->residual_abs, report->iterations, seconds,
           report->method);
    if (report->solutions > 0 || unsolvable) {
      printf("%zu", unsolvable ? 0 : report->solutions);
    }
    printf(",%s\n", stages);
  }
  fflush(stdout);
}

static dls_status write_answer(const request *r, const char *path, const dls_contact_file *file,
                               const dls_problem_report *report, dls_error *err)
{
  char target[PATH_SIZE];
  const char *slash = strrchr(path, '/');
  const int length = r->several
                         ? snprintf(target, sizeof target, "%s/%s", r->out, slash != NULL ? slash + 1 : path)
                         : snprintf(target, sizeof target, "%s", r->out);
  dls_output *out = NULL;
  if (length >= PATH_SIZE) {
    return dls_fail(err, DLS_ERR_ARG, "--out: the name of the answer to %.100s is too long", path);
  }
  const dls_status status = dls_output_open(target, &out, err);
  if (status != DLS_OK) {
    return status;
  }
  if (!is_hdf5(target)) {
    dls_contact_file_write(dls_output_stream(out), file, report);
    return dls_output_commit(out, err);
  }
  const dls_status written = dls_contact_file_write_fclib(dls_output_stream(out), file, report, err);
  if (written != DLS_OK) {
    dls_output_abandon(out);
  }
  return written != DLS_OK ? written : dls_output_commit(out, err);
}

/* Whether there is no solution, and how many; false and 0 where it is not known. @return DLS_OK or DLS_ERR_MEMORY */
static dls_status count_solutions(const request *r, size_t m, const dls_contact_file *file, dls_status solved,
                                  dls_problem_report *report, bool *unsolvable, dls_error *err)
{
  const dls_problem problem = dls_contact_file_problem(file);
  dls_status status = DLS_OK;
  *unsolvable = false;
  if (solved == DLS_ERR_LCP || solved == DLS_ERR_NOCONV) {
    status = dls_problem_unsolvable(r->solvers[m], &problem, unsolvable, err);
  } else if (solved == DLS_OK && report->solutions == 0) {
    status = dls_problem_count(r->solvers[m], &problem, &report->solutions, err);
  }
  return status == DLS_ERR_MEMORY ? status : DLS_OK;
}

/* By method m. @return DLS_OK, also where it fails; else what is wrong with the request or the answer's file, or that there is no memory
 */
static dls_status try_method(request *r, size_t index, size_t m, dls_contact_file *file, const double *guess,
                             bool *any, dls_error *err)
{
  const char *path = r->paths[index];
  dls_problem_report report = {0};
  dls_error reason = {0};
  double seconds = 0;
  const dls_status solved = solve(r->solvers[m], file, guess, &report, &seconds, &reason);
  if (solved == DLS_ERR_NOT_APPLICABLE && !r->all && !r->several) {
    return dls_fail(err, solved, "%s", reason.text);
  }
  bool unsolvable = false;
  if (solved == DLS_ERR_MEMORY) {
    return dls_fail(err, solved, "%.150s: %.150s", path, reason.text);
  }
  const dls_status counted = count_solutions(r, m, file, solved, &report, &unsolvable, err);
  if (counted != DLS_OK) {
    return counted;
  }
  if (unsolvable && !r->all) {
    dls_cli_message(r->args->command->name,
                    "%s: this contact problem has no solution: each combination of open, stick and slip "
                    "is contradictory or violates a law",
                    path);
  } else if (solved == DLS_ERR_NONFINITE || (solved != DLS_OK && !r->all)) {
    dls_cli_message(r->args->command->name, "%s: %s", path, reason.text);
  }
  *any = *any || solved == DLS_OK;
  r->seconds[index * r->method_count + m] = solved == DLS_OK ? seconds : INFINITY;
  print_row(r, path, file, r->methods[m]->name, solved, &report, unsolvable, seconds);
  if (r->out == NULL || r->all || solved == DLS_ERR_NOT_APPLICABLE) {
    return DLS_OK;
  }
  dls_cli_note_signals_again(); /* the answer is written whole */
  return write_answer(r, path, file, &report, err);
}

static dls_status work_on(request *r, size_t index, dls_error *err)
{
  dls_contact_file *file = NULL;
  dls_status status = dls_contact_file_read(r->paths[index], &file, err);
  if (status != DLS_OK) {
    return status;
  }
  const size_t size = dls_size_product(file->contacts, file->dim * sizeof(double));
  double *guess = malloc(size);
  bool any = false;
  if (guess == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu contacts", file->contacts);
  } else {
    memcpy(guess, file->r, size);
  }
  for (size_t m = 0; m < r->method_count && status == DLS_OK; m++) {
    status = try_method(r, index, m, file, guess, &any, err);
  }
  r->unsolved += !any;
  free(guess);
  dls_contact_file_destroy(file);
  return status;
}

/* --- all --- */

static dls_status write_profile(const request *r, dls_error *err)
{
  char path[PATH_SIZE];
  const char *names[MOST_METHODS];
  dls_output *out = NULL;
  for (size_t m = 0; m < r->method_count; m++) {
    names[m] = r->methods[m]->name;
  }
  const dls_profile profile = {r->count, r->method_count, names, r->seconds};
  snprintf(path, sizeof path, "%s/profile.csv", r->out);
  dls_status status = dls_output_open(path, &out, err);
  if (status != DLS_OK) {
    return status;
  }
  status = dls_profile_write(dls_output_stream(out), &profile, err);
  if (status != DLS_OK) {
    dls_output_abandon(out);
    return status;
  }
  status = dls_output_commit(out, err);
  if (status != DLS_OK || r->format == NULL) {
    return status;
  }
  snprintf(path, sizeof path, "%s/profile.%s", r->out, r->format);
  const dls_canvas canvas = dls_canvas_file(path, &r->form);
  return dls_profile_draw(&profile, &canvas, err);
}

static dls_status prepare(request *r, dls_error *err)
{
  r->all = dls_cli_value(r->args, "all-methods") != NULL;
  r->out = dls_cli_value(r->args, "out");
  dls_request options;
  if (dls_cli_read_options(r->args, &options, err) != DLS_OK || find_files(r, err) != DLS_OK ||
      make_solvers(r, err) != DLS_OK) {
    return err->status;
  }
  r->form = options.form;
  r->format = options.format;
  r->seconds = calloc(dls_size_product(r->count, r->method_count), sizeof *r->seconds);
  if (r->seconds == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu files", r->count);
  }
  if (r->out == NULL) {
    return DLS_OK;
  }
  if (r->all || r->several) {
    return dls_output_folder(r->out, err);
  }
  const dls_status status = is_hdf5(r->out) ? dls_fclib_check(err) : DLS_OK;
  return status != DLS_OK ? status : dls_cli_check_output(r->out, err);
}

static int run_request(request *r, dls_error *err)
{
  dls_status status = prepare(r, err);
  for (size_t k = 0; k < r->count && status == DLS_OK && dls_cli_signal() == 0; k++) {
    dls_cli_let_signals_end(r->args->command->name);
    status = work_on(r, k, err);
    dls_cli_note_signals_again();
  }
  if (status == DLS_OK && r->all && r->out != NULL) {
    status = write_profile(r, err);
  }
  if (status != DLS_OK) {
    return dls_cli_fail(r->args->command->name, err);
  }
  if (r->unsolved > 0 && r->all) { /* with one method each has a message of its own */
    dls_cli_message(r->args->command->name,
                    "no method solves %zu of %zu problems: the table has the outcome of each", r->unsolved,
                    r->count);
  }
  return r->unsolved > 0 ? DLS_EXIT_FAILED : DLS_EXIT_DONE;
}

static int run(const dls_cli_args *args)
{
  dls_error err = {0};
  request r = {.args = args};
  const int code = run_request(&r, &err);
  for (size_t k = 0; k < r.count; k++) {
    free(r.paths[k]);
  }
  for (size_t m = 0; m < r.method_count; m++) {
    dls_problem_destroy(r.solvers[m]);
  }
  free(r.paths);
  free(r.seconds);
  return code;
}

static const dls_cli_option options[] = {
    {.name = "method", .argument = "NAME", .help = "method (default auto); `delassus list solvers` names them"},
    {.name = "all-methods", .help = "every method on every problem; with --out a performance profile"},
    {.name = "tolerance", .argument = "RES", .help = "scaled residual accepted (default 1e-12)"},
    {.name = "facets", .argument = "K", .help = "facets of the method `faceted`, 3 to 64 (default 8)"},
    {.name = "out",
     .argument = "FILE|FOLDER",
     .help =
         "the answer: the problem with status, r, u and residual; of several problems a folder of answers, "
         "with "
         "--all-methods a folder for profile.csv and the picture profile; FILE.hdf5 or .h5 is written as FCLIB "
         "does"},
    {0},
};

const dls_cli_command dls_cli_contact = {
    .name = "contact",
    .group = DLS_CLI_SIMULATE,
    .synopsis = "FILE|FOLDER...",
    .summary = "solve contact problems from files, by one method or by all",
    .text =
        "Solve u = W r + q with the law of Coulomb (dim 2 or 3) or without friction (dim 1) at every contact.\n"
        "A file holds `dim D`, `contacts m`, `mu` and m values, `q` and D m values, `W NNZ` and NNZ rows\n"
        "`i j value` counted from 0, in the order N, T1, T2 inside a contact; # begins a comment. Or it is\n"
        "one of FCLIB's (HDF5) with a local problem. Prints a\n"
        "CSV line for every problem and method: the scaled residual of the natural map, recomputed outside\n"
        "of the method, the same in m/s, iterations, the least CPU time of some runs, and the number of\n"
        "solutions where it can be computed: in the plane up to 8 contacts with friction, one in space; 0: it "
        "is\n"
        "proven that there is none. Exit\n"
        "status 1 if no method solved one of the problems; answers that did not converge are written with\n"
        "their residual.\n",
    .page = "reference/contact-problems",
    .examples = "  delassus contact box.dat\n"
                "  delassus contact box.dat --method nsgs --out answer.dat\n"
                "  delassus contact problems/ --all-methods --out profile\n",
    .options = options,
    .keys = DLS_COMMAND_CONTACT,
    .least = 1,
    .most = 1000,
    .run = run,
};
