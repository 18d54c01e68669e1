// consumer.cpp -- the same in C++: the handles in unique_ptr, a callback of the library that is a C++ function.
// Prints the largest error of q of Moreau-Jean on the bouncing ball over the nodes up to the first impact (t = 1 s).
// SPDX-License-Identifier: GPL-3.0-or-later
#include <delassus/delassus.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>

namespace
{
struct destroyer {
  void operator()(dls_system *system) const
  {
    dls_system_destroy(system);
  }
  void operator()(dls_sim *sim) const
  {
    dls_sim_destroy(sim);
  }
  void operator()(dls_trajectory *trajectory) const
  {
    dls_trajectory_destroy(trajectory);
  }
};
template <typename T> using handle = std::unique_ptr<T, destroyer>;

template <typename F> void require(F call)
{
  dls_error err = {};
  if (call(&err) != DLS_OK) {
    throw std::runtime_error(err.text);
  }
}

template <typename T, typename F> handle<T> make(F create)
{
  T *made = nullptr;
  require([&](dls_error *err) { return create(&made, err); });
  return handle<T>(made);
}

struct nodes {
  std::vector<double> t, q;
};

dls_status watch(void *data, const dls_sim *sim, dls_error *)
{
  nodes &seen = *static_cast<nodes *>(data);
  seen.t.push_back(sim->t);
  seen.q.push_back(sim->q[0]);
  return DLS_OK;
}

nodes run_ball()
{
  const handle<dls_system> system = make<dls_system>([](dls_system **out, dls_error *err) {
    return dls_model_create(dls_model_find("bouncing-ball", err), nullptr, out, err);
  });
  const handle<dls_sim> sim = make<dls_sim>([&](dls_sim **out, dls_error *err) {
    return dls_sim_create(system.get(), dls_scheme_find("moreau-jean", err), out, err);
  });
  nodes seen;
  dls_run_spec spec = {};
  spec.step = 1e-3;
  spec.end = 0.9;
  spec.watch = watch;
  spec.watch_data = &seen;
  require([&](dls_error *err) { return dls_sim_set(sim.get(), "theta=1", err); });
  require([&](dls_error *err) { return dls_run(sim.get(), &spec, err); });
  return seen;
}

double largest_error(const nodes &seen)
{
  const handle<dls_trajectory> exact = make<dls_trajectory>([&](dls_trajectory **out, dls_error *err) {
    return dls_exact_at(dls_exact_find("bouncing-ball"), nullptr, seen.t.size(), seen.t.data(), out, err);
  });
  const auto q0 = static_cast<std::size_t>(dls_trajectory_column(exact.get(), "q0"));
  double error = 0;
  for (std::size_t row = 0; row < seen.t.size(); row++) {
    error = std::max(error, std::fabs(seen.q[row] - dls_trajectory_at(exact.get(), row, q0)));
  }
  return error;
}
} // namespace

int main()
{
  try {
    std::cout << "error of q = " << largest_error(run_ball()) << '\n';
  } catch (const std::exception &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
  }
  return 0;
}
