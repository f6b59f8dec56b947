// What profilers write wrongly costs one event, not the trace: it is read, or left out, with a remark.
#include "tests/harness/trace/made_up.hpp"

#include "harness/core/setup.hpp"
#include "harness/trace/diagnosis.hpp"
#include "harness/trace/repair.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <vector>

namespace {

using namespace harness;
using namespace harness::trace;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

using namespace std::string_literals;
using Strings = std::vector<std::string>;

auto names(const std::string& part) { return MessageMatches(ContainsSubstring(part)); }

/// An event that begins with these members, and one that is as it should be.
std::string beside(const std::string& members) {
  return R"({"ph":"X","cat":"python_function","pid":9,"tid":9,"ts":90,)" + members +
         "},\n"
         R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":100,"dur":900})";
}

std::string named(const std::string& name) { return beside(R"("dur":950,"name":")" + name + '"'); }

/// With windows of all lengths, which must not matter.
Trace read(const std::string& json) {
  auto trace = parse_trace(json, "t.json");
  for (const std::size_t window : {1U, 64U, 100U, 300U}) {
    const auto again = parse_trace(json, "t.json", {.window = window});
    CHECK(again.remarks == trace.remarks);
    REQUIRE(again.events.size() == trace.events.size());
    for (EventId id = 0; id < trace.events.size(); ++id) {
      CHECK(again.name(again.events[id]) == trace.name(trace.events[id]));
      CHECK(again.args(again.events[id]) == trace.args(trace.events[id]));
    }
  }
  return trace;
}

Trace list(const std::string& events) { return read("[" + events + "]"); }

std::string name_of_first(const Trace& trace) { return std::string(trace.name(trace.events.at(0))); }

TEST_CASE("bytes that are not UTF-8 are replaced", "[trace][reader]") {
  const Strings remarks{"bytes that are not UTF-8 were replaced: event 1"};
  const auto broken =
      GENERATE("\xff", "\xc3", "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\x80");
  const auto trace = list(named(std::string("config.py(0): ") + broken + "x"));
  CHECK(trace.remarks == remarks);
  CHECK(trace.events.size() == 2);
  CHECK(name_of_first(trace).starts_with("config.py(0): \xef\xbf\xbd"));
  CHECK(name_of_first(trace).ends_with("x"));
}

TEST_CASE("bytes that are not UTF-8 may stand in arguments, and valid characters beside them stay",
          "[trace][reader]") {
  const auto trace =
      list(beside("\"dur\":1,\"name\":\"\xc3\xa9\",\"args\":{\"Module\":\"\xff\xe2\x82\xac\"}"));
  CHECK(name_of_first(trace) == "\xc3\xa9");
  CHECK(text_argument(trace, trace.events.at(0), "Module") == "\xef\xbf\xbd\xe2\x82\xac");
}

TEST_CASE("control characters in a name are shown as question marks", "[trace][reader]") {
  const auto control = GENERATE("\n", "\t", "\x01", "\x1b");
  const auto trace = list(named(std::string("a") + control + "b"));
  CHECK(trace.remarks == Strings{"control characters in a text were replaced: event 1"});
  CHECK(name_of_first(trace) == "a?b");
}

TEST_CASE("backslashes that nobody escaped stay as they are", "[trace][reader]") {
  const auto name = GENERATE(R"(C:\Users\me\train.py(12): forward)", R"(D:\new\table.py(1): f)",
                             R"(<string>(1): \d+)", R"(\\server\share\x.py(3): g)");
  const auto trace = list(named(name));
  CHECK(trace.remarks == Strings{"backslashes that are not escaped were kept: event 1"});
  CHECK(name_of_first(trace) == name);
}

TEST_CASE("backslashes that are escaped are no remark", "[trace][reader]") {
  const auto trace = list(named(R"(C:\\Users\\me\\train.py(12): \"f\")"));
  CHECK(trace.remarks.empty());
  CHECK(name_of_first(trace) == R"(C:\Users\me\train.py(12): "f")");
}

TEST_CASE("a backslash before the quote that ends a name does not keep the name open", "[trace][reader]") {
  const auto trace = list(beside(R"("dur":950,"name":"C:\tmp\","args":{"Folder":"D:\x\"})"));
  CHECK(trace.remarks == Strings{"backslashes that are not escaped were kept: event 1"});
  CHECK(name_of_first(trace) == R"(C:\tmp\)");
  CHECK(text_argument(trace, trace.events.at(0), "Folder") == R"(D:\x\)");
}

TEST_CASE("an event that lasts less than 0 is left out, the others count", "[trace][reader]") {
  const auto dur = GENERATE("-1", "-0.001", "\"-3\"");
  const auto trace = list(beside(std::string(R"("name":"f","dur":)") + dur));
  CHECK(trace.remarks == Strings{"left out, because it lasts less than 0: event 1"});
  REQUIRE(trace.events.size() == 1);
  CHECK(trace.events[0].ts == 0);
}

TEST_CASE("a number that is none costs its event, and is said", "[trace][reader]") {
  struct Bad {
    std::string members, why;
  };
  const auto [members, why] = GENERATE(
      Bad{R"("ts":5,"name":"f","dur":NaN)", "its \"dur\" is not a time in microseconds"},
      Bad{R"("ts":5,"name":"f","dur":Infinity)", "its \"dur\" is not a time in microseconds"},
      Bad{R"("ts":5,"name":"f","dur":null)", "its \"dur\" is not a time in microseconds"},
      Bad{R"("ts":5,"name":"f","dur":1e400)", "its \"dur\" is not a time in microseconds"},
      Bad{R"("ts":5,"name":"f")", "its \"dur\" is not a time in microseconds"},
      Bad{R"("name":"f","dur":5)", "its \"ts\" is not a time in microseconds"},
      Bad{R"("ts":1000000000000000000,"name":"f","dur":5)", "its \"ts\" is not a time in microseconds"},
      Bad{R"("ts":-Infinity,"name":"f","dur":5)", "its \"ts\" is not a time in microseconds"},
      Bad{R"("ts":5,"name":12,"dur":5)", "its \"name\" is not a string"},
      Bad{R"("ts":5,"dur":5)", "its \"name\" is not a string"});
  const auto bad = R"({"ph":"X","cat":"cpu_op","pid":9,"tid":9,)" + members + "}";
  const auto trace = list(named("a") + "," + bad + "," + named("b"));
  CHECK(trace.events.size() == 4);
  CHECK(trace.remarks == Strings{"left out, because " + why + ": event 3"});
}

TEST_CASE("what is no object among the events costs itself alone", "[trace][reader]") {
  const auto odd =
      GENERATE(as<std::string>{}, "null", "7", "-1.5e3", "true", R"("a, b")", "[]", R"([{"ph": "X"}, "]"])");
  const auto good = named("a");
  for (const auto& events : {odd + "," + good, good + " , " + odd, good + "," + odd + "\n," + named("b")}) {
    INFO(events);
    const auto trace = list(events);
    CHECK(trace.events.size() >= 2);
    REQUIRE(trace.remarks.size() == 1);
    CHECK_THAT(trace.remarks[0], ContainsSubstring("left out, because it is not a JSON object: event "));
  }
  const auto many = list("null,null," + good + ",null");
  CHECK(many.remarks == Strings{"left out, because it is not a JSON object: event 1 and 2 more"});
}

TEST_CASE("what is no value among the events is refused", "[trace][reader]") {
  for (const auto* odd : {"hello", "NaN", "nul", "'a'", "\"a"})
    CHECK_THROWS_MATCHES(list(named("a") + "," + odd), BadInput, names("it is not a JSON object"));
}

TEST_CASE("of an event that begins and ends apart, a bad time costs that one alone", "[trace][reader]") {
  const auto mark = [](const std::string& phase, const std::string& ts) {
    return R"({"ph":")" + phase + R"(","cat":"cpu_op","name":"f","pid":9,"tid":9,"ts":)" + ts + "}";
  };
  const auto good = mark("B", "10") + "," + mark("E", "50");
  const auto begun =
      list(mark("B", "5") + "," + mark("B", "null") + "," + mark("E", "20") + "," + mark("E", "60"));
  REQUIRE(begun.events.size() == 1);
  CHECK(begun.events[0].dur == 55'000);
  CHECK(begun.remarks == Strings{"left out, because its \"ts\" is not a time in microseconds: event 2"});
  const auto ended = list(good + "," + mark("B", "60") + "," + mark("E", "NaN"));
  CHECK(ended.remarks == Strings{"left out, because its end is not a time in microseconds: event 4"});
  CHECK(ended.events[0].dur == 40'000);
  CHECK(ended.events[1].kind == Kind::other);
}

TEST_CASE("remarks of one kind are one, with the first event", "[trace][reader]") {
  const auto bad = R"({"ph":"X","cat":"cpu_op","name":"f","ts":1,"dur":-1})";
  const auto trace = list(named("a") + "," + bad + "," + bad + "," + bad);
  CHECK(trace.remarks == Strings{"left out, because it lasts less than 0: event 3 and 2 more"});
}

TEST_CASE("a list that nobody closed is read, with or without a last comma", "[trace][reader]") {
  const Strings remarks{"the list of events is not closed, so the file may have been cut short"};
  for (const auto* end : {"", ",", ",\n", " \n"})
    for (const auto* begin : {"[", R"({"schemaVersion":1,"traceEvents":[)"}) {
      INFO(begin << end);
      const auto trace = read(begin + named("a") + end);
      CHECK(trace.events.size() == 2);
      CHECK(trace.remarks == remarks);
    }
  CHECK(read(R"({"traceEvents":[)" + named("a") + "}").remarks == remarks);
}

TEST_CASE("a comma behind the last of a list or object is passed over", "[trace][reader]") {
  CHECK(list(named("a") + ",").remarks.empty());
  const auto trace =
      read(R"({"traceEvents":[)" + beside(R"("dur":1,"name":"a","args":{"x":[1,2,],},)") + " , ],}");
  CHECK(trace.remarks.empty());
  CHECK(trace.args(trace.events.at(0)) == R"({"x":[1,2]})");
}

TEST_CASE("a quote that nobody escaped is named, with its event", "[trace][reader]") {
  const auto name = GENERATE(R"({"device": "cpu"}(12): run)", R"(say "hi")", R"(a" b)");
  CHECK_THROWS_MATCHES(
      list(named("fine") + "," + named(name)), BadInput,
      names("event 3: its JSON breaks off") && names("does a name hold a quote that is not escaped?"));
}

TEST_CASE("what is no JSON within an event is not taken for its end", "[trace][reader]") {
  const auto event = GENERATE(R"({"name":"a"::to", "x": "y"})", R"({"ph":"X","name":"a" "ts":1})",
                              R"({"ph":"X","args":{"a":1 "b":2},"name":"a"})");
  CHECK_THROWS_MATCHES(list(named("fine") + "," + event + "," + named("fine")), BadInput, names("event 3: "));
}

TEST_CASE("a file that ends within an event is refused", "[trace][reader]") {
  const std::string whole = "[" + named("a");
  CHECK_THROWS_MATCHES(read(whole.substr(0, whole.size() - 5)), BadInput,
                       names("event 2: the file ends within it"));
}

TEST_CASE("what stands behind the trace is reported", "[trace][reader]") {
  const std::string first = "[" + named("a") + "]";
  const auto place = "from byte " + std::to_string(first.size() + 1) + " on";
  const auto remark = [&](const std::string& more) { return read(first + "\n" + more).remarks; };
  CHECK(remark(first) == Strings{"after the trace, " + place +
                                 ", the file goes on with another document, which was not read"});
  CHECK(remark("}") == Strings{"after the trace, " + place +
                               ", the file goes on with text that is not JSON, which was not read"});
  CHECK(remark(std::string(3, '\0') + "\n").empty());
  CHECK(read(R"({"traceEvents":)" + first + "} {}").remarks.size() == 1);
}

TEST_CASE("a device that cannot be read costs its properties only", "[trace][reader]") {
  const auto trace =
      read(R"({"deviceProperties":[{"id":0 "name":"A100"}],"traceEvents":[)" + named("a") + "]}");
  CHECK(trace.devices.empty());
  REQUIRE(trace.remarks.size() == 1);
  CHECK_THAT(trace.remarks[0], ContainsSubstring("\"deviceProperties\" is unreadable"));
}

TEST_CASE("text that looks like the end of an event does not end one", "[trace][reader]") {
  const auto trace = list(beside(R"("dur":1,"name":"},{","args":{"a":[{"b":1},{"c":"},{"}]})") + "," +
                          beside(R"("dur":2,"name":"\\","args":{"},\n{":"\"},{\""})"));
  REQUIRE(trace.events.size() == 4);
  CHECK(trace.args(trace.events[0]) == R"({"a":[{"b":1},{"c":"},{"}]})");
  CHECK(trace.events[2].dur == 2000);
}

TEST_CASE("lists of objects behind the events are not taken for events", "[trace][reader]") {
  const auto trace =
      read(R"({"traceEvents":[)" + named("a") +
           R"(],"other":[{"a":1},{"b":2}],"deviceProperties":[{"id":0,"name":"A100"},{"id":1}]})");
  CHECK(trace.events.size() == 2);
  CHECK(trace.devices.size() == 2);
}

TEST_CASE("arguments that only number an event do not tell it from the others", "[trace][reader]") {
  std::string events;
  for (int i = 0; i < 3; ++i)
    events += (i > 0 ? "," : "") + named("a").substr(0, named("a").find('}')) + R"(,"args":{"External id":)" +
              std::to_string(i) + R"(,"Ev Idx":)" + std::to_string(i) + R"(,"Input Dims":[[2]]}})";
  const auto trace = list(events);
  CHECK(trace.arguments.size() == 2);
  CHECK(trace.events[2].external_id == 2);
  CHECK(argument(trace, trace.events[2], "Input Dims") == "[[2]]");
}

TEST_CASE("a trace of which a name is broken is judged as without it", "[trace][reader]") {
  CHECK(diagnose(list(named("C:\\U"))).verdict.regime == Regime::compute);
  CHECK(diagnose(list(named("\xff"))).remarks.size() == 1);
}

TEST_CASE("an event without its closing bracket is refused by its number, however large the windows are",
          "[trace][reader]") {
  const auto* const phase = GENERATE("X", "s");  // of an "s" nothing else is read
  const std::string good =
      R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":9,"tid":9,"ts":100,"dur":900})";
  const auto broken =
      std::string(R"({"ph":")") + phase + R"(","name":"x","pid":9,"tid":9,"ts":1,"dur":2,"args":{})";
  const auto json = "[" + good + "," + broken + ",\n" + good + "," + good + "]";
  for (const std::size_t window : {1UL, 100UL, 200UL, 300UL, 1UL << 20}) {
    INFO(window);
    CHECK_THROWS_MATCHES(parse_trace(json, "t.json", {.window = window}), BadInput, names("event 2: "));
  }
}

TEST_CASE("a value that another one follows behind a colon is refused, however large the windows are",
          "[trace][reader]") {
  const auto* const broken = GENERATE(R"("sd":"evice": 0)", R"("args":{"x":"y":0})", R"("args":{"x":})",
                                      R"("args":"x":0)", R"("tid":)");
  const auto good = beside(R"("dur":5,"name":"x")");
  const auto json =
      "[" + good + "," + beside(std::string(R"("dur":5,"name":"x",)") + broken) + "," + good + "]";
  for (const std::size_t window : {1UL, 100UL, 300UL, 500UL, 1UL << 20}) {
    INFO(window);
    CHECK_THROWS_MATCHES(parse_trace(json, "t.json", {.window = window}), BadInput, names("event 3: "));
  }
}

TEST_CASE("an event that a bracket of a list closes is refused, however large the windows are",
          "[trace][reader]") {
  const auto good = beside(R"("dur":5,"name":"x")");
  const auto json = "[" + good + R"(,{"ph":"s","id":1] , )" + good + "," + good + "]";
  for (const std::size_t window : {1UL, 100UL, 300UL, 500UL, 1UL << 20}) {
    INFO(window);
    CHECK_THROWS_MATCHES(parse_trace(json, "t.json", {.window = window}), BadInput, names("event 3: "));
  }
}

TEST_CASE("commas that are missing or too many are said, however large the windows are", "[trace][reader]") {
  const auto good = R"({"ph":"X","cat":"cpu_op","name":"a","pid":9,"tid":9,"ts":90,"dur":5})"s;
  const auto remark = [](const std::string& where) {
    return Strings{"commas between events are missing or too many: event " + where};
  };
  CHECK(list(good + ", " + good + ",").remarks.empty());
  CHECK(list(good + ",," + good + ", ,").remarks == remark("2 and 1 more"));
  CHECK(list(good + "," + good + "\n" + good).remarks == remark("3"));
  CHECK(list(good + ",,").remarks == remark("1"));
  CHECK(list("," + good).remarks == remark("1"));
  CHECK(list(good + "," + named("\xff") + named("fine")).events.size() == 5);
}

TEST_CASE("a backslash outside of a string is read alike, however large the windows are", "[trace][reader]") {
  const auto odd = R"({"ph":"X","cat":"cpu_op","name":"a","pid":9,"tid":\"9,"ts":90,"dur":5})";
  CHECK(list(std::string(odd) + "," + named("\xff")).events.size() == 3);
  CHECK(list(std::string(odd) + "," + named("fine")).events.size() == 3);
}

TEST_CASE("a value that nobody asks for is held to JSON's grammar, however large the windows are",
          "[trace][reader]") {
  const auto* const phase = GENERATE("X", "s");  // of an "s" nothing else is read
  const auto* const value =
      GENERATE("[[2,] 3]", "[1 2]", "[1,,2]", "[,1]", "[1:2]", "[}", "[{]}", R"(["a":1])", R"({"a" 1})",
               R"({"a":1 "b":2})", R"({,"a":1})", "{1:2}", R"({"a":})");
  const auto good = beside(R"("dur":5,"name":"x")");
  const auto broken =
      std::string(R"({"ph":")") + phase + R"(","name":"x","ts":1,"dur":2,"args":{"x":)" + value;
  const auto json = "[" + good + "," + broken + "}}," + good + "," + good + "]";
  for (const std::size_t window : {1UL, 100UL, 300UL, 500UL, 1UL << 20}) {
    INFO(value << " in windows of " << window);
    CHECK_THROWS_MATCHES(parse_trace(json, "t.json", {.window = window}), BadInput, names("event 3: "));
  }
}

TEST_CASE("a last comma within a value goes, however large the windows are", "[trace][reader]") {
  const auto trace =
      list(beside(R"("dur":1,"name":"a","args":{"x":[[2,], {"y":3, }]})") + "," + named("fine"));
  CHECK(trace.args(trace.events.at(0)) == R"({"x":[[2], {"y":3}]})");
}

}  // namespace
