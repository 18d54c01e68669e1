/* experiments/request/quantities.c -- the quantities that a study file can expect, the keys of an expectation, names of kinds and claims.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/reader.h"

#include <string.h>

enum {
  ALL = DLS_STUDY_ALL,
  RUN = DLS_STUDY_RUN,
  COMPARE = DLS_STUDY_COMPARE,
  ORDER = DLS_STUDY_ORDER,
  ENERGY = DLS_STUDY_ENERGY,
  WORK = DLS_STUDY_WORK,
  SPECTRUM = DLS_STUDY_SPECTRUM,
  LOCAL = DLS_STUDY_LOCAL,
  FIT = DLS_STUDY_FIT,
  ERRORS = ORDER | WORK,
  PATHS = RUN | COMPARE | ENERGY, /* one run of each scheme */
  SWEPT = PATHS | ERRORS          /* over a parameter */
};

static const dls_study_key expect_keys[] = {
    [DLS_EXPECT_QUANTITY] = {"quantity", ALL, ALL, "a quantity of the table below", "what is looked up"},
    [DLS_EXPECT_SCHEME] = {"scheme", ALL, 0, "a scheme of the study",
                           "of which scheme; not needed if there is one"},
    [DLS_EXPECT_NORM] = {"norm", ERRORS, 0, "a norm of the study", "in which norm; not needed if there is one"},
    [DLS_EXPECT_OF] = {"of", ALL, 0, "`q`, `v`, a column, what a spectrum measures, or a parameter of a fit",
                       "of which quantity; not needed if the study has one"},
    [DLS_EXPECT_NUMBER] = {"number", RUN | COMPARE, 0, "an integer from 1",
                           "of which impact, or which multiplier"},
    [DLS_EXPECT_ERROR] = {"error", WORK, 0, "a number > 0", "for which error"},
    [DLS_EXPECT_AT] = {"at", SWEPT | SPECTRUM, 0,
                       "a value of the parameter of a sweep, or of `at` of the study",
                       "at which; all if not given"},
    [DLS_EXPECT_CURVE] = {"curve", SWEPT, 0,
                          "a value of the parameter of its curves, or of the second one of its sweep",
                          "on which; all if not given"},
    [DLS_EXPECT_PLACE] = {"place", LOCAL, LOCAL, "`before`, `across`, `after` or `accumulation`",
                          "where the step lies"},
    [DLS_EXPECT_IMPULSE] = {"impulse", LOCAL, LOCAL, "`yes` or `no`",
                            "whether a contact has an impulse in the step: the impact is detected"},
    [DLS_EXPECT_WITHIN] = {"within", PATHS, 0, "`[BEGIN, END]`, seconds",
                           "of a column: the time in which its values count; all if not given"},
    [DLS_EXPECT_BETWEEN] = {"between", ALL, 0, "`[LOW, HIGH]`",
                            "the closed interval in which the value should lie"},
    [DLS_EXPECT_ABOVE] = {"above", ALL, 0, "a number", "instead of between: the least value"},
    [DLS_EXPECT_BELOW] = {"below", ALL, 0, "a number", "instead of between: the largest value"},
    [DLS_EXPECT_REPORTED] = {"reported", ALL, 0, "text", "what the source says"},
    [DLS_EXPECT_SOURCE] =
        {"source", ALL, 0, "`agrees`, `differs` or `ours`",
         "whose claim the interval is: that of the source, which `reported` quotes; our own value "
         "where the source reports another; our own value, the source reports none (if not given)"},
    {0}};

enum {
  OF_ORDER,
  SLOPE,
  WORK_FOR_ERROR,
  ERROR_LARGEST,
  ERROR_LEAST,
  FAILED,
  PENETRATION,
  FIRST,
  LAST,
  LARGEST,
  LEAST,
  MEAN,
  SCATTER,
  CHANGES,
  IMPACTS,
  IMPACT_TIME,
  IMPACT_SPEED,
  PERIOD,
  ADVANCE,
  EVENTS,
  MULTIPLIER,
  MULTIPLIER_ERROR,
  DIFFERENCE,
  STICKS,
  VALUE,
  LIMIT,
  LOCAL_ORDER,
  LOCAL_ERROR,
  LIMIT_ORDER,
  PLATEAU,
  RESTITUTION_MEAN,
  RESTITUTION_LEAST,
  RESTITUTION_LARGEST,
  CONTACT_MEAN,
  CONTACT_LEAST,
  CONTACT_LARGEST,
  SIGN_SHARE,
  DERIVATIVE_ERROR,
  DERIVATIVE_SPREAD,
  ESTIMATE,
  INTERVAL_LOW,
  INTERVAL_HIGH,
  IDENTIFIABLE,
  NOISE,
  QUANTITIES
};

