#include "harness/programs/watched_program.hpp"

#include <catch2/catch_test_macros.hpp>

#include <csignal>

namespace harness::programs {
namespace {

TEST_CASE("A signal that comes when the program has ended does not end who watched it", "[watched_program]") {
  WatchedProgram program({"sh", "-c", "exit 5"}, "");
  std::optional<Exit> exit;
  while (!exit) exit = program.wait(std::chrono::milliseconds(100));
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) raise(signal);
  CHECK(exit->code == 5);
}  // here they would be delivered

}  // namespace
}  // namespace harness::programs
