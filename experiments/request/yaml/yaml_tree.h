/* experiments/request/yaml/yaml_tree.h -- a YAML file as a tree in which every key and value knows its place.
 * Only what a study needs: one document of mappings, lists and text. Anchors, aliases, tags, keys that are no text,
 * keys given twice and texts with control characters are refused, size, depth and number of values limited.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_YAML_TREE_H
#define DELASSUS_EXPERIMENTS_YAML_TREE_H

#include "common/base/pool.h"

#include <delassus/error.h>

enum {
  DLS_YAML_MOST_BYTES = 1 << 20, /* some 5000 bodies with a joint each */
  DLS_YAML_MOST_DEPTH = 8,       /* a study needs five */
  DLS_YAML_MOST_NODES = 1 << 17  /* of 88 bytes: at most 12 MB are made of a file */
};

typedef enum dls_yaml_kind { DLS_YAML_TEXT, DLS_YAML_LIST, DLS_YAML_MAPPING } dls_yaml_kind;

/** A place in the file, both from 1. */
typedef struct dls_yaml_mark {
  size_t line, column;
} dls_yaml_mark;

typedef struct dls_yaml_node dls_yaml_node;
struct dls_yaml_node {
  dls_yaml_kind kind;
  dls_yaml_mark mark;
  const char *text; /* of a text */
  bool refused;     /* a text that was told to be wrong, and is empty now */
  const char *key;  /* of a value in a mapping */
  dls_yaml_mark key_mark;
  dls_yaml_node *first; /* values of a list or a mapping */
  dls_yaml_node *next;
};

/** Told of everything that is wrong. */
typedef struct dls_yaml_sink {
  void (*report)(void *data, dls_yaml_mark mark, const char *message);
  void *data;
} dls_yaml_sink;

/** The tree, in the pool; NULL if the text is invalid, which is reported, or pool->failed. */
dls_yaml_node *dls_yaml_read(dls_pool *pool, const char *text, size_t size, const dls_yaml_sink *sink);
/** The value of a key of a mapping, or NULL; node may be NULL. */
const dls_yaml_node *dls_yaml_get(const dls_yaml_node *node, const char *key);
size_t dls_yaml_count(const dls_yaml_node *node);
/** "a text", "a list", "a mapping of keys to values" */
const char *dls_yaml_kind_text(dls_yaml_kind kind);

#endif
