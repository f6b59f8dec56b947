#include "harness/catalogue/catalogue.hpp"

#include "tests/harness/catalogue/made_up_catalogue.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>

using namespace harness;
using namespace harness::catalogue;

namespace {

std::vector<std::string> names(const catalogue::Step& step) {
  std::vector<std::string> all;
  for (const auto& row : step.rows) all.push_back(row.name);
  return all;
}

}  // namespace

TEST_CASE("a catalogue that is written and read again is written the same", "[catalogue]") {
  const auto text = catalogue_json(example::catalogue());
  CHECK(catalogue_json(parse_catalogue(text)) == text);
}

TEST_CASE("a row takes its step's time, but for points that have a time of their own", "[catalogue]") {
  constexpr RowCost costs[] = {{"bytes:1MiB", 9}};
  auto step = example::pinned;
  step.row_seconds = 2;
  step.other_costs = costs;
  const harness::Step* const steps[] = {&step};
  const auto catalogue = catalogue_of(steps, {});
  for (const auto& row : catalogue.steps.at(0).rows) {
    INFO(row.name);
    const bool dear = row.name.find("bytes:1MiB") != row.name.npos;
    CHECK(row_seconds(catalogue, step.id, row.name) == (dear ? 9 : 2));
  }
  CHECK(row_seconds(catalogue, step.id, "transfer/pinned_h2d/bytes:1MiB") == 9);
  CHECK(row_seconds(catalogue, step.id, "nothing") == 0);
}

TEST_CASE("rows of a CPU may take another time than those of a device", "[catalogue]") {
  constexpr RowCost costs[] = {{"device:cpu", 1}};
  auto step = example::pinned;
  step.runs = harness::Runs::session;
  step.row_seconds = 90;
  step.other_costs = costs;
  const harness::Step* const steps[] = {&step};
  const auto catalogue = catalogue_of(steps, {});
  for (const auto& row : catalogue.steps.at(0).rows) {
    INFO(row.name);
    CHECK(row.seconds == (row.device == harness::Device::Kind::cpu ? 1 : 90));
  }
}

TEST_CASE("every field of a step survives the catalogue's text", "[catalogue]") {
  const auto read = parse_catalogue(catalogue_json(example::all, {{"--scale", "FACTOR", "nodes", "stgym/"}}));
  const auto& step = read.steps.at(3);
  CHECK(step.id == "stgym/device_indices");
  CHECK(step.claim == "Index tensors belong on the device.");
  CHECK(step.claim_ids == "a b");
  CHECK(step.source_title == "A guide");
  CHECK(step.source_url == "https://example.org/guide");
  CHECK(step.source_where == "section 3");
  CHECK(step.published == "20 -> 2 s/epoch (90 %)");
  CHECK(step.expected == Outcome::helps);
  CHECK(step.runs == Runs::session);
  CHECK(step.tolerance == 1e-4);
  CHECK(step.tolerance_why == "another order of summation");
  CHECK(step.cuda_tolerance == 1e-3);
  CHECK(step.cuda_tolerance_why == "sums without a fixed order");
  CHECK(step.delta == 0.02);
  CHECK(step.rows.at(0).seconds == 30);
  CHECK(read.options.at(0).name == "--scale");
  CHECK(read.options.at(0).value == "FACTOR");
  CHECK(read.options.at(0).meaning == "nodes");
  CHECK(read.options.at(0).steps == "stgym/");
}

TEST_CASE("each way of running has its rows", "[catalogue]") {
  const auto catalogue = example::catalogue();
  CHECK(names(catalogue.steps[0]) == std::vector<std::string>{"transfer/pinned_h2d/bytes:64KiB",
                                                              "transfer/pinned_h2d/bytes:1MiB",
                                                              "transfer/pinned_h2d/bytes:16MiB"});
  CHECK(catalogue.steps[0].rows[0].device == Device::Kind::cuda);
  CHECK(catalogue.steps[1].rows[0].device == Device::Kind::cpu);
  CHECK(names(catalogue.steps[2]) ==
        std::vector<std::string>{"sync/item/device:cpu", "sync/item/device:cuda"});
  CHECK(names(catalogue.steps[3]) ==
        std::vector<std::string>{"stgym/device_indices/device:cpu", "stgym/device_indices/device:cuda"});
}

TEST_CASE("a row keeps its point and whether the quick suite takes it", "[catalogue]") {
  const auto row = parse_catalogue(catalogue_json(example::catalogue())).steps.at(1).rows.at(4);
  CHECK(row.name == "dataload/workers/as:processes/workers:2");
  CHECK(row.at == std::vector<Coordinate>{{"as", 1, "processes"}, {"workers", 2, "2"}});
  CHECK(row.quick);
}

TEST_CASE("a catalogue that is no JSON or lacks a field is bad input", "[catalogue]") {
  CHECK_THROWS_AS(parse_catalogue("{"), BadInput);
  CHECK_THROWS_AS(parse_catalogue(R"({"steps": [{"id": "a/b"}], "options": []})"), BadInput);
  auto wrong = catalogue_json(example::catalogue());
  wrong.replace(wrong.find("\"session\""), 9, "\"sometime\"");
  CHECK_THROWS_WITH(parse_catalogue(wrong), Catch::Matchers::ContainsSubstring("sometime"));
}
