/* own_restitution.h -- schemes with a restitution coefficient of their own: what they do with that of the model.
 *   refuse  systems with another e are refused before the run (the default)
 *   own     they run with the e of the scheme, and the run has a note
 *   fit     the scheme chooses its damping from the e of the model; for those that can
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_OWN_RESTITUTION_H
#define DELASSUS_TIME_STEPPING_OWN_RESTITUTION_H

#include <delassus/scheme.h>

enum { DLS_RESTITUTION_REFUSE, DLS_RESTITUTION_OWN, DLS_RESTITUTION_FIT };
extern const char *const dls_restitution_refuse_own[], *const dls_restitution_refuse_own_fit[];

/** The option of a scheme with a fixed e, and of one that can fit it; `restitution` is an int of the struct `type`. */
#define DLS_OWN_RESTITUTION_OPTION(base, type)                                                                 \
  DLS_CHOICE_OPTION(base, type, restitution,                                                                   \
                    "models with another e than the scheme's own: refuse them, or run with the own e",         \
                    DLS_RESTITUTION_REFUSE, dls_restitution_refuse_own)
#define DLS_FIT_RESTITUTION_OPTION(base, type)                                                                 \
  DLS_CHOICE_OPTION(base, type, restitution,                                                                   \
                    "models with another e than the scheme's own: refuse them, run with the own e, or fit "    \
                    "the damping to e",                                                                        \
                    DLS_RESTITUTION_REFUSE, dls_restitution_refuse_own_fit)

typedef struct dls_own_restitution {
  /** The coefficient of the scheme itself at contact j, NAN if it is no single number; text := it in words, "0",
   * "0.135 (dampratio = 1)", "about 1/(dissipation |u-|)". NULL: 0. */
  double (*e)(const dls_sim *sim, size_t j, char *text, size_t size);
  bool fits;       /* the scheme has restitution=fit */
  bool tangential; /* the tangential coefficients of laws are obeyed; else such laws are refused */
} dls_own_restitution;

/** For the start of a scheme. @param[in] restitution  the option @return DLS_OK; DLS_ERR_NOT_APPLICABLE with the contact and both e */
dls_status dls_own_restitution_check(const dls_sim *sim, const dls_own_restitution *own, int restitution,
                                     dls_error *err);
/** For the member `note` of a scheme: the contacts that run with another e than that of the model. */
void dls_own_restitution_note(const dls_sim *sim, const dls_own_restitution *own, int restitution, char *text,
                              size_t size);

#endif
