/* common/run/coordinates.c -- names and units of coordinates in the metadata of a trajectory.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/coordinates.h"
#include "common/base/text.h"
#include <stdlib.h>
#include <string.h>

static const char key[] = "coordinates";

/* Columns other than coordinates and their velocities. */
static const struct {
  const char *prefix, *symbol, *words, *unit;
  const char *along; /* description of a column along a tangent, u0t or u0t1; NULL: none */
} known[] = {{"lambda", "λ", "contact force", "N", "friction force"},
             {"force", "λ", "contact force", "N", NULL},
             {"g", "g", "gap", "m", NULL},
             {"u", "u", "gap velocity", "m/s", "slip"},
             {"p", "p", "impulse", "N s", "tangential impulse"},
             {"a", "a", "acceleration", "m/s^2", NULL},
             {"q", "q", "position", "m", NULL},
             {"v", "v", "velocity", "m/s", NULL},
             {"mu", "μ", "multiplier of a joint", "1", NULL},
             {"phi", "Φ", "equation of a joint", "1", NULL},
             {"impulse", "I", "impulse so far", "N s", NULL},
             {"slip", "u", "mean slip of an impulse", "m/s", NULL},
             {"drag", "p", "tangential impulse over μ p_N,", "1", NULL},
             {"energy", "E", "energy", "J", NULL},
             {"potential", "V", "potential", "J", NULL},
             {"kinetic", "T", "kinetic energy", "J", NULL},
             {"mechanical", "E", "energy T + V", "J", NULL},
             {"work_normal", "W", "sum of normal contact work", "J", NULL},
             {"work_friction", "W", "sum of friction's work", "J", NULL},
             {"px", "p_x", "momentum p_x", "N s", NULL},
             {"py", "p_y", "momentum p_y", "N s", NULL},
             {"pz", "p_z", "momentum p_z", "N s", NULL},
             {"Lx", "L_x", "angular momentum L_x", "N m s", NULL},
             {"Ly", "L_y", "angular momentum L_y", "N m s", NULL},
             {"Lz", "L_z", "angular momentum L_z", "N m s", NULL},
             {"L", "L", "angular momentum", "N m s", NULL}};
enum { KNOWN = sizeof known / sizeof known[0] };

/* The unit of a velocity: m -> m/s, 1 -> 1/s. */
static void put_rate(const char *unit, char rate[DLS_UNIT_ROOM])
{
  snprintf(rate, DLS_UNIT_ROOM, "%.*s/s", DLS_UNIT_ROOM - 3, unit);
}

/* Letters of "height of bead " where the name of coordinate i is that and i; 0: it has another form. */
static size_t letters_before(const char *name, size_t i)
{
  const char *blank = strrchr(name, ' ');
  char *end = NULL;
  return blank != NULL && strtoul(blank + 1, &end, 10) == i && end > blank + 1 && *end == '\0'
             ? (size_t)(blank - name) + 1
             : 0;
}

/* The last of the coordinates from `first` on with the same name, or with the same but for its number: then the name becomes
 * "height of bead #". */
static size_t last_alike(const dls_system *sys, size_t first, dls_coordinate *named)
{
  const size_t before = letters_before(named->name, first);
  size_t last = first;
  for (; last + 1 < sys->n; last++) {
    dls_coordinate next;
    dls_system_coordinate(sys, last + 1, &next);
    const bool same = before > 0 ? strncmp(next.name, named->name, before) == 0 &&
                                       letters_before(next.name, last + 1) == before
                                 : strcmp(next.name, named->name) == 0;
    if (!same || strcmp(next.unit, named->unit) != 0) {
      break;
    }
  }
  if (before > 0 && last > first) {
    snprintf(named->name + before, sizeof named->name - before, "#");
  }
  return last;
}

dls_status dls_note_coordinates(dls_trajectory *traj, const dls_system *sys, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t first = 0, last = 0; first < sys->n && status == DLS_OK; first = last + 1) {
    dls_coordinate coordinate;
    dls_system_coordinate(sys, first, &coordinate);
    last = sys->coordinate == NULL ? sys->n - 1 : last_alike(sys, first, &coordinate);
    status = first == last
                 ? dls_trajectory_note(traj, err, key, "q%zu: %s [%s]", first, coordinate.name, coordinate.unit)
                 : dls_trajectory_note(traj, err, key, "q%zu..q%zu: %s [%s]", first, last, coordinate.name,
                                       coordinate.unit);
  }
  return status;
}

