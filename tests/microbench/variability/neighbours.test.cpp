#include "microbench/variability/neighbours.hpp"

#include "microbench/dataload/sources.hpp"

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <ctime>
#include <sys/types.h>
#include <thread>

namespace {

using namespace microbench;

/// Seconds of processor time that the neighbour uses meanwhile, as its clock tells.
double used_in(pid_t process, std::chrono::milliseconds time) {
  clockid_t id{};
  REQUIRE(clock_getcpuclockid(process, &id) == 0);
  const auto now = [&] {
    timespec t{};
    clock_gettime(id, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const auto before = now();
  std::this_thread::sleep_for(time);
  return now() - before;
}

/// True once `state` is, which is asked at most 100 times.
template <class State>
bool comes_true(const State& state) {
  for (int i = 0; i < 100; ++i)
    if (state()) return true;
  return false;
}

TEST_CASE("a neighbour rests until it has to work, and rests again", "[variability]") {
  using std::chrono::milliseconds;
  Neighbours neighbours(busy_source, 1, "/proc/self/exe");
  const auto process = neighbours.processes().at(0);
  const auto rests = [&] { return used_in(process, milliseconds(50)) == 0; };
  const auto works = [&] { return used_in(process, milliseconds(50)) > 0; };
  CHECK(comes_true(rests));  // not at once on a busy machine: it may still be on its way there
  neighbours.work();
  CHECK(comes_true(works));
  neighbours.rest();
  CHECK(comes_true(rests));
}

}  // namespace
