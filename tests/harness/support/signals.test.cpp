#include "harness/support/signals.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace harness;

/// What a watch takes of a signal that was treated so before.
std::optional<int> taken(int signal, void (*treated)(int)) {
  const auto before = std::signal(signal, treated);
  std::optional<int> taken;
  {
    SignalWatch watch;
    std::raise(signal);
    taken = watch.take();
  }
  std::signal(signal, before);
  return taken;
}

TEST_CASE("a signal that stops the program is taken", "[signals]") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) CHECK(taken(signal, SIG_DFL) == signal);
}

TEST_CASE("a SIGHUP that nohup has ignored stays ignored, a SIGINT that a shell has is taken", "[signals]") {
  CHECK_FALSE(taken(SIGHUP, SIG_IGN));
  CHECK(taken(SIGINT, SIG_IGN) == SIGINT);
}

}  // namespace
