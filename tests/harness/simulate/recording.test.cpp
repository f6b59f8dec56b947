#include "harness/simulate/recording.hpp"

#include "harness/core/setup.hpp"
#include "harness/simulate/simulate.hpp"
#include "harness/support/scratch_folder.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace harness;
using namespace harness::simulate;
using Catch::Matchers::ContainsSubstring;

const Json kernel{{"do", "kernel"}, {"name", "add"}, {"bytes", 1e6}};

Json form(const char* name, const Json& entry) { return {{"form", name}, {"entries", Json::array({entry})}}; }

Json recording(const Json& forms) {
  return {
      {"tuneproof", {{"schema", "tuneproof.recording"}, {"schema_version", {{"major", 1}, {"minor", 0}}}}},
      {"rows", Json::array({{{"row", "a/b"}, {"forms", forms}}})}};
}

Json with_entry(const Json& entry) {
  return recording(Json::array({form("naive", entry), form("optimized", kernel)}));
}

Recording read(const Json& json) {
  const ScratchFolder folder(std::filesystem::temp_directory_path());
  const auto file = folder.path() / "calls.json";
  std::ofstream(file) << json.dump();
  return read_recording(file);
}

Json changed(const Json& entry, const char* member, const Json& value) {
  auto other = entry;
  other[member] = value;
  return with_entry(other);
}

TEST_CASE("a misspelt member of a recording is refused, not taken for 0", "[simulate]") {
  CHECK_THROWS_WITH(read(changed(kernel, "byte", 8)),
                    ContainsSubstring("'byte'") && ContainsSubstring("bytes"));
  auto row = with_entry(kernel);
  row["rows"][0]["reasons"] = "none";
  CHECK_THROWS_WITH(read(row), ContainsSubstring("rows[0]: 'reasons'"));
  auto of_form = with_entry(kernel);
  of_form["rows"][0]["forms"][0]["non-blocking"] = Json::array({2});
  CHECK_THROWS_WITH(read(of_form), ContainsSubstring("'non-blocking'"));
}

TEST_CASE("what is misspelt beside the rows is refused too", "[simulate]") {
  auto json = with_entry(kernel);
  json["nots"] = "stopped";
  CHECK_THROWS_WITH(read(json), ContainsSubstring("'nots'") && ContainsSubstring("note"));
  json.erase("nots");
  json["tuneproof"]["schemaversion"] = 2;
  CHECK_THROWS_WITH(read(json), ContainsSubstring("'schemaversion'"));
}

TEST_CASE("a copy needs its bytes, and null is no number", "[simulate]") {
  const Json copy{{"do", "copy"}, {"way", "h2d"}};
  CHECK_THROWS_WITH(read(with_entry(copy)), ContainsSubstring("bytes"));
  CHECK_THROWS_WITH(read(changed(kernel, "bytes", nullptr)), ContainsSubstring("bytes: null"));
}

TEST_CASE("a row has two forms, naive and optimized, or a reason", "[simulate]") {
  const auto naive = form("naive", kernel);
  const auto optimized = form("optimized", kernel);
  for (const auto& forms : {Json::array(), Json::array({naive}), Json::array({optimized, naive}),
                            Json::array({naive, naive}), Json::array({naive, optimized, optimized}),
                            Json::array({form("fast", kernel), form("slow", kernel)})})
    CHECK_THROWS_WITH(read(recording(forms)), ContainsSubstring("calls.json.rows[0].forms: expected"));
  auto with_reason = recording(Json::array());
  with_reason["rows"][0]["reason"] = "not recorded: too large";
  CHECK(read(with_reason).rows.at(0).reason == "not recorded: too large");
  with_reason["rows"][0]["forms"] = Json::array({naive, optimized});
  CHECK_THROWS_WITH(read(with_reason), ContainsSubstring("reason"));
}

TEST_CASE("a recording of another kind or version is refused", "[simulate]") {
  auto json = with_entry(kernel);
  json["tuneproof"]["schema_version"]["major"] = 2;
  CHECK_THROWS_WITH(read(json), ContainsSubstring("major: version 2 of a recording is unknown"));
  json["tuneproof"]["schema"] = "tuneproof.results";
  CHECK_THROWS_WITH(read(json), ContainsSubstring("not a recording"));
  CHECK_THROWS_WITH(read(Json::array({1})), ContainsSubstring("not a recording"));
}

TEST_CASE("a recording without rows, or with two of one name, is refused", "[simulate]") {
  auto json = with_entry(kernel);
  json["rows"].push_back(json["rows"][0]);
  CHECK_THROWS_WITH(read(json), ContainsSubstring("two rows of this name"));
  json["rows"] = Json::array();
  CHECK_THROWS_WITH(read(json), ContainsSubstring("no row"));
}

TEST_CASE("sizes and times are numbers from 0 to 10^18, and the place of another one is named",
          "[simulate]") {
  for (const auto* member : {"bytes", "flop", "us", "fresh", "as_copy"}) {
    for (const auto& value : {Json(-1), Json(1e19), Json("many"), Json(true)})
      CHECK_THROWS_WITH(read(changed(kernel, member, value)),
                        ContainsSubstring(std::string("calls.json.rows[0].forms[0].entries[0].") + member));
    CHECK_NOTHROW(read(changed(kernel, member, 0)));
  }
}