static const dls_study_key quantities[] = {
    [OF_ORDER] = {"order", ORDER, 0, "`norm`, `of`", "the fitted order"},
    [SLOPE] = {"slope", WORK, 0, "`norm`, `of`", "the fitted slope of the error over the work"},
    [WORK_FOR_ERROR] = {"work", WORK, 0, "`norm`, `of`, `error`",
                        "the least work of a run with at most that error"},
    [ERROR_LARGEST] = {"largest-error", ERRORS, 0, "`norm`, `of`", "the largest error of all runs"},
    [ERROR_LEAST] = {"least-error", ERRORS, 0, "`norm`, `of`", "the least error of all runs"},
    [FAILED] = {"failed-runs", ERRORS, 0, "`norm`, `of`",
                "the number of runs without an error that can be measured"},
    [PENETRATION] = {"penetration", ORDER, 0, "", "the worst penetration of all runs, in m"},
    [FIRST] = {"first", PATHS, 0, "`of`", "the first value of a column"},
    [LAST] = {"last", PATHS, 0, "`of`", "the last value of a column"},
    [LARGEST] = {"largest", PATHS | SPECTRUM, 0, "`of`", "the largest value of a column, or over all steps"},
    [LEAST] = {"least", PATHS | SPECTRUM, 0, "`of`", "the least value of a column, or over all steps"},
    [MEAN] = {"mean", PATHS, 0, "`of`", "the mean of a column, node by node"},
    [SCATTER] = {"scatter", PATHS, 0, "`of`", "the standard deviation of a column, node by node"},
    [CHANGES] = {"changes", PATHS, 0, "`of`",
                 "how often a column becomes positive, or ceases to be: contacts close and open by `status0`"},
    [IMPACTS] = {"impacts", RUN | COMPARE, 0, "", "the number of impacts"},
    [IMPACT_TIME] = {"impact-time", RUN | COMPARE, 0, "`number`", "the time of an impact, in s"},
    [IMPACT_SPEED] = {"impact-velocity", RUN | COMPARE, 0, "`number`",
                      "the velocity of the gap before an impact, in m/s"},
    [PERIOD] = {"period", RUN, 0, "", "of a cycle: its time, in s"},
    [ADVANCE] = {"advance", RUN, 0, "`of`", "by how much a position changes in a cycle"},
    [EVENTS] = {"events", RUN, 0, "`of`",
                "of a cycle: the number of events of a kind such as `slip`, or `all`"},
    [MULTIPLIER] = {"multiplier", RUN, 0, "`number`",
                    "of a cycle: the real part of a Floquet multiplier, the largest first"},
    [MULTIPLIER_ERROR] = {"multiplier-error", RUN, 0, "`number`",
                          "of a cycle: the estimated error of that multiplier"},
    [DIFFERENCE] = {"difference", COMPARE, 0, "`of`",
                    "of a sweep: the largest difference of its extremes from those of the exact solution"},
    [STICKS] = {"sticks", COMPARE, 0, "", "of a sweep: 1 if a contact sticks for some time, else 0"},
    [VALUE] = {"value", SPECTRUM, 0, "`of`, `at`", "the value at one h/T"},
    [LIMIT] = {"limit", SPECTRUM, 0, "", "h/T up to which the scheme is stable; none if it is so everywhere"},
    [LOCAL_ORDER] = {"local-order", LOCAL, 0, "`of`, `place`, `impulse`",
                     "the fitted order of the largest error of one step"},
    [LOCAL_ERROR] = {"local-error", LOCAL, 0, "`of`, `place`, `impulse`",
                     "the largest error of one step of the last length"},
    [LIMIT_ORDER] = {"limit-order", ORDER, 0, "`norm`, `of`",
                     "with `reference: limit`: the fitted order against the limit model of the scheme"},
    [PLATEAU] = {"plateau", ORDER, 0, "`norm`, `of`",
                 "with `reference: limit`: the distance of the limit model from rigid contact"},
    [RESTITUTION_MEAN] = {"restitution-mean", ORDER, 0, "",
                          "with `reference: limit`: the mean effective restitution of the first impacts"},
    [RESTITUTION_LEAST] = {"restitution-least", ORDER, 0, "", "with `reference: limit`: the least one"},
    [RESTITUTION_LARGEST] = {"restitution-largest", ORDER, 0, "", "with `reference: limit`: the largest one"},
    [CONTACT_MEAN] = {"contact-mean", ORDER, 0, "`of`",
                      "with `reference: limit`: the mean over all runs of a column of quality.csv, such as "
                      "`hop`, `creep`, `rest_depth`, `first_slip_ratio`"},
    [CONTACT_LEAST] = {"contact-least", ORDER, 0, "`of`", "with `reference: limit`: the least value"},
    [CONTACT_LARGEST] = {"contact-largest", ORDER, 0, "`of`", "with `reference: limit`: the largest value"},
    [SIGN_SHARE] =
        {
            "sign-share", ORDER, 0, "`norm`, `of`",
            "of a derivative: the fraction of the runs with the smallest steps that have the right sign"},
    [DERIVATIVE_ERROR] = {"derivative-error", ORDER, 0, "`norm`, `of`",
                          "of a derivative: its mean error, with sign, over the runs with the smallest steps"},
    [DERIVATIVE_SPREAD] = {"derivative-spread", ORDER, 0, "`norm`, `of`",
                           "of a derivative: the standard deviation over the runs with the smallest steps"},
    [ESTIMATE] = {"estimate", FIT, 0, "`of`", "the estimate of a parameter"},
    [INTERVAL_LOW] = {"interval-low", FIT, 0, "`of`",
                      "the low end of its interval; none if it is not identifiable"},
    [INTERVAL_HIGH] = {"interval-high", FIT, 0, "`of`", "the high end of its interval"},
    [IDENTIFIABLE] = {"identifiable", FIT, 0, "`of`", "1 if the data determine the parameter, else 0"},
    [NOISE] = {"noise", FIT, 0, "`of`", "the standard deviation of the noise of a column, given or estimated"},
    [QUANTITIES] = {0}};

