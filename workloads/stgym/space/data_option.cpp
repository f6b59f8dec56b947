#include "workloads/stgym/space/data_option.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace workloads::stgym::space {
namespace {

constexpr std::string_view synthetic = "synthetic";

std::string known_names() {
  std::string names(synthetic);
  for (const auto& known : known_data())
    if (known.name != synthetic) names += fmt::format(", {}=FILE", known.name);
  return names;
}

}  // namespace

DataOption data_option(const harness::Options& options) {
  const auto given = options.find("data");
  if (given == options.end() || given->second == synthetic) return {};
  const auto& text = given->second;
  const auto equals = text.find('=');
  const auto name = text.substr(0, equals);
  if (name == synthetic || std::ranges::find(known_data(), name, &KnownData::name) == known_data().end())
    throw harness::BadInput(fmt::format("--data: {} is not one of {}", harness::shown(text), known_names()));
  if (equals == std::string::npos || equals + 1 == text.size())
    throw harness::BadInput(fmt::format("--data {0}: expected a file, as in {0}=FILE", name));
  return {name, text.substr(equals + 1)};
}

double scale_option(const harness::Options& options) {
  const auto given = options.find("scale");
  if (given == options.end()) return 1;
  if (!data_option(options).file.empty())
    throw harness::BadInput("--scale: you can scale only synthetic data, not a file");
  constexpr double most = 16;
  const auto scale = harness::parse_fraction(given->second);
  if (!scale || !(*scale > 0 && *scale <= most))
    throw harness::BadInput(
        fmt::format("--scale: {} is not a number above 0 and up to {}, such as 0.5 or 1/8",
                    harness::shown(given->second), most));
  return *scale;
}

// The labels of synthetic graphs are made from those of their nodes: data/graph_labels.hpp.
constexpr KnownData all_known[] = {
    {.name = "synthetic", .labels_nodes = true, .labels_graphs = true, .classes = 39},
    {.name = "breast-cancer", .labels_nodes = true, .classes = 39},
    {.name = "human-crc", .labels_nodes = true, .classes = 10},
    {.name = "brca", .labels_graphs = true, .classes = 2},
};

std::span<const KnownData> known_data() { return all_known; }

}  // namespace workloads::stgym::space
