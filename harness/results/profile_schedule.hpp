// Which runs of a form are recorded.
#pragma once

#include <cstdint>
#include <string>

namespace harness::results {

/// torch.profiler's words, counted in runs of the form. Each repetition lets `wait` runs pass, makes the
/// profiler ready for `warmup` runs, records `active` runs, and is a trace file of its own.
struct Schedule {
  int wait = 10;
  int warmup = 10;
  int active = 20;
  int repeat = 1;

  int runs() const { return repeat * (wait + warmup + active); }
  bool operator==(const Schedule&) const = default;
};

/// "wait=10,warmup=10,active=20,repeat=1".
std::string to_string(const Schedule& schedule);
/// The inverse; parts that are left out stay as they are in `otherwise`. Throws BadInput, naming `flag`.
Schedule parse_schedule(const std::string& text, const std::string& flag, const Schedule& otherwise);

}  // namespace harness::results
