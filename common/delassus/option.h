/* delassus/option.h -- named values with unit, default and range: scheme options and model parameters.
 * One table drives defaults, checks, --help, `show` and the documentation.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_OPTION_H
#define DELASSUS_OPTION_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dls_option_kind { DLS_REAL, DLS_INTEGER, DLS_CHOICE } dls_option_kind;

enum { DLS_OPEN_MIN = 1, DLS_OPEN_MAX = 2 }; /* dls_option.open: that end of the interval is excluded */

/** One line of a table; a table ends with {0}, NULL is an empty table. Every value is held as a double. */
typedef struct dls_option {
  const char *name, *unit, *help; /* unit "1" for a pure number, "" for a choice */
  double initial, min, max;       /* default, then the interval allowed; min, max ignored for DLS_CHOICE */
  dls_option_kind kind;
  unsigned open;
  const char *const *choices; /* DLS_CHOICE only: ends with NULL; the value is the index */
  size_t at;                  /* offset in the struct that dls_option_fill fills; 0 in tables without one */
} dls_option;

/* Lines of a table: a real number, an integer, a choice. */
#define DLS_NUMBER(name, unit, help, initial, min, max, open)                                                  \
  {                                                                                                            \
    name, unit, help, initial, min, max, DLS_REAL, open, NULL, 0                                               \
  }
#define DLS_COUNT(name, help, initial, min, max)                                                               \
  {                                                                                                            \
    name, "1", help, initial, min, max, DLS_INTEGER, 0, NULL, 0                                                \
  }
#define DLS_ONE_OF(name, help, initial, choices)                                                               \
  {                                                                                                            \
    name, "", help, initial, 0, 0, DLS_CHOICE, 0, choices, 0                                                   \
  }
/* Lines of a table whose values are members of a struct: the field of that name of `type`, which is at offset `base` in the
 * struct of the table. It is a double, a size_t and an int; with another type this does not compile. */
#define DLS_FIELD(base, type, field, kind)                                                                     \
  ((base) + offsetof(type, field) + 0 * sizeof((kind *)NULL == &((type *)NULL)->field))
#define DLS_REAL_OPTION(base, type, field, unit, help, initial, min, max, open)                                \
  {                                                                                                            \
#field, unit, help, initial, min, max, DLS_REAL, open, NULL, DLS_FIELD(base, type, field, double)          \
  }
#define DLS_INTEGER_OPTION(base, type, field, help, initial, min, max)                                         \
  {                                                                                                            \
#field, "1", help, initial, min, max, DLS_INTEGER, 0, NULL, DLS_FIELD(base, type, field, size_t)           \
  }
#define DLS_CHOICE_OPTION(base, type, field, help, initial, choices)                                           \
  {                                                                                                            \
#field, "", help, initial, 0, 0, DLS_CHOICE, 0, choices, DLS_FIELD(base, type, field, int)                 \
  }

extern const char *const dls_off_on[]; /* {"off", "on", NULL}, for switches */

size_t dls_option_count(const dls_option *table);

/** values[dls_option_count(table)] := the defaults. */
void dls_option_defaults(const dls_option *table, double *values);

/** The fields of a struct := values, as their kinds are. */
void dls_option_fill(const dls_option *table, const double *values, void *fields);

/**
 * Refuse values that are given, that is differ from the default, where they would have no effect.
 * @param[in] owner   e.g. "scheme spring-damper"
 * @param[in] unused  offsets of the fields without effect, count of them
 * @param[in] with    for the message, e.g. "law=hunt-crossley"
 * @return DLS_OK; DLS_ERR_OPTION
 */
dls_status dls_option_unused(const dls_option *table, const void *fields, const char *owner, size_t count,
                             const size_t *unused, const char *with, dls_error *err);

/** Position of name in table, or -1. */
int dls_option_find(const dls_option *table, const char *name);

/** May the option have this value: finite, in range, an integer where one is asked for? */
bool dls_option_allows(const dls_option *option, double value);
/**
 * Set one value by name.
 * @param[in] owner  for the message, e.g. "scheme moreau-jean"
 * @return DLS_OK; DLS_ERR_OPTION if the name is unknown (the message lists the names and guesses the one
 *         meant), or the value is not finite, out of range, or no integer where one is asked for
 */
dls_status dls_option_set(const dls_option *table, const char *owner, const char *name, double value,
                          double *values, dls_error *err);

/** Set one value from "name=text"; text is a number (C locale) or the name of a choice. */
dls_status dls_option_parse(const dls_option *table, const char *owner, const char *assignment, double *values,
                            dls_error *err);

/** Write a value as text that dls_option_parse reads back ("%.17g" shortened, or the choice's name). */
void dls_option_format(const dls_option *option, double value, char *text, size_t size);

/** Write the interval or the choices allowed, e.g. "[0.5, 1]", "(0, inf)", "adams|bdf". */
void dls_option_range(const dls_option *option, char *text, size_t size);

/** Read one finite number, the whole text, C locale. @return DLS_ERR_PARSE with `what` in the message */
dls_status dls_parse_number(const char *what, const char *text, double *value, dls_error *err);

/** The shortest of count names that text begins (three letters or more), else the nearest by edit distance, of equals the one
 * with the longer common beginning; NULL if none is near. */
const char *dls_nearest_name(const char *text, const char *const *names, size_t count);

#ifdef __cplusplus
}
#endif

#endif
