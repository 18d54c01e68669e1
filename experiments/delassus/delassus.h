/* delassus/delassus.h -- everything.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_DELASSUS_H
#define DELASSUS_DELASSUS_H

#include <delassus/animate.h>
#include <delassus/balance.h>
#include <delassus/bar_wave.h>
#include <delassus/catalogue.h>
#include <delassus/choice.h>
#include <delassus/configuration.h>
#include <delassus/contact_file.h>
#include <delassus/contact_mode.h>
#include <delassus/contact_system.h>
#include <delassus/counters.h>
#include <delassus/delassus_operator.h>
#include <delassus/direction.h>
#include <delassus/energy.h>
#include <delassus/error.h>
#include <delassus/exact.h>
#include <delassus/fit.h>
#include <delassus/flat.h>
#include <delassus/graph.h>
#include <delassus/interval.h>
#include <delassus/joints.h>
#include <delassus/law.h>
#include <delassus/lcp.h>
#include <delassus/limit.h>
#include <delassus/many.h>
#include <delassus/matrix.h>
#include <delassus/matrix_market.h>
#include <delassus/measures.h>
#include <delassus/mesh.h>
#include <delassus/model.h>
#include <delassus/option.h>
#include <delassus/output.h>
#include <delassus/plot.h>
#include <delassus/plugin.h>
#include <delassus/problem.h>
#include <delassus/quality.h>
#include <delassus/scheme.h>
#include <delassus/sensitivity.h>
#include <delassus/sim.h>
#include <delassus/sketch.h>
#include <delassus/study.h>
#include <delassus/study_file.h>
#include <delassus/trajectory.h>
#include <delassus/vtu.h>
#include <delassus/warning.h>
#include <delassus/work.h>

#endif
