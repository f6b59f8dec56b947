#include "harness/cli/run_session.hpp"

#include <fmt/chrono.h>

#include <ctime>
#include <fstream>
#include <string>

namespace harness {
namespace {

/// A fresh one from the kernel; empty where /proc is not mounted.
std::string uuid() {
  std::ifstream in("/proc/sys/kernel/random/uuid");
  std::string text;
  in >> text;
  return text;
}

}  // namespace

Session new_session(const RunPlan& plan, const Device& device, const BuildInfo& build) {
  return {.id = uuid(),
          .started = fmt::format("{:%Y-%m-%dT%H:%M:%S+00:00}", fmt::gmtime(std::time(nullptr))),
          .seed = plan.seed,
          .suite = plan.selection.suite == Suite::quick ? "quick" : "full",
          .device = to_string(device),
          .threads = plan.threads,
          .looks = plan.looks,
          .alpha = session_alpha,
          .options = plan.options,
          .commit = std::string(build.commit)};
}

}  // namespace harness