static const dls_study_rule rules[QUANTITIES] = {
    [OF_ORDER] = {DLS_TABLE_ORDERS, DLS_REDUCE_LAST, DLS_USES_NORM | DLS_USES_OF},
    [SLOPE] = {DLS_TABLE_SLOPES, DLS_REDUCE_LAST, DLS_USES_NORM | DLS_USES_OF},
    [WORK_FOR_ERROR] = {DLS_TABLE_ERRORS, DLS_REDUCE_WORK, DLS_USES_NORM | DLS_USES_OF | DLS_USES_ERROR},
    [ERROR_LARGEST] = {DLS_TABLE_ERRORS, DLS_REDUCE_LARGEST, DLS_USES_NORM | DLS_USES_OF},
    [ERROR_LEAST] = {DLS_TABLE_ERRORS, DLS_REDUCE_LEAST, DLS_USES_NORM | DLS_USES_OF},
    [FAILED] = {DLS_TABLE_ERRORS, DLS_REDUCE_MISSING, DLS_USES_NORM | DLS_USES_OF},
    [PENETRATION] = {DLS_TABLE_QUALITY, DLS_REDUCE_LARGEST, 0},
    [LIMIT_ORDER] = {DLS_TABLE_LIMITS, DLS_REDUCE_LAST, DLS_USES_NORM | DLS_USES_OF},
    [PLATEAU] = {DLS_TABLE_PLATEAUS, DLS_REDUCE_LAST, DLS_USES_NORM | DLS_USES_OF},
    [RESTITUTION_MEAN] = {DLS_TABLE_CONTACTS, DLS_REDUCE_MEAN, 0},
    [RESTITUTION_LEAST] = {DLS_TABLE_CONTACTS, DLS_REDUCE_LEAST, 0},
    [RESTITUTION_LARGEST] = {DLS_TABLE_CONTACTS, DLS_REDUCE_LARGEST, 0},
    [CONTACT_MEAN] = {DLS_TABLE_CONTACTS, DLS_REDUCE_MEAN, DLS_USES_OF},
    [CONTACT_LEAST] = {DLS_TABLE_CONTACTS, DLS_REDUCE_LEAST, DLS_USES_OF},
    [CONTACT_LARGEST] = {DLS_TABLE_CONTACTS, DLS_REDUCE_LARGEST, DLS_USES_OF},
    [SIGN_SHARE] = {DLS_TABLE_SIGNS, DLS_REDUCE_LAST, DLS_USES_NORM | DLS_USES_OF},
    [DERIVATIVE_ERROR] = {DLS_TABLE_DERIVATIVE_ERRORS, DLS_REDUCE_LAST, DLS_USES_NORM | DLS_USES_OF},
    [DERIVATIVE_SPREAD] = {DLS_TABLE_DERIVATIVE_SPREADS, DLS_REDUCE_LAST, DLS_USES_NORM | DLS_USES_OF},
    [ESTIMATE] = {DLS_TABLE_ESTIMATES, DLS_REDUCE_LAST, DLS_USES_OF},
    [INTERVAL_LOW] = {DLS_TABLE_ESTIMATES, DLS_REDUCE_LEAST, DLS_USES_OF},
    [INTERVAL_HIGH] = {DLS_TABLE_ESTIMATES, DLS_REDUCE_LARGEST, DLS_USES_OF},
    [IDENTIFIABLE] = {DLS_TABLE_ESTIMATES, DLS_REDUCE_IDENTIFIABLE, DLS_USES_OF},
    [NOISE] = {DLS_TABLE_ESTIMATES, DLS_REDUCE_SCATTER, DLS_USES_OF},
    [FIRST] = {DLS_TABLE_RUN, DLS_REDUCE_FIRST, DLS_USES_OF | DLS_USES_WITHIN},
    [LAST] = {DLS_TABLE_RUN, DLS_REDUCE_LAST, DLS_USES_OF | DLS_USES_WITHIN},
    [LARGEST] = {DLS_TABLE_RUN, DLS_REDUCE_LARGEST, DLS_USES_OF | DLS_USES_WITHIN},
    [LEAST] = {DLS_TABLE_RUN, DLS_REDUCE_LEAST, DLS_USES_OF | DLS_USES_WITHIN},
    [MEAN] = {DLS_TABLE_RUN, DLS_REDUCE_MEAN, DLS_USES_OF | DLS_USES_WITHIN},
    [SCATTER] = {DLS_TABLE_RUN, DLS_REDUCE_SCATTER, DLS_USES_OF | DLS_USES_WITHIN},
    [CHANGES] = {DLS_TABLE_RUN, DLS_REDUCE_CHANGES, DLS_USES_OF | DLS_USES_WITHIN},
    [IMPACTS] = {DLS_TABLE_RUN, DLS_REDUCE_IMPACTS, 0},
    [IMPACT_TIME] = {DLS_TABLE_RUN, DLS_REDUCE_IMPACT_TIME, DLS_USES_NUMBER},
    [IMPACT_SPEED] = {DLS_TABLE_RUN, DLS_REDUCE_IMPACT_SPEED, DLS_USES_NUMBER},
    [PERIOD] = {DLS_TABLE_CYCLE, DLS_REDUCE_PERIOD, 0},
    [ADVANCE] = {DLS_TABLE_CYCLE, DLS_REDUCE_ADVANCE, DLS_USES_OF},
    [EVENTS] = {DLS_TABLE_CYCLE, DLS_REDUCE_EVENTS, DLS_USES_OF},
    [MULTIPLIER] = {DLS_TABLE_CYCLE, DLS_REDUCE_MULTIPLIER, DLS_USES_NUMBER},
    [MULTIPLIER_ERROR] = {DLS_TABLE_CYCLE, DLS_REDUCE_MULTIPLIER_ERROR, DLS_USES_NUMBER},
    [DIFFERENCE] = {DLS_TABLE_SWEEP, DLS_REDUCE_DIFFERENCE, DLS_USES_OF},
    [STICKS] = {DLS_TABLE_SWEEP, DLS_REDUCE_STICKS, 0},
    [VALUE] = {DLS_TABLE_SPECTRUM, DLS_REDUCE_LAST, DLS_USES_OF},
    [LIMIT] = {DLS_TABLE_SPECTRUM, DLS_REDUCE_LIMIT, 0},
    [LOCAL_ORDER] = {DLS_TABLE_LOCAL, DLS_REDUCE_LAST, DLS_USES_OF},
    [LOCAL_ERROR] = {DLS_TABLE_LOCAL, DLS_REDUCE_LARGEST, DLS_USES_OF},
};