/* Read "coordinates: q0..q3: position [m]" if it describes coordinate i. */
static bool read_note(const char *line, size_t i, char *name, size_t size, char unit[DLS_UNIT_ROOM])
{
  size_t first = 0, last = 0;
  int used = 0;
  const size_t length = strlen(key);
  if (strncmp(line, key, length) != 0 || sscanf(line + length, ": q%zu%n", &first, &used) != 1) {
    return false;
  }
  line += length + (size_t)used;
  last = first;
  if (strncmp(line, "..q", 3) == 0) {
    char *end = NULL;
    last = strtoul(line + 3, &end, 10);
    line = end;
  }
  const char *open = strrchr(line, '['), *close = strrchr(line, ']');
  if (i < first || i > last || strncmp(line, ": ", 2) != 0 || open == NULL || close < open || open - line < 3) {
    return false;
  }
  char pattern[DLS_COORDINATE_ROOM];
  snprintf(pattern, sizeof pattern, "%.*s", (int)(open - line - 3), line + 2);
  if (last > first) {
    dls_text_put_number(name, size, pattern, i);
  } else { /* a name may have a # */
    snprintf(name, size, "%s", pattern);
  }
  snprintf(unit, DLS_UNIT_ROOM, "%.*s", (int)(close - open - 1), open + 1);
  return true;
}

/* Is it "t", "t1" or "t2"? */
static bool is_tangent(const char *text)
{
  return strcmp(text, "t") == 0 || strcmp(text, "t1") == 0 || strcmp(text, "t2") == 0;
}

/* The entry of `known` for a column: prefix, then optional digits, then an optional tangent. */
static size_t find_known(const char *name)
{
  size_t i = 0;
  for (; i < KNOWN; i++) {
    const size_t length = strlen(known[i].prefix);
    if (strncmp(name, known[i].prefix, length) != 0) {
      continue;
    }
    const char *rest = name + length + strspn(name + length, "0123456789");
    if (*rest == '\0' || (known[i].along != NULL && rest > name + length && is_tangent(rest))) {
      break;
    }
  }
  return i;
}

/* Letters of the word for a place that a name begins with, whose rate is a velocity; 0: it begins with none. */
static size_t place_letters(const char *name)
{
  static const char *const places[] = {"position", "height", "displacement"};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    if (strncmp(name, places[i], strlen(places[i])) == 0) {
      return strlen(places[i]);
    }
  }
  return 0;
}

/* Description and unit of q_i or v_i as recorded. */
static void apply_notes(const dls_trajectory *traj, bool rate, dls_column_kind *out)
{
  char name[DLS_COORDINATE_ROOM], unit[DLS_UNIT_ROOM];
  const size_t i = strtoul(out->index, NULL, 10);
  for (size_t j = 0; j < traj->meta_count; j++) {
    if (read_note(traj->meta[j], i, name, sizeof name, unit)) {
      const size_t place = place_letters(name);
      snprintf(out->words, sizeof out->words, "%s%s",
               !rate       ? ""
               : place > 0 ? "velocity"
                           : "velocity of ",
               name + (rate ? place : 0));
      if (rate) {
        put_rate(unit, out->unit);
      } else {
        memcpy(out->unit, unit, sizeof unit);
      }
    }
  }
}

void dls_column_find(const dls_trajectory *traj, const char *name, dls_column_kind *out)
{
  const size_t i = find_known(name);
  *out = (dls_column_kind){.unit = "1"};
  if (i == KNOWN) {
    return;
  }
  const bool along = known[i].along != NULL && strchr(name + strlen(known[i].prefix), 't') != NULL;
  snprintf(out->words, sizeof out->words, "%s", along ? known[i].along : known[i].words);
  snprintf(out->symbol, sizeof out->symbol, "%s", known[i].symbol);
  snprintf(out->unit, sizeof out->unit, "%s", known[i].unit);
  snprintf(out->index, sizeof out->index, "%.15s", name + strlen(known[i].prefix));
  if (strcmp(known[i].prefix, "q") == 0 || strcmp(known[i].prefix, "v") == 0) {
    apply_notes(traj, known[i].prefix[0] == 'v', out);
  }
}

void dls_quantity_unit(const dls_system *sys, const char *quantity, char unit[DLS_UNIT_ROOM])
{
  const size_t i = find_known(quantity);
  snprintf(unit, DLS_UNIT_ROOM, "%s", i < KNOWN ? known[i].unit : "1");
  if (i == KNOWN || (quantity[0] != 'q' && quantity[0] != 'v')) {
    return;
  }
  const bool all = quantity[1] == '\0';
  const size_t first = all ? 0 : strtoul(quantity + 1, NULL, 10);
  dls_coordinate coordinate, other;
  dls_system_coordinate(sys, first < sys->n ? first : 0, &coordinate);
  for (size_t j = 1; all && sys->coordinate != NULL && j < sys->n; j++) {
    dls_system_coordinate(sys, j, &other);
    if (strcmp(other.unit, coordinate.unit) != 0) {
      snprintf(unit, DLS_UNIT_ROOM, "mixed");
      return;
    }
  }
  if (quantity[0] == 'v') {
    put_rate(coordinate.unit, unit);
  } else {
    snprintf(unit, DLS_UNIT_ROOM, "%s", coordinate.unit);
  }
}
