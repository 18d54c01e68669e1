/* no_studies.c -- no built-in studies in the library of the playground: their texts would be a tenth of its page.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/study_file.h>

const dls_study_shipped *dls_studies(void)
{
  static const dls_study_shipped none[] = {{0}};
  return none;
}
