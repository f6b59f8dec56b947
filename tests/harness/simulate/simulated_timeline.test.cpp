#include "harness/simulate/simulated_timeline.hpp"

#include <catch2/catch_test_macros.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace harness::simulate;
using Ends = std::vector<Nanoseconds>;

constexpr int all = 10;
constexpr Rules plain{.multiprocessors = all};

Submit kernel(int stream, Nanoseconds lasts, int multiprocessors = all) {
  return {stream, {"kernel", Engine::multiprocessors, lasts, multiprocessors}, 1};
}
Submit copy_in(int stream, Nanoseconds lasts) { return {stream, {"in", Engine::to_device, lasts}, 1}; }
Submit copy_out(int stream, Nanoseconds lasts) { return {stream, {"out", Engine::to_host, lasts}, 1}; }

/// Begin and end of each command, in the order of the calls.
Ends times(const Timeline& line) {
  Ends out;
  for (const auto& span : line.device) {
    out.push_back(span.begin);
    out.push_back(span.end);
  }
  return out;
}

/// Two chunks in two streams: copied in, worked on, copied out; one chunk after the other.
const Schedule chunk_by_chunk{
    {copy_in(1, 100), kernel(1, 60), copy_out(1, 80), copy_in(2, 100), kernel(2, 60), copy_out(2, 80)}};
/// The same work, one kind of command after the other.
const Schedule kind_by_kind{
    {copy_in(1, 100), copy_in(2, 100), kernel(1, 60), kernel(2, 60), copy_out(1, 80), copy_out(2, 80)}};

TEST_CASE("commands of a stream follow each other while the host goes on", "[simulate]") {
  const auto line = play({{copy_in(1, 100), kernel(1, 50), copy_out(1, 30)}}, plain);
  CHECK(times(line) == Ends{1, 101, 101, 151, 151, 181});
  CHECK(line.host_end == 3);
  CHECK(line.end == 181);
}

TEST_CASE("the way to the device, the gap between commands and the way back take their time", "[simulate]") {
  auto rules = plain;
  rules.reach = 5;
  rules.gap = 2;
  rules.wake = 7;
  const auto line = play({{copy_in(1, 100), kernel(1, 50), Synchronize{.host = 4}}}, rules);
  CHECK(times(line) == Ends{6, 106, 108, 158});
  CHECK(line.host_end == 165);
}

TEST_CASE("two engines copy in and out at once, and a kernel runs beside both", "[simulate]") {
  CHECK(times(play(chunk_by_chunk, plain)) == Ends{1, 101, 101, 161, 161, 241, 101, 201, 201, 261, 261, 341});
}

TEST_CASE("with one engine and one queue the order of the calls decides what overlaps", "[simulate]") {
  auto rules = plain;
  rules.copy_engines = 1;
  rules.one_queue = true;
  CHECK(play(chunk_by_chunk, rules).end == 481);  // (100 + 60 + 80) * 2 after the first call
  CHECK(times(play(kind_by_kind, rules)) == Ends{1, 101, 101, 201, 101, 161, 201, 261, 201, 281, 281, 361});
}

TEST_CASE("with one engine and many queues the copy that was ready first goes first", "[simulate]") {
  auto rules = plain;
  rules.copy_engines = 1;
  CHECK(times(play(chunk_by_chunk, rules)) == Ends{1, 101, 101, 161, 201, 281, 101, 201, 201, 261, 281, 361});
}

TEST_CASE("the legacy stream waits for what came since its last command, and that one for the rest",
          "[simulate]") {
  const Schedule schedule{{kernel(1, 100, 2), kernel(legacy_stream, 50, 2), kernel(2, 30, 2), kernel(1, 5, 2),
                           kernel(legacy_stream, 10, 2)}};
  CHECK(times(play(schedule, plain)) == Ends{1, 101, 101, 151, 151, 181, 151, 156, 181, 191});
}

