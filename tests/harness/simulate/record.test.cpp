#include "harness/core/setup.hpp"
#include "harness/simulate/simulate_arguments.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <map>
#include <string>

namespace {

using namespace harness;
using namespace harness::simulate;
using Catch::Matchers::ContainsSubstring;

const std::string begin = R"({"mark":"begin","row":"a","form":"naive"})"
                          "\n";
const std::string end = R"({"mark":"end"})"
                        "\n";

std::vector<Entry> entries_of(const std::string& lines) {
  const auto recording = calls_from_text(begin + lines + end, "calls");
  return recording.rows.at(0).forms.at(0).entries;
}

TEST_CASE("only calls between marks are of a form", "[simulate]") {
  const std::string call = R"({"do":"synchronize"})"
                           "\n";
  const auto recording = calls_from_text(call + begin + call + end + call, "calls");
  REQUIRE(recording.rows.size() == 1);
  CHECK(recording.rows[0].forms[0].entries.size() == 1);
}

TEST_CASE("streams and events are numbered as they come up, and the legacy stream stays 0", "[simulate]") {
  const auto entries = entries_of(R"({"do":"kernel","name":"k","stream":17,"blocking":false})"
                                  "\n"
                                  R"({"do":"kernel","name":"k","stream":0,"blocking":true})"
                                  "\n"
                                  R"({"do":"record_event","stream":9,"blocking":true,"event":140028})"
                                  "\n");
  CHECK(entries.at(0).stream == 1);
  CHECK(entries.at(1).stream == legacy_stream);
  CHECK(entries.at(2).stream == 2);
  CHECK(entries.at(2).event == 1);
}

TEST_CASE("a stream that does not block is remembered as such", "[simulate]") {
  const auto recording = calls_from_text(begin +
                                             R"({"do":"kernel","name":"k","stream":17,"blocking":false})"
                                             "\n" +
                                             end,
                                         "calls");
  CHECK(recording.rows[0].forms[0].non_blocking == std::set<int>{1});
}

TEST_CASE("nodes belong to the graph that is launched after them", "[simulate]") {
  const std::string node = R"({"do":"kernel","name":"n","stream":5,"blocking":true,"node":true,"after":[]})"
                           "\n";
  const auto entries = entries_of(node + node +
                                  R"({"do":"graph","stream":5,"blocking":true})"
                                  "\n");
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].nodes.size() == 2);
}

TEST_CASE("a form that a worker was stopped in is left out, with its half-written line", "[simulate]") {
  const std::string call = R"({"do":"synchronize"})"
                           "\n";
  const auto recording = calls_from_text(begin + call + end + begin + call + R"({"do":"ker)", "calls");
  REQUIRE(recording.rows.size() == 1);
  CHECK(recording.rows[0].forms.size() == 1);
}

TEST_CASE("an operator on host tensors keeps what it moves and what is new of it", "[simulate]") {
  const auto entries =
      entries_of(R"({"do":"compute","name":"aten::arange","operator":true,"bytes":80,"fresh":80})"
                 "\n");
  CHECK(entries.at(0).does == Entry::Does::compute);
  CHECK(entries.at(0).fresh == 80);
}

TEST_CASE("a kernel keeps how long it was made to take", "[simulate]") {
  const auto entries =
      entries_of(R"({"do":"kernel","name":"k","us":3.000000,"stream":1,"blocking":true})"
                 "\n"
                 R"({"do":"kernel","name":"k","as_copy":4096.000000,"stream":1,"blocking":true})"
                 "\n");
  CHECK(entries.at(0).us == 3);
  CHECK(entries.at(1).as_copy == 4096);
}

TEST_CASE("calls that no data sheet has a price for are counted by their names", "[simulate]") {
  const std::string take = R"({"do":"unpriced","name":"cudaMalloc"})"
                           "\n";
  const auto recording = calls_from_text(take + begin + take + take +
                                             R"({"do":"unpriced","name":"cudaFree"})"
                                             "\n" +
                                             end,
                                         "calls");
  const auto& form = recording.rows.at(0).forms.at(0);
  CHECK(form.entries.empty());
  CHECK(form.unpriced == std::map<std::string, int>{{"cudaFree", 1}, {"cudaMalloc", 2}});
}

TEST_CASE("a broken line is named by its number", "[simulate]") {
  CHECK_THROWS_WITH(calls_from_text(begin + "{\n", "calls"), ContainsSubstring("calls: line 2"));
}

TEST_CASE("a recording survives the way to its file and back", "[simulate]") {
  const auto recording = calls_from_text(
      begin +
          R"({"do":"copy","way":"h2d","pageable":true,"bytes":100,"stream":3,"blocking":true,"waits":true})"
          "\n" +
          end,
      "calls");
  CHECK(recording_to_json(recording)["rows"][0]["forms"][0]["entries"][0].dump() ==
        R"({"do":"copy","bytes":100.0,"way":"h2d","pageable":true,"waits":true})");
}

}  // namespace
