/* experiments/request/mechanism/mechanism_reader.h -- what the readers of bodies and of what joins them share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_MECHANISM_READER_H
#define DELASSUS_EXPERIMENTS_MECHANISM_READER_H

#include "common/models/multibody/mechanism.h"
#include "experiments/request/mechanism/mechanism_file.h"

/* A point of a body that the file names. */
typedef struct dls_named_point {
  const char *name;
  dls_end end;
} dls_named_point;

typedef struct dls_mechanism_reader {
  dls_yaml_reader *yaml;
  dls_mechanism m; /* what is read so far; dim 0: not known */
  dls_body *bodies;
  dls_named_point *points; /* of all bodies; m.mark_count of them, in the order of m.marks */
  bool failed;             /* something is wrong, and told */
} dls_mechanism_reader;

/* A number or a list of numbers. Reports a list of the wrong length, or a value that is not a list. */
typedef struct dls_field {
  const char *key;
  double *to;
  size_t count; /* 0: a single number */
  bool required;
} dls_field;

/* Something is wrong. */
void dls_mechanism_report(dls_mechanism_reader *r, dls_yaml_mark mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The values of fields, up to key NULL, of a mapping. */
void dls_mechanism_read_fields(dls_mechanism_reader *r, const dls_yaml_node *mapping, const dls_field *fields);
void dls_mechanism_read_numbers(dls_mechanism_reader *r, const dls_yaml_node *node, const char *what,
                                size_t count, double *to);
/* A name of a part; `other` if there is none. */
void dls_mechanism_read_name(dls_mechanism_reader *r, const dls_yaml_node *mapping, const char *other,
                             char name[DLS_PART_NAME]);
/* A word of a list; count, and told, if it is none of them. */
size_t dls_mechanism_read_word(dls_mechanism_reader *r, const dls_yaml_node *node, const char *what,
                               const char *const *words, size_t count);
/* Refuse keys of a mapping that are not among names, and what is no mapping. @return whether it is a mapping */
bool dls_mechanism_check_keys(dls_mechanism_reader *r, const dls_yaml_node *mapping, const char *const *names,
                              size_t count, const char *where);
/* The entries of a list that may be left out: each to `read` with its position; what is no list is told. */
void dls_mechanism_read_list(dls_mechanism_reader *r, const dls_yaml_node *list, const char *what,
                             void (*read)(dls_mechanism_reader *r, const dls_yaml_node *entry, size_t i));

/* --- readers of entries, into arrays that have room for them --- */
void dls_mechanism_read_body(dls_mechanism_reader *r, const dls_yaml_node *entry, size_t i);
void dls_mechanism_read_joint(dls_mechanism_reader *r, const dls_yaml_node *entry, size_t i);
void dls_mechanism_read_spring(dls_mechanism_reader *r, const dls_yaml_node *entry, size_t i);
void dls_mechanism_read_contact(dls_mechanism_reader *r, const dls_yaml_node *entry, size_t i);

#endif
