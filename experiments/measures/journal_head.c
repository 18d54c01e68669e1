/* experiments/measures/journal_head.c -- what the runs of a study depend on, in words and as a number.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/hash.h"
#include "common/base/text.h"
#include "experiments/campaign/machine.h"
#include "experiments/extra/foreign/external.h"
#include "experiments/measures/order_journal.h"
#include <delassus/catalogue.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Matrices, initial data, ...: also what was read from files, wherever they are. */
static dls_status digest_system(const dls_order_spec *spec, uint64_t *digest, dls_error *err)
{
  dls_system *sys = NULL;
  dls_status status = dls_model_create(spec->model, spec->parameters, &sys, err);
  status = status != DLS_OK ? status : dls_system_digest(sys, digest, err);
  dls_system_destroy(sys);
  return status;
}

static void put_model(const dls_order_spec *spec, uint64_t digest, FILE *out)
{
  const dls_option *parameters = spec->model->parameters;
  fprintf(out, "# model: %s\n", spec->model->name);
  for (size_t i = 0; i < dls_option_count(parameters); i++) {
    char value[40];
    dls_option_format(&parameters[i], spec->parameters != NULL ? spec->parameters[i] : parameters[i].initial,
                      value, sizeof value);
    fprintf(out, "# parameter: %s=%s\n", parameters[i].name, value);
  }
  fprintf(out, "# system: %016" PRIx64 "%s\n", digest,
          spec->model->origin != NULL ? " (contents of the files)" : "");
}

static void put_sequence(const char *key, double first, double last, size_t levels, FILE *out)
{
  if (levels > 0) {
    fprintf(out, "# %s: %.17g to %.17g, %zu levels\n", key, first, last, levels);
  }
}

static void put_measures(const dls_order_spec *spec, FILE *out)
{
  for (size_t i = 0; i < spec->norm_count; i++) {
    fprintf(out, "# norm: %s\n", spec->norms[i]->name);
  }
  for (size_t i = 0; i < spec->of_count; i++) {
    fprintf(out, "# of: %s\n", spec->of[i]);
  }
  fprintf(out, "# metric: time scale %.17g, value scale %.17g, accuracy %.17g\n", spec->metric.time_scale,
          spec->metric.value_scale, spec->metric.accuracy);
  const bool exact =
      spec->reference == DLS_REFERENCE_EXACT && dls_catalogue_exact(spec->catalogue, spec->model->name) != NULL;
  fprintf(out, "# reference: %s\n", exact ? "exact" : "event-driven");
  if (spec->check_reference) {
    fputs("# check_reference: yes\n", out);
  }
}

static void put_start(const dls_start *start, FILE *out)
{
  if (start->tolerance > 0) {
    fprintf(out, "# start_tolerance: %.17g\n", start->tolerance);
  }
  if (start->project) {
    fputs("# project_start: yes\n", out);
  }
}

static void put_key(void *data, const char *key, const char *value)
{
  fprintf(data, "# %s: %s\n", key, value);
}

/* With the contents of the programs. */
static void put_schemes(const dls_order_spec *spec, FILE *out)
{
  for (size_t i = 0; i < spec->scheme_count; i++) {
    const dls_scheme_choice *choice = &spec->schemes[i];
    const dls_external *external = dls_external_of(choice->scheme);
    fprintf(out, "# scheme: %s%s%s\n", choice->scheme->name, choice->options[0] != '\0' ? ":" : "",
            choice->options);
    if (external != NULL) {
      dls_external_describe(external, put_key, out);
    }
  }
}

/* The compiler decides about the last digits: what is resumed must be as if it had never stopped. The processor decides
 * about seconds, and where they are measured it is an input. */
static void put_inputs(const dls_order_spec *spec, uint64_t digest, FILE *out)
{
  fprintf(out, "# version: delassus %s\n# compiler: %s\n", DLS_VERSION, dls_machine_compiler);
  put_model(spec, digest, out);
  put_schemes(spec, out);
  put_start(&spec->start, out);
  fprintf(out, "# end: %.17g\n", spec->end);
  if (spec->norm_count == 0) {
    return;
  }
  put_sequence("steps", spec->h_first, spec->h_last, spec->levels, out);
  put_sequence("tolerances", spec->tol_first, spec->tol_last, spec->tol_levels, out);
  fprintf(out, "# repeats: %zu\n# seed: %lu\n# timings: %zu\n", spec->repeats, spec->seed, spec->timings);
  if (spec->timings > 0) {
    char cpu[DLS_CPU_ROOM];
    dls_machine_cpu(cpu, sizeof cpu);
    fprintf(out, DLS_JOURNAL_CPU "%s\n", cpu);
  }
  put_measures(spec, out);
}

dls_status dls_journal_head(const dls_order_spec *spec, char **text, uint64_t *hash, dls_error *err)
{
  return dls_journal_head_with(spec, NULL, NULL, text, hash, err);
}

dls_status dls_journal_head_with(const dls_order_spec *spec, void (*put)(const void *data, FILE *out),
                                 const void *data, char **text, uint64_t *hash, dls_error *err)
{
  uint64_t digest = 0;
  size_t size = 0;
  *text = NULL;
  const dls_status status = digest_system(spec, &digest, err);
  if (status != DLS_OK) {
    return status;
  }
  FILE *out = dls_text_stream(text, &size);
  if (out != NULL) {
    const locale_t before = dls_text_begin_c_locale();
    fputs(DLS_JOURNAL_MAGIC DLS_JOURNAL_FORMAT "\n", out);
    put_inputs(spec, digest, out);
    if (put != NULL) {
      put(data, out);
    }
    fflush(out);
    *hash = dls_hash(DLS_HASH_START, *text, size);
    fprintf(out, "# hash: %016" PRIx64 "\n", *hash);
    dls_text_end_c_locale(before);
  }
  if (out == NULL || fclose(out) != 0) {
    free(*text);
    *text = NULL;
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the inputs of a study");
  }
  return DLS_OK;
}
