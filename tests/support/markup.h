/* tests/support/markup.h -- is a text well-formed markup (XML, or HTML written as XML)?
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_SUPPORT_MARKUP_H
#define TESTS_SUPPORT_MARKUP_H

#include <stdbool.h>
#include <stddef.h>

/** Every element is closed in its order, attributes are quoted, & begins an entity, ids are unique, and what refers to
 * an id (href="#x", url(#x)) finds it. NULL, or what is wrong and where, in problem[size]. */
const char *markup_problem(const char *text, char *problem, size_t size);
/** Number of times that a piece occurs. */
size_t markup_count(const char *text, const char *piece);

#endif
