/* column.h -- columns of W for all contacts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_OPERATOR_COLUMN_H
#define DELASSUS_COMMON_CONTACT_OPERATOR_COLUMN_H

#include <delassus/delassus_operator.h>

/** m: column j of W for all contacts, kept until dls_delassus_reset; NULL where W is not held by columns. */
const double *dls_delassus_column(dls_delassus *D, size_t j);

#endif
