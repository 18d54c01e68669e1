/* experiments/measures/story/sentences.c -- the lists of sentences.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/story/facts.h"

#include <math.h>
#include <string.h>

static dls_statement *add(dls_story *story, dls_statement **list, size_t *count, const dls_statement *statement)
{
  if ((*count & (*count - 1)) == 0) { /* room for a power of two */
    dls_statement *more = dls_pool_take(&story->pool, 2 * (*count + 1) * sizeof *more);
    if (more == NULL) {
      return NULL;
    }
    if (*count > 0) {
      memcpy(more, *list, *count * sizeof *more);
    }
    *list = more;
  }
  (*list)[*count] = *statement;
  return &(*list)[(*count)++];
}

static dls_statement made(double t, size_t contact, const char *text, const char *evidence)
{
  const bool has = contact != (size_t)DLS_STORY_NO_CONTACT;
  return (dls_statement){.t = t, .has_contact = has, .contact = contact, .text = text, .evidence = evidence};
}

dls_statement *dls_story_phase(dls_story_facts *facts, double t, size_t contact, const char *text,
                               const char *evidence)
{
  const dls_statement s = made(t, contact, text, evidence);
  return add(facts->story, &facts->story->phases, &facts->story->phase_count, &s);
}

dls_statement *dls_story_finding(dls_story_facts *facts, double t, size_t contact, const char *text,
                                 const char *evidence)
{
  const dls_statement s = made(t, contact, text, evidence);
  return add(facts->story, &facts->story->findings, &facts->story->finding_count, &s);
}

void dls_story_sort(dls_statement *list, size_t count)
{
  for (size_t i = 1; i < count; i++) {
    const dls_statement s = list[i];
    size_t k = i;
    for (; k > 0 && (list[k - 1].t > s.t || (isnan(list[k - 1].t) && !isnan(s.t))); k--) {
      list[k] = list[k - 1];
    }
    list[k] = s;
  }
}

void dls_story_clear(dls_story *story)
{
  dls_pool_release(&story->pool);
  *story = (dls_story){0};
}
