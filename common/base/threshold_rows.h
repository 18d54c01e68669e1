/* threshold_rows.h -- a table of thresholds is a macro list of rows X(name, value, unit, reason, effect). These are its uses: constants that
 * the code calls threshold_NAME, and the rows that `delassus show SCHEME --thresholds` prints.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_BASE_THRESHOLD_ROWS_H
#define DELASSUS_BASE_THRESHOLD_ROWS_H

#define DLS_THRESHOLD_REAL(name, value, unit, reason, effect) static const double threshold_##name = value;
#define DLS_THRESHOLD_COUNT(name, value, unit, reason, effect) threshold_##name = value,
#define DLS_THRESHOLD_ROW(name, value, unit, reason, effect) {#name, value, unit, reason, effect},

#endif
