/* dump.c -- the hardest contact problems of a run. Hardest: not solved, then by iterations, then by residual.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/dump.h"
#include <delassus/output.h>
#include <dirent.h>
#include <errno.h>
#include <string.h>

static const double unsolved = 1e-12; /* a residual above this */
static const char ending[] = "-iterations.dat";

/* NNN-ITERATIONS-iterations.dat? */
static bool is_ours(const char *name)
{
  const size_t length = strlen(name), end = sizeof ending - 1;
  return length > end && name[0] >= '0' && name[0] <= '9' && strcmp(name + length - end, ending) == 0;
}

dls_status dls_cli_dump_check(const char *folder, dls_error *err)
{
  DIR *files = folder != NULL ? opendir(folder) : NULL;
  dls_status status = folder != NULL && files == NULL && errno == ENOMEM
                          ? dls_fail(err, DLS_ERR_MEMORY, "--dump-problems: no memory to read '%.200s'", folder)
                          : DLS_OK;
  for (const struct dirent *file; status == DLS_OK && files != NULL && (file = readdir(files)) != NULL;) {
    if (is_ours(file->d_name)) {
      status =
          dls_fail(err, DLS_ERR_ARG,
                   "--dump-problems: '%.100s' has problems of an earlier run, '%.60s' for one: give a folder "
                   "of its own, or remove them",
                   folder, file->d_name);
    }
  }
  if (files != NULL) {
    closedir(files);
  }
  return status;
}

static bool harder(const dls_problem_report *a, const dls_problem_report *b)
{
  const bool a_fails = !(a->residual <= unsolved), b_fails = !(b->residual <= unsolved);
  if (a_fails != b_fails) {
    return a_fails;
  }
  return a->iterations != b->iterations ? a->iterations > b->iterations : a->residual > b->residual;
}

/* Where it belongs among those kept. */
static size_t rank(const dls_cli_dump *dump, const dls_problem_report *report)
{
  size_t k = dump->count;
  while (k > 0 && harder(report, &dump->kept[k - 1].report)) {
    k--;
  }
  return k;
}

static void meet(void *data, const dls_problem *problem, const double *guess, const dls_problem_report *report)
{
  dls_cli_dump *dump = data;
  const size_t place = rank(dump, report);
  dls_cli_dumped met = {.report = *report, .t = dump->sim->t};
  dump->met++;
  if (place == DLS_CLI_DUMP_MOST) {
    return;
  }
  const dls_status status = dls_contact_file_copy(problem, guess, &met.file, NULL);
  if (status != DLS_OK) {
    dump->out_of_memory = dump->out_of_memory || status == DLS_ERR_MEMORY;
    return;
  }
  if (dump->count == DLS_CLI_DUMP_MOST) {
    dls_contact_file_destroy(dump->kept[--dump->count].file);
  }
  memmove(dump->kept + place + 1, dump->kept + place, (dump->count - place) * sizeof *dump->kept);
  dump->kept[place] = met;
  dump->count++;
}

void dls_cli_dump_watch(dls_cli_dump *dump, dls_sim *sim)
{
  *dump = (dls_cli_dump){.sim = sim, .watch = {meet, dump}};
  sim->work.watch = &dump->watch;
}

static dls_status write_one(const dls_cli_dump *dump, size_t k, const char *folder, dls_error *err)
{
  enum { PATH_SIZE = 1024 };
  const dls_cli_dumped *d = &dump->kept[k];
  char path[PATH_SIZE];
  dls_output *out = NULL;
  const int length = snprintf(path, sizeof path, "%s/%03zu-%zu%s", folder, k + 1, d->report.iterations, ending);
  if (length < 0 || length >= PATH_SIZE) {
    return dls_fail(err, DLS_ERR_ARG, "--dump-problems: the name of the folder is too long");
  }
  const dls_status status = dls_output_open(path, &out, err);
  if (status != DLS_OK) {
    return status;
  }
  fprintf(dls_output_stream(out), "# t: %.17g\n# solved by: %s, %zu iterations, residual %.3g\n", d->t,
          d->report.method, d->report.iterations, d->report.residual);
  dls_contact_file_write(dls_output_stream(out), d->file, NULL);
  return dls_output_commit(out, err);
}

dls_status dls_cli_dump_write(const dls_cli_dump *dump, const char *folder, size_t *written, dls_error *err)
{
  dls_status status = dls_output_folder(folder, err);
  *written = 0;
  for (size_t k = 0; k < dump->count && status == DLS_OK; k++) {
    status = write_one(dump, k, folder, err);
    *written += status == DLS_OK;
  }
  return status == DLS_OK && dump->out_of_memory
             ? dls_fail(err, DLS_ERR_MEMORY, "--dump-problems: no memory for all of the hardest problems")
             : status;
}

void dls_cli_dump_release(dls_cli_dump *dump)
{
  for (size_t k = 0; k < dump->count; k++) {
    dls_contact_file_destroy(dump->kept[k].file);
  }
}
