/* experiments/request/request_cycle.c -- the limit cycle of a request.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/cycle/cycle.h"
#include "experiments/request/request.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Coordinates named "q3". @return for each whether it drifts; the caller frees it */
static bool *find_drift(const dls_request *r, size_t n, dls_error *err)
{
  bool *drift = calloc(n + 1, sizeof *drift);
  const char *at = r->drift != NULL ? r->drift : "";
  if (drift == NULL) {
    dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu coordinates", n);
    return NULL;
  }
  while (*at != '\0') {
    const size_t length = strcspn(at, ",");
    size_t i = 0;
    char name[32] = "";
    for (; i < n; i++) {
      snprintf(name, sizeof name, "q%zu", i);
      if (strlen(name) == length && strncmp(at, name, length) == 0) {
        break;
      }
    }
    if (i == n) {
      dls_fail(err, DLS_ERR_OPTION, "drift: there is no position '%.*s', there are q0 to q%zu",
               (int)fmin((double)length, 60), at, n - 1);
      free(drift);
      return NULL;
    }
    drift[i] = true;
    at += length + (at[length] == ',');
  }
  return drift;
}

dls_status dls_request_find_cycle(const dls_request *r, dls_system *sys, bool (*poll)(void *data, double t),
                                  void *poll_data, dls_cycle **out, dls_error *err)
{
  bool *drift = find_drift(r, sys->n, err);
  if (drift == NULL) {
    return err->status;
  }
  const dls_cycle_spec spec = {.sys = sys,
                               .model = r->model.model->name,
                               .choice = r->spec.schemes,
                               .kind = r->cycle_kind,
                               .contact = r->cycle_contact,
                               .drift = drift,
                               .end = r->spec.end,
                               .poll = poll,
                               .poll_data = poll_data};
  const dls_status status = dls_cycle_find(&spec, out, err);
  free(drift);
  if (status == DLS_OK) {
    memcpy(sys->q0, (*out)->q, sys->n * sizeof *sys->q0);
    memcpy(sys->v0, (*out)->v, sys->n * sizeof *sys->v0);
  }
  return status;
}
