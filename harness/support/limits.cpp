#include "harness/support/limits.hpp"

#include "harness/core/setup.hpp"

#include <fmt/format.h>

#include <csignal>
#include <sys/resource.h>
#include <unistd.h>

namespace harness::inline support {
namespace {

constexpr rlim_t needed_stack = rlim_t{256} << 10;
constexpr rlim_t needed_files = 32;  // a worker's pipes; those of batches are told where they are opened

rlim_t limit_of(__rlimit_resource what) {
  rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
  getrlimit(what, &limit);
  return limit.rlim_cur;
}

}  // namespace

void require_surroundings() {
  std::signal(SIGXFSZ, SIG_IGN);
  if (const auto stack = limit_of(RLIMIT_STACK); stack < needed_stack)
    throw BadInput(fmt::format("the stack may have {} KiB, and {} are needed; run ulimit -s {} first",
                               stack >> 10, needed_stack >> 10, needed_stack >> 10));
  if (const auto files = limit_of(RLIMIT_NOFILE); files < needed_files)
    throw BadInput(fmt::format("{} files may be open at once, and {} are needed; run ulimit -n {} first",
                               files, needed_files, needed_files));
  if (access("/proc/self/exe", F_OK) != 0)
    throw BadInput(
        "/proc is not mounted, and tuneproof reads there what the machine has and does; mount it first");
}

}  // namespace harness::inline support
