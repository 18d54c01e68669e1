/* models.h -- models from texts, for tests that want any model of the catalogue.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_MODELS_H
#define DELASSUS_TESTS_MODELS_H

#include "check.h"
#include <delassus/study.h>

/* "bouncing-ball:e=0.8,q0=2", or with another law "belt:vb=1 fremond:mu=0.3". A model that reads files gets those of tests/data/NAME/SLOT.mtx or SLOT.yaml, where the text names
 * no others. Fails the test if anything goes wrong; to be released. */
dls_model_choice dls_test_model(const char *text);

/* Its system, with nothing left to release but that. */
dls_system *dls_test_system(const char *text);

/* A column of its exact solution at t; at an event the right limit. */
double dls_test_exact_value(const char *text, double t, const char *column);

/* The text of a model of the catalogue, for tests of every scheme on every model: large ones with few blocks or
 * elements. */
const char *dls_test_small_model(const char *name);

/* For how long to run it, of the seconds that tests give to models: mechanisms that turn fast go for less,
 * and so do stiff beams, whose Newton iterations fail where steps are long for their waves. */
double dls_test_span(const char *name, double end);

/* The step, or 1/k s with an integer k where explicit schemes need less: 1/omega of the fastest vibration of a chain, in
 * which neighbours move against each other. */
double dls_test_stable_step(const dls_system *sys, double step);

#endif