const dls_study_key *dls_study_expect_keys(void)
{
  return expect_keys;
}

const dls_study_key *dls_study_quantities(void)
{
  return quantities;
}

const dls_study_rule *dls_study_rule_at(size_t quantity)
{
  return &rules[quantity];
}

size_t dls_study_quantity_find(const char *name)
{
  size_t i = 0;
  while (quantities[i].name != NULL && strcmp(quantities[i].name, name) != 0) {
    i++;
  }
  return i;
}

const char *dls_study_claim_name(dls_study_claim claim)
{
  static const char *const names[] = {
      [DLS_CLAIM_OURS] = "ours", [DLS_CLAIM_SOURCE_AGREES] = "agrees", [DLS_CLAIM_SOURCE_DIFFERS] = "differs"};
  return names[claim];
}

const char *dls_study_kind_name(dls_study_kind kind)
{
  switch (kind) {
  case DLS_STUDY_RUN:
    return "run";
  case DLS_STUDY_COMPARE:
    return "compare";
  case DLS_STUDY_ORDER:
    return "order";
  case DLS_STUDY_ENERGY:
    return "energy";
  case DLS_STUDY_WORK:
    return "work";
  case DLS_STUDY_SPECTRUM:
    return "spectrum";
  case DLS_STUDY_LOCAL:
    return "local";
  case DLS_STUDY_FIT:
    return "fit";
  default:
    return "";
  }
}
