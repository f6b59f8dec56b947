#include "tests/harness/trace/made_up.hpp"

#include "harness/core/setup.hpp"
#include "harness/trace/trace.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>

namespace {

using namespace harness;
using namespace harness::trace;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

Trace parse(const std::string& text) { return parse_trace(text, "t.json"); }

auto says(const std::string& part) { return MessageMatches(ContainsSubstring(part)); }

TEST_CASE("an event is read with all that its arguments tell", "[trace]") {
  const Trace trace =
      parse(R"~({"traceEvents": [{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)",
    "pid": 0, "tid": 7, "ts": 10.5, "dur": 2.25, "args": {"External id": 5, "device": 1, "stream": 7,
    "correlation": 9, "bytes": 64}}]})~");
  const Event& event = trace.events.at(0);
  CHECK(event.kind == Kind::memcpy);
  CHECK(event.dur == 2250);
  CHECK(event.external_id == 5);
  CHECK(event.correlation == 9);
  CHECK(event.bytes == 64);
  CHECK(event.device == 1);
  CHECK(event.stream == 7);
  CHECK(event.direction == Direction::host_to_device);
  CHECK(event.host_memory == HostMemory::pinned);
}

TEST_CASE("the format of 2021 gives the same events", "[trace]") {
  const Trace trace = parse(R"([
    {"ph": "X", "cat": "Operator", "name": "aten::mm", "pid": 1, "tid": "1", "ts": 1, "dur": 9},
    {"ph": "X", "cat": "Operator", "name": "ProfilerStep#3", "pid": 1, "tid": "1", "ts": 0, "dur": 90},
    {"ph": "X", "cat": "Kernel", "name": "sgemm", "pid": 2, "tid": "stream 13", "ts": 4, "dur": 3,
     "args": {"correlation": 5, "external id": 8}}])");
  CHECK(trace.events.at(0).kind == Kind::cpu_op);
  CHECK(trace.events.at(0).track == trace.events.at(1).track);
  CHECK(trace.events.at(1).kind == Kind::user_annotation);
  CHECK(trace.events.at(2).stream == 13);
  CHECK(trace.events.at(2).device == 2);
  CHECK(trace.events.at(2).external_id == 8);
}

TEST_CASE("time 0 is the first event and the origin keeps the clock", "[trace]") {
  const Trace trace = parse(R"([{"ph":"X","cat":"cpu_op","name":"b","ts":1500000.5,"dur":1},
    {"ph":"X","name":"a","ts":1500000,"dur":1}])");
  CHECK(trace.events.at(0).ts == 500);
  CHECK(trace.events.at(1).ts == 0);
  CHECK(trace.origin == 1500000000);
}

TEST_CASE("begin and end events make one event", "[trace]") {
  const Trace trace = parse(
      R"([{"ph":"B","cat":"cpu_op","name":"outer","pid":1,"tid":1,"ts":1},{"ph":"B","name":"inner","pid":1,"tid":1,"ts":2},
    {"ph":"E","pid":1,"tid":1,"ts":4},{"ph":"E","pid":1,"tid":1,"ts":9},{"ph":"E","pid":1,"tid":1,"ts":10}])");
  CHECK(trace.events.at(0).dur == 8000);
  CHECK(trace.events.at(1).dur == 2000);
}

TEST_CASE("arrows, counters and notes are passed over; allocations are kept", "[trace]") {
  const Trace trace =
      parse(R"([{"ph":"s","id":1,"ts":1},{"ph":"M","name":"process_name"},{"ph":"C","name":"x","ts":2},{},
    {"ph":"i","name":"Iteration Start","ts":1},
    {"ph":"i","name":"[memory]","pid":1,"tid":1,"ts":3,"args":{"Bytes":-4,"Device Id":-1}}])");
  REQUIRE(trace.events.size() == 1);
  CHECK(trace.events[0].kind == Kind::memory);
  CHECK(trace.events[0].bytes == -4);
}

TEST_CASE("what the file says of devices and ranks is kept, before or behind the events", "[trace]") {
  const Trace trace =
      parse(R"({"deviceProperties": [{"id": 0, "name": "A100", "computeMajor": 8, "numSms": 108}],
    "traceEvents": [{"ph":"X","cat":"cpu_op","name":"a","ts":1,"dur":1}], "record_shapes": 1,
    "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8, "pg_config": [{"ranks": [0, 1]}]}})");
  REQUIRE(trace.devices.size() == 1);
  CHECK(trace.devices[0].name == "A100");
  CHECK(trace.devices[0].compute_major == 8);
  CHECK(trace.devices[0].multiprocessors == 108);
  CHECK(trace.rank == 3);
  CHECK(trace.world_size == 8);
}

