/* plugin_toy.c -- a plugin that calls nothing of the library, so that any program can load it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/plugin.h>
#include <stddef.h>

static const dls_option parameters[] = {DLS_NUMBER("size", "1", "of nothing", 1, 0, 2, 0), {0}};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  (void)self, (void)p, (void)out, (void)err;
  return DLS_ERR_MEMORY;
}

static const dls_model toy = {.name = "toy",
                              .summary = "no system at all",
                              .source = "test",
                              .equations = "0 = 0\n",
                              .parameters = parameters,
                              .create = create};
static const dls_model *const models[] = {&toy, NULL};

const dls_plugin dls_plugin_entry = {DLS_PLUGIN_HEAD, .name = "toy", .version = "0", .models = models};
