/* delassus/direction.h -- a parameter of a model as a direction for derivatives: the systems that the model makes of neighbouring values.
 * So every parameter of every model has derivatives, initial data and coefficients of laws included.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_DIRECTION_H
#define DELASSUS_DIRECTION_H

#include <delassus/error.h>
#include <delassus/model.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DLS_DIRECTION_NAME = 40, DLS_DIRECTION_SYSTEMS = 3 };

/** A parameter p: d f/dp = sum of weight[i] f(system[i]), of systems with values of p near the given one. Its error is of second order
 * in their distance, 2^-17 of the size of p, and round-off is 1e-11 of f/size. */
typedef struct dls_direction {
  char name[DLS_DIRECTION_NAME];
  double value;        /* of p in the run */
  double size;         /* of p for distances and comparisons; 0: that of its value */
  bool one_sided;      /* the range of p ends at its value */
  bool below_rounding; /* what p changes is below the rounding of the data: differences have no digits */
  double rounding;     /* of differences of forces, of the largest change; 0: below 1e-6 */
  bool
      falling; /* where the derivative differs for falling and rising p, take that for falling p; else for rising p */
  size_t count; /* of the systems, 2 or 3 */
  dls_system *system[DLS_DIRECTION_SYSTEMS];
  double weight[DLS_DIRECTION_SYSTEMS];
  double offset[DLS_DIRECTION_SYSTEMS]; /* of their values of p */
} dls_direction;

/**
 * The direction of one parameter. Where data of the system change by less than 2^-10 of its scales as p changes by its size, that
 * is enlarged, up to that of the default: mu = 1e-9 then has neighbours at 1e-6. So differences keep their digits.
 * @param[in]  parameters  of the model, one value each; NULL: the defaults
 * @param[out] out         to be released, also after a failure
 * @return DLS_OK; DLS_ERR_OPTION if the model has no such parameter, or if its values are whole numbers or choices; DLS_ERR_ARG if no
 *         system can be made on either side; DLS_ERR_MEMORY
 */
dls_status dls_direction_create(const dls_model *model, const double *parameters, const char *name,
                                dls_direction *out, dls_error *err);
/** The same with another distance, `relative` of that size; a power of two. */
dls_status dls_direction_create_near(const dls_model *model, const double *parameters, const char *name,
                                     double relative, dls_direction *out, dls_error *err);
/** The same with neighbouring values p - distance and p + distance, or on one side; distance > 0, in the unit of p. */
dls_status dls_direction_create_at(const dls_model *model, const double *parameters, const char *name,
                                   double distance, dls_direction *out, dls_error *err);
/** The size of parameter p by its table: that of its value, of its default, or 1; a power of two. */
double dls_direction_size(const dls_option *option, double value);
/** The size of p in comparisons with derivatives by it: never 0. */
static inline double dls_direction_unit(const dls_direction *d)
{
  return d->size > 0 ? d->size : d->value != 0 ? (d->value > 0 ? d->value : -d->value) : 1;
}
void dls_direction_release(dls_direction *direction);

#ifdef __cplusplus
}
#endif

#endif
