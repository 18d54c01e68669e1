/* experiments/request/yaml/yaml_values.h -- single values of a file, with every complaint at its place.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_YAML_VALUES_H
#define DELASSUS_EXPERIMENTS_YAML_VALUES_H

#include "experiments/request/yaml/yaml_tree.h"

typedef struct dls_yaml_reader {
  dls_pool *pool;
  dls_yaml_sink sink; /* told of what is wrong */
} dls_yaml_reader;

void dls_yaml_report(const dls_yaml_reader *r, dls_yaml_mark mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Position of name among names, or count. */
size_t dls_yaml_find(const char *name, const char *const *names, size_t count);
/* "names[0], names[1], ..." in the pool; "" if there is no memory. */
const char *dls_yaml_list(dls_yaml_reader *r, const char *const *names, size_t count);
/* "; did you mean 'NEAR'?" or ".", in the pool. */
const char *dls_yaml_guess(dls_yaml_reader *r, const char *name, const char *const *names, size_t count);
/* Tell of every key of a mapping that is none of count names. @param[in] where  "here", "in an entry of expect" */
void dls_yaml_refuse_unknown(dls_yaml_reader *r, const dls_yaml_node *mapping, const char *const *names,
                             size_t count, const char *where);
/* The text of a single value; NULL and told if it is a list or a mapping, or empty. */
const char *dls_yaml_text(dls_yaml_reader *r, const dls_yaml_node *node, const char *what);
/* A finite number; NaN and told if it is none. */
double dls_yaml_number(dls_yaml_reader *r, const dls_yaml_node *node, const char *what);
/* An integer in [min, max]; NaN and told if it is none. */
double dls_yaml_integer(dls_yaml_reader *r, const dls_yaml_node *node, const char *what, double min,
                        double max);

#endif