TEST_CASE("a form has 200,000 calls at most, repeated ones and nodes counted", "[simulate]") {
  CHECK_THROWS_AS(read(changed(kernel, "times", 200'001)), BadInput);
  CHECK_THROWS_AS(read(changed(kernel, "times", 0)), BadInput);
  CHECK_NOTHROW(read(changed(kernel, "times", 200'000)));
  Json graph{{"do", "graph"}, {"times", 1000}, {"nodes", Json::array({kernel})}};
  CHECK_NOTHROW(read(with_entry(graph)));
  graph["nodes"][0]["times"] = 1000;
  CHECK_THROWS_WITH(read(with_entry(graph)), ContainsSubstring("more than 200000 calls"));
}

TEST_CASE("a call on sparse matrices counts as the most commands that a library may make of it",
          "[simulate]") {
  for (const auto& sparse : {changed({{"bytes", 8}, {"sorted", 8}, {"operator", true}}, "do", "kernel"),
                             changed({{"flop", 8}, {"unit", "sparse_product"}}, "do", "kernel")}) {
    auto json = sparse;
    auto& entry = json["rows"][0]["forms"][0]["entries"][0];
    entry["times"] = 2000;
    CHECK_NOTHROW(read(json));
    entry["times"] = 2001;
    CHECK_THROWS_WITH(read(json), ContainsSubstring("more than 200000 calls"));
  }
}

TEST_CASE("only a kernel of an operator sorts, and no more than its bytes", "[simulate]") {
  const Json sorting{{"do", "kernel"}, {"operator", true}, {"bytes", 8}, {"sorted", 8}};
  CHECK_NOTHROW(read(with_entry(sorting)));
  CHECK_THROWS_WITH(read(changed(sorting, "sorted", 9)),
                    ContainsSubstring("sorted: expected at most the bytes"));
  for (const auto& [member, value] : std::vector<std::pair<const char*, Json>>{
           {"do", "compute"}, {"operator", false}, {"us", 3}, {"as_copy", 8}})
    CHECK_THROWS_WITH(read(changed(sorting, member, value)), ContainsSubstring("sorted: only a kernel"));
}

TEST_CASE("nodes are kernels and copies of a graph, behind earlier ones", "[simulate]") {
  auto node = kernel;
  node["after"] = {0};
  const Json itself{{"do", "graph"}, {"nodes", Json::array({node})}};
  CHECK_THROWS_WITH(read(with_entry(itself)), ContainsSubstring("0 is not an earlier node"));
  CHECK_NOTHROW(read(with_entry({{"do", "graph"}, {"nodes", Json::array({kernel, node})}})));
  const Json waits{{"do", "graph"}, {"nodes", Json::array({{{"do", "synchronize"}}})}};
  CHECK_THROWS_WITH(read(with_entry(waits)), ContainsSubstring("a kernel or a copy"));
  CHECK_THROWS_WITH(read(changed(kernel, "nodes", Json::array({kernel}))), ContainsSubstring("only a graph"));
}

TEST_CASE("no text of a recording can command a terminal", "[simulate]") {
  const std::string escape = "\x1b[2J";
  CHECK_THROWS_WITH(read(changed(kernel, "name", escape)), ContainsSubstring("control characters"));
  for (const auto* member : {"row", "note", "reason"}) {
    auto json = with_entry(kernel);
    json["rows"][0][member] = escape;
    CHECK_THROWS_WITH(read(json), ContainsSubstring("control characters"));
  }
  auto json = with_entry(kernel);
  json["note"] = escape;
  CHECK_THROWS_WITH(read(json), ContainsSubstring("control characters"));
  json["note"] = "";
  json["rows"][0]["forms"][0]["unpriced"][escape] = 1;
  CHECK_THROWS_WITH(read(json), ContainsSubstring("control characters"));
}

TEST_CASE("words that nobody knows are refused by their place", "[simulate]") {
  CHECK_THROWS_WITH(read(changed(kernel, "do", "dance")), ContainsSubstring("entries[0].do"));
  CHECK_THROWS_WITH(read(changed(kernel, "unit", "fp33")), ContainsSubstring("entries[0].unit"));
  CHECK_THROWS_WITH(read(with_entry({{"do", "copy"}, {"way", "up"}, {"bytes", 8}})),
                    ContainsSubstring("h2d, d2h or d2d"));
}

TEST_CASE("times that do not fit the clock are a reason, whatever makes them long", "[simulate]") {
  auto gpu = find_gpu("a30");
  const auto reason = [&](const Json& entry) {
    return simulate_row(read(with_entry(entry)).rows.at(0), gpu).reason;
  };
  CHECK_THAT(reason({{"do", "kernel"}, {"us", 1e18}}), ContainsSubstring("more than three years"));
  CHECK_THAT(reason({{"do", "compute"}, {"us", 1e13}, {"times", 200'000}}),
             ContainsSubstring("longer than three years"));
  CHECK_THAT(reason({{"do", "kernel"}, {"us", 1e13}, {"times", 1000}}),
             ContainsSubstring("longer than three years"));
  set_value(gpu, "memory_rate=1e-300");
  CHECK_THAT(reason(kernel), ContainsSubstring("more than three years"));
}

TEST_CASE("a recording with calls that have no price survives its file", "[simulate]") {
  auto json = with_entry(kernel);
  json["rows"][0]["forms"][0]["unpriced"] = {{"cudaMalloc", 16}};
  const auto back = read(recording_to_json(read(json)));
  CHECK(back.rows.at(0).forms.at(0).unpriced.at("cudaMalloc") == 16);
  CHECK(back.rows.at(0).forms.at(1).unpriced.empty());
}

}  // namespace
