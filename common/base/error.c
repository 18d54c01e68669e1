/* error.c -- status texts and messages.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/error.h>
#include <stdarg.h>
#include <stdio.h>

const char *dls_status_text(dls_status status)
{
#define DLS_STATUS_CASE(name, value, text)                                                                     \
  case name:                                                                                                   \
    return text;
  switch (status) {
    DLS_STATUS_LIST(DLS_STATUS_CASE)
  }
  return "unknown status";
}

dls_status dls_fail(dls_error *err, dls_status status, const char *format, ...)
{
  if (err != NULL) {
    va_list arguments;
    va_start(arguments, format);
    err->status = status;
    vsnprintf(err->text, sizeof err->text, format, arguments);
    va_end(arguments);
  }
  return status;
}
