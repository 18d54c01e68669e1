/* text.h -- strings built piece by piece in a buffer of fixed size.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_TEXT_H
#define DELASSUS_COMMON_TEXT_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Append to the string in text[size], as printf; what does not fit is cut off. */
void dls_text_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Read and write numbers with a decimal point in this thread, whatever the program's locale, until dls_text_end_c_locale
 * is called with the value returned here. */
locale_t dls_text_begin_c_locale(void);
void dls_text_end_c_locale(locale_t before);
/* A stream that writes into memory, as open_memstream: after fflush and fclose *text ends with NUL, and the caller frees
 * it. If memory ran out, fclose fails. NULL, with *text NULL, if it cannot be created. */
FILE *dls_text_stream(char **text, size_t *size);
/* Length of the byte order mark of UTF-8 that text begins with, or 0. */
size_t dls_text_mark(const char *text);
/* Does text begin with a byte order mark of UTF-16? Such files are refused. */
bool dls_text_is_utf16(const char *text);
#define DLS_TEXT_UTF16 "the file begins with the byte order mark of UTF-16; text is read as UTF-8"
/* Text on one line: line ends become blanks. */
void dls_text_put_on_one_line(FILE *out, const char *text);
/* The pattern with `number` in place of its first #: "bead #" is "bead 3". */
void dls_text_put_number(char *text, size_t size, const char *pattern, size_t number);
/* Length of the first field of a list. Separators within [...] or "..." belong to it, as in K[2,3], "a, b", q0=2*"x, y". */
size_t dls_text_field(const char *text, char separator);
/* A copy for the caller to free, or NULL. */
char *dls_text_copy(const char *text);

#endif