TEST_CASE("the legacy stream waits for blocking streams and holds them up, and no others", "[simulate]") {
  const Schedule schedule{
      {kernel(1, 100, 2), kernel(legacy_stream, 50, 2), kernel(2, 30, 2), kernel(3, 20, 2)}, {3}};
  CHECK(times(play(schedule, plain)) == Ends{1, 101, 101, 151, 151, 181, 4, 24});
}

TEST_CASE("a stream and the host wait for an event, and for an unrecorded one nobody does", "[simulate]") {
  auto rules = plain;
  rules.wake = 3;
  const Schedule schedule{{kernel(1, 100, 2), RecordEvent{1, 7, 1}, WaitForEvent{2, 7, 1}, kernel(2, 40, 2),
                           WaitForEvent{3, 8, 1}, kernel(3, 10, 2),
                           Synchronize{Synchronize::For::event, 7, 1}}};
  const auto line = play(schedule, rules);
  CHECK(times(line) == Ends{1, 101, 101, 141, 6, 16});
  CHECK(line.host_end == 104);
  CHECK(line.end == 141);
}

TEST_CASE("a full queue holds up the host until a command begins", "[simulate]") {
  auto rules = plain;
  rules.queue_length = 2;
  const auto line =
      play({{kernel(1, 100), kernel(1, 100), kernel(1, 100), kernel(1, 100), kernel(1, 100)}}, rules);
  CHECK(line.device[3].called == 102);  // the second began at 101
  CHECK(line.device[4].called == 202);
  CHECK(line.host_end == 202);
  CHECK(line.end == 501);
}

TEST_CASE("nodes of a graph begin when those before them have ended, behind one call", "[simulate]") {
  auto rules = plain;
  rules.reach = 2;
  rules.gap = 3;
  rules.node_gap = 1;
  const auto node = [](Nanoseconds lasts, std::vector<std::size_t> after) {
    return Node{{"node", Engine::multiprocessors, lasts, 2}, std::move(after)};
  };
  const Schedule schedule{
      {LaunchGraph{1, {node(10, {}), node(20, {0}), node(30, {0}), node(5, {1, 2})}, 4}, kernel(1, 10)}};
  const auto line = play(schedule, rules);
  CHECK(times(line) == Ends{7, 17, 18, 38, 18, 48, 49, 54, 57, 67});
  CHECK(line.host_end == 5);
}

TEST_CASE("kernels share the multiprocessors while they fit, and none overtakes", "[simulate]") {
  const Schedule schedule{{kernel(1, 100, 6), kernel(2, 50, 6), kernel(3, 30, 4)}};
  CHECK(times(play(schedule, plain)) == Ends{1, 101, 101, 151, 101, 131});
}

TEST_CASE("a call that waits returns when its command has ended, and the host works on from there",
          "[simulate]") {
  auto copy = copy_out(1, 80);
  copy.waits = true;
  const auto line = play({{kernel(1, 100), copy, Compute{"host", 40}, kernel(1, 10)}}, plain);
  CHECK(times(line) == Ends{1, 101, 101, 181, 222, 232});
}

TEST_CASE("a host waits for a stream, not for the others", "[simulate]") {
  const Schedule schedule{
      {kernel(1, 100, 2), kernel(2, 500, 2), Synchronize{Synchronize::For::stream, 1, 1}}};
  CHECK(play(schedule, plain).host_end == 101);
}

TEST_CASE("what cannot run is refused", "[simulate]") {
  CHECK_THROWS_AS(play({{kernel(1, 1, all + 1)}}, plain), std::invalid_argument);
  CHECK_THROWS_AS(play({{LaunchGraph{1, {Node{{"node"}, {0}}}}}}, plain), std::invalid_argument);
}

TEST_CASE("the same schedule has the same time line", "[simulate]") {
  CHECK(times(play(chunk_by_chunk, plain)) == times(play(chunk_by_chunk, plain)));
}

}  // namespace
