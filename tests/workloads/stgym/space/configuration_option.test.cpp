#include "workloads/stgym/space/configuration_option.hpp"

#include "workloads/stgym/space/read_configuration.hpp"
#include "workloads/stgym/space/shipped.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace {

using namespace workloads::stgym::space;
using harness::Options;

std::string said(const Options& options) {
  try {
    configuration_in(options);
    return "";
  } catch (const harness::BadInput& error) {
    return error.what();
  }
}

/// The benchmark for another task or data set.
std::string benchmark(const std::string& dataset, TaskType type, std::int64_t classes) {
  auto configuration = benchmark_configuration();
  configuration.task = {dataset, type, classes};
  return configuration_text(configuration);
}

}  // namespace

TEST_CASE("without --config there is none") { CHECK_FALSE(configuration_in({{"scale", "0.1"}})); }

TEST_CASE("a shipped configuration goes by its name") {
  CHECK(configuration_in({{"config", "benchmark"}}) == benchmark_configuration());
  CHECK(said({{"config", "no_such"}}) ==
        "no_such: cannot be read: No such file or directory; the shipped ones of STGym are benchmark, "
        "clustering, deep or graphs");
}

TEST_CASE("the file's text takes the place of its name and means the same") {
  Options options{{"config", "workloads/stgym/configurations/deep.json"}};
  if (!std::filesystem::exists(options["config"])) SKIP("the project's files are not here");
  const auto from_file = configuration_in(options);
  resolve_config(options);
  CHECK(options["config"].starts_with('{'));
  CHECK(configuration_in(options) == from_file);
}

TEST_CASE("every shipped configuration can be run, given its data") {
  for (const auto& shipped : shipped_configurations()) {
    CAPTURE(shipped.name);
    const auto data = parse_configuration(shipped.text, "shipped").task.dataset_name;
    const bool stands_in = data == "breast-cancer" || data == "synthetic";
    Options options{{"config", std::string(shipped.name)}};
    if (!stands_in) options["data"] = data + "=cells.csv";
    CHECK(said(options).empty());
  }
}

TEST_CASE("the data must be there, and the configuration's") {
  CHECK(said({{"config", "clustering"}}) ==
        "clustering: task.dataset_name: human-crc needs its file; add --data human-crc=FILE");
  CHECK(said({{"config", "clustering"}, {"data", "brca=cells.csv"}}) ==
        "clustering: task.dataset_name: human-crc does not match --data");
  CHECK(said({{"config", benchmark("mouse", TaskType::node_classification, 39)}}) ==
        "--config: task.dataset_name: 'mouse' is unknown; expected synthetic, breast-cancer, human-crc "
        "or brca");
}

TEST_CASE("the task must fit what the data label") {
  CHECK(said({{"config", benchmark("brca", TaskType::node_classification, 2)}, {"data", "brca=f"}}) ==
        "--config: task.type: brca labels graphs, not nodes");
  CHECK(said({{"config", benchmark("human-crc", TaskType::graph_classification, 2)},
              {"data", "human-crc=f"}}) == "--config: task.type: human-crc labels nodes, not graphs");
  CHECK(said({{"config", benchmark("synthetic", TaskType::node_classification, 38)}}) ==
        "--config: task.num_classes: 38 are too few; synthetic has 39 classes");
  CHECK(said({{"config", benchmark("synthetic", TaskType::graph_classification, 3)}}).empty());
}
