#include "tests/harness/trace/made_up.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace harness;
using namespace harness::trace;

Trace with(const std::string& args) { return tests::trace_of({{"cpu_op", "a", 0, 1, args}}); }
std::string found(const std::string& args, std::string_view name) {
  const Trace trace = with(args);
  return std::string(argument(trace, trace.events[0], name));
}

TEST_CASE("an argument is found behind any other", "[trace]") {
  const std::string args =
      R"("first": "x\"y,{", "dims": [[64, 3], ["]"]], "object": {"n": [1]}, "last" : 12 )";
  CHECK(found(args, "first") == R"("x\"y,{")");
  CHECK(found(args, "dims") == R"([[64, 3], ["]"]])");
  CHECK(found(args, "object") == R"({"n": [1]})");
  CHECK(found(args, "last") == "12");
}

TEST_CASE("an argument that is not there is empty", "[trace]") {
  CHECK(found("", "x").empty());
  CHECK(found(R"("a": "x")", "x").empty());
  CHECK(found(R"("a": {"x": 1})", "x").empty());
}

TEST_CASE("a text argument comes without quotes and escapes", "[trace]") {
  const Trace trace = with(R"("stack": "a\/b.py(1): f", "number": 7)");
  CHECK(text_argument(trace, trace.events[0], "stack") == "a/b.py(1): f");
  CHECK(text_argument(trace, trace.events[0], "number").empty());
}

}  // namespace
