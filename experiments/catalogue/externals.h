/* experiments/catalogue/externals.h -- other programs among the schemes of a catalogue.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_EXTERNALS_H
#define DELASSUS_EXPERIMENTS_EXTERNALS_H

#include "experiments/extra/foreign/external.h"

#include <delassus/catalogue.h>

/** Add one under its name. @param[in] external  the catalogue's from now on, also after a failure
 * @return DLS_OK; DLS_ERR_ARG if the name is taken; DLS_ERR_MEMORY */
dls_status dls_catalogue_add_external(dls_catalogue *catalogue, dls_external *external, dls_error *err);
/** Remove all external programs. Nothing made with them may be used afterwards. */
void dls_catalogue_drop_externals(dls_catalogue *catalogue);

#endif
