/* experiments/campaign/provenance.c -- commit, compiler, libraries as they are linked at run time, plugins.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/provenance.h"
#include "experiments/campaign/machine.h"
#include "experiments/catalogue/catalogue_entries.h"
#include "experiments/extra/foreign/external.h"

#include "common/base/text.h"
#include <cholmod.h>
#include <gsl/gsl_version.h>
#include <klu.h>
#include <sundials/sundials_version.h>
#include <umfpack.h>
#include <yaml.h>

/* "SUNDIALS 6.4.1, GSL 2.7.1, CHOLMOD 3.0.14, KLU 1.3.9, UMFPACK 5.7.9, libyaml 0.2.5" */
static void list_libraries(char *text, size_t size)
{
  char sundials[40] = "?";
  SUNDIALSGetVersion(sundials, sizeof sundials);
  text[0] = '\0';
  dls_text_append(text, size,
                  "SUNDIALS %s, GSL %s, CHOLMOD %d.%d.%d, KLU %d.%d.%d, UMFPACK %d.%d.%d, libyaml %s", sundials,
                  gsl_version, CHOLMOD_MAIN_VERSION, CHOLMOD_SUB_VERSION, CHOLMOD_SUBSUB_VERSION,
                  KLU_MAIN_VERSION, KLU_SUB_VERSION, KLU_SUBSUB_VERSION, UMFPACK_MAIN_VERSION,
                  UMFPACK_SUB_VERSION, UMFPACK_SUBSUB_VERSION, yaml_get_version_string());
}

void dls_provenance(const dls_catalogue *catalogue,
                    void (*take)(void *data, const char *key, const char *value), void *data)
{
  char libraries[240];
  list_libraries(libraries, sizeof libraries);
  take(data, "commit", dls_machine_commit);
  take(data, "compiler", dls_machine_compiler);
  take(data, "libraries", libraries);
  for (size_t i = 0; i < dls_catalogue_plugin_count(catalogue); i++) {
    take(data, "plugin", dls_catalogue_plugin(catalogue, i));
  }
  for (size_t i = 0; catalogue != NULL && i < catalogue->external_count; i++) {
    dls_external_describe(catalogue->externals[i], take, data);
  }
}

typedef struct writer {
  FILE *out;
  const char *lead;
} writer;

static void write_item(void *data, const char *key, const char *value)
{
  const writer *w = data;
  fprintf(w->out, "%s%s: %s\n", w->lead, key, value);
}

void dls_provenance_write(const dls_catalogue *catalogue, const char *lead, FILE *out)
{
  dls_provenance(catalogue, write_item, &(writer){out, lead});
}

void dls_provenance_stamp(const dls_catalogue *catalogue, FILE *out)
{
  write_item(&(writer){out, "# "}, "delassus", DLS_VERSION);
  dls_provenance_write(catalogue, "# ", out);
}

typedef struct noter {
  dls_trajectory *traj;
  dls_status status;
  dls_error *err;
} noter;

static void note_item(void *data, const char *key, const char *value)
{
  noter *n = data;
  n->status = n->status != DLS_OK ? n->status : dls_trajectory_note(n->traj, n->err, key, "%s", value);
}

dls_status dls_provenance_note(const dls_catalogue *catalogue, dls_trajectory *traj, dls_error *err)
{
  noter n = {traj, DLS_OK, err};
  dls_provenance(catalogue, note_item, &n);
  return n.status;
}
