#include "harness/simulate/overlap.hpp"

#include <map>

namespace harness::simulate {
namespace {

/// Commands of each sort that run at one time.
struct Running {
  int in = 0, out = 0, kernels = 0;

  void add(const Running& change) {
    in += change.in;
    out += change.out;
    kernels += change.kernels;
  }
  bool are_both(Overlap overlap) const {
    return overlap == Overlap::both_ways ? in > 0 && out > 0 : in + out > 0 && kernels > 0;
  }
};

Running one_of(Engine engine, int change) {
  return {.in = engine == Engine::to_device ? change : 0,
          .out = engine == Engine::to_host ? change : 0,
          .kernels = engine == Engine::multiprocessors ? change : 0};
}

}  // namespace

Nanoseconds overlapped(const Timeline& line, Overlap overlap) {
  std::map<Nanoseconds, Running> changes;
  for (const auto& span : line.device) {
    changes[span.begin].add(one_of(span.engine, 1));
    changes[span.end].add(one_of(span.engine, -1));
  }
  Nanoseconds sum = 0;
  Nanoseconds before = 0;
  Running running;
  for (const auto& [time, change] : changes) {
    if (running.are_both(overlap)) sum += time - before;
    running.add(change);
    before = time;
  }
  return sum;
}

}  // namespace harness::simulate