TEST_CASE("numbers that JSON lacks do not matter where nobody reads them", "[trace]") {
  const Trace trace = parse(
      R"~([{"ph":"X","cat":"cpu_op","name":"a","ts":5,"dur":3,"args":{"memory bandwidth (GB/s)":inf,"bytes":1e999}}])~");
  CHECK(trace.events.at(0).bytes == absent);
}

TEST_CASE("a byte order mark is passed over", "[trace]") {
  CHECK(parse("\xef\xbb\xbf[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"ts\":5,\"dur\":3}]")
            .events.size() == 1);
}

TEST_CASE("the reader refuses text that is not JSON, and JSON that is not a trace, in a sentence",
          "[trace]") {
  CHECK_THROWS_MATCHES(parse(""), BadInput, says("t.json: "));
  CHECK_THROWS_MATCHES(parse("hello"), BadInput, says("t.json: "));
  CHECK_THROWS_MATCHES(parse("42"), BadInput, says("this is not a trace"));
  CHECK_THROWS_MATCHES(parse("{\"a\": 1}"), BadInput, says("this JSON is not a trace"));
  CHECK_THROWS_MATCHES(parse("{\"traceEvents\": 7}"), BadInput, says("\"traceEvents\" is not a list"));
  CHECK_THROWS_MATCHES(parse("[]"), BadInput, says("this trace has no events"));
}

TEST_CASE("a trace of which no event can be read is refused, and what one lacks is named", "[trace]") {
  CHECK_THROWS_MATCHES(parse("[{}, 7]"), BadInput, says("it is not a JSON object: event 2"));
  CHECK_THROWS_MATCHES(parse("[{}, hello]"), BadInput, says("event 2: it is not a JSON object"));
  for (const auto& [event, why] :
       {std::pair{R"({"ph":"X","name":"a","dur":1})", R"("ts" is not a time)"},
        {R"({"ph":"X","name":"a","ts":1})", R"("dur" is not a time)"},
        {R"({"ph":"X","ts":1,"dur":1})", R"("name" is not a string)"},
        {R"({"ph":"X","name":7,"ts":1,"dur":1})", R"("name" is not a string)"},
        {R"({"ph":"X","name":"a","ts":[],"dur":1})", R"("ts" is not a time)"},
        {R"({"ph":"X","name":"a","ts":1e999,"dur":1})", R"("ts" is not a time)"}}) {
    CHECK_THROWS_MATCHES(parse(std::string("[") + event + "]"), BadInput, says("no event that can be read"));
    CHECK_THROWS_MATCHES(parse(std::string("[") + event + "]"), BadInput, says(why));
  }
}

TEST_CASE("a text that breaks off is refused, but for one that ends between two events", "[trace]") {
  const std::string begin = R"({"traceEvents": [)";
  const std::string event = R"({"ph":"X","cat":"cpu_op","name":"a","ts":1,"dur":1})";
  const auto whole = begin + event + "," + event + "]}";
  const auto first = begin.size() + event.size();
  const auto second = first + 1 + event.size();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    INFO(whole.substr(0, length));
    if (length == first || length == first + 1 || length >= second)
      CHECK_NOTHROW(parse(whole.substr(0, length)));
    else
      CHECK_THROWS_AS(parse(whole.substr(0, length)), BadInput);
  }
}

TEST_CASE("deep nesting is passed over or refused, without recursion", "[trace]") {
  const std::string deep(100'000, '[');
  CHECK_THROWS_AS(parse(deep), BadInput);
  const std::string closed = deep + std::string(deep.size(), ']');
  CHECK(parse(R"([{"ph":"X","cat":"cpu_op","name":"a","ts":1,"dur":1,"args":{"deep":)" + closed + "}}]")
            .events.size() == 1);
}

TEST_CASE("a million names are as many names", "[trace]") {
  std::string text = "[";
  for (int i = 0; i < 1'000'000; ++i)
    text += R"({"ph":"X","cat":"cpu_op","name":"n)" + std::to_string(i) + R"(","ts":)" + std::to_string(i) +
            R"(,"dur":1},)";
  text.back() = ']';
  CHECK(parse(text).names.size() == 1'000'000);
}

TEST_CASE("the text of an event's arguments ends with its brace", "[trace]") {
  const Trace trace = tests::trace_of(
      {{"cpu_op", "a", 1, 2, R"("Input Dims": [[1, "}"]], "x": {"y": 1})"}, {"cpu_op", "b", 1, 2, ""}});
  CHECK(trace.args(trace.events.at(0)) == R"({"Input Dims": [[1, "}"]], "x": {"y": 1}})");
  CHECK(trace.args(trace.events.at(1)) == "{}");
}

}  // namespace
