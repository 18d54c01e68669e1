/* capabilities.h -- what a scheme may treat besides smooth motion with contacts, one row per bit of `handles`. Systems
 * are checked against it, and `show` prints it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_CAPABILITIES_H
#define DELASSUS_COMMON_RUN_CAPABILITIES_H

#include <delassus/model.h>
#include <delassus/scheme.h>

typedef struct dls_capability {
  dls_handles bit;
  bool excludes;     /* a set bit means that a scheme does not treat it */
  const char *label; /* as printed by `show`; NULL: not printed, or it refines the row before */
  const char *value; /* what `show` prints for a scheme that treats it */
  /** Does a system need it? has := the feature in question, for the message. NULL: no system does. */
  bool (*needed)(const dls_system *sys, char *has, size_t size);
  const char *what,
      *reason; /* "scheme S does not treat WHAT, and the system has HAS REASON"; reason may be "" */
} dls_capability;
extern const dls_capability dls_capabilities[]; /* ends with {0} */

/** Does the scheme treat a capability? */
static inline bool dls_scheme_treats(const dls_scheme *scheme, const dls_capability *c)
{
  return ((scheme->handles & c->bit) != 0) != c->excludes;
}
/** Are the bits of `handles` consistent? @return DLS_OK; DLS_ERR_ARG with the contradiction */
dls_status dls_scheme_check_handles(const dls_scheme *scheme, dls_error *err);
/** Does the scheme treat all features of the system? @return DLS_OK; DLS_ERR_NOT_APPLICABLE with the first it does not */
dls_status dls_scheme_applies(const dls_scheme *scheme, const dls_system *sys, dls_error *err);

#endif
