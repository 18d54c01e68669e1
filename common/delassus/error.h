/* delassus/error.h -- status codes and the message that goes with them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ERROR_H
#define DELASSUS_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

/* Zero: done. Positive: news. Negative: failure. */
#define DLS_STATUS_LIST(X)                                                                                     \
  X(DLS_OK, 0, "done")                                                                                         \
  X(DLS_ERR_ARG, -1, "invalid argument")                                                                       \
  X(DLS_ERR_MEMORY, -2, "out of memory")                                                                       \
  X(DLS_ERR_OPTION, -3, "name unknown or value out of range")                                                  \
  X(DLS_ERR_PARSE, -4, "malformed input")                                                                      \
  X(DLS_ERR_NOT_APPLICABLE, -5, "the scheme or measure does not apply")                                        \
  X(DLS_ERR_NOCONV, -6, "an iteration did not converge")                                                       \
  X(DLS_ERR_LCP, -7, "the complementarity problem was not solved")                                             \
  X(DLS_ERR_SINGULAR, -8, "a matrix is singular")                                                              \
  X(DLS_ERR_NONFINITE, -9, "a value is not finite")                                                            \
  X(DLS_ERR_PENETRATION, -10, "a contact is violated beyond tolerance")                                        \
  X(DLS_ERR_CHATTERING, -11, "too many events")                                                                \
  X(DLS_ERR_INTEGRATOR, -12, "the smooth integrator failed")                                                   \
  X(DLS_ERR_IO, -13, "a file could not be read or written")                                                    \
  X(DLS_ERR_INTERRUPTED, -14, "interrupted")                                                                   \
  X(DLS_ERR_LIMIT, -15, "a limit that was set is reached")                                                     \
  X(DLS_ERR_PAINLEVE, -16, "contact forces with friction do not exist")

#define DLS_STATUS_ENUM(name, value, text) name = value,
typedef enum dls_status { DLS_STATUS_LIST(DLS_STATUS_ENUM) } dls_status;

/** What went wrong; the caller's own, may be NULL wherever it is passed. */
typedef struct dls_error {
  dls_status status;
  char text[400]; /* what, where, the value, what is allowed; never empty after a failure */
} dls_error;

/** One line for a status code, e.g. "out of memory". */
const char *dls_status_text(dls_status status);

/**
 * Fill err (if not NULL) with status and a printf-style message, and return status,
 * so that `return dls_fail(err, ...)` is one line.
 */
dls_status dls_fail(dls_error *err, dls_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#ifdef __cplusplus
}
#endif

#endif
