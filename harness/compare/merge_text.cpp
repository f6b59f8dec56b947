#include "harness/compare/merge_text.hpp"

#include "harness/support/quantity.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"
#include "harness/trace/intern.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace harness::compare {
namespace {

constexpr int indent = 4;
constexpr std::size_t widest_file = 48;

/// "slower", "faster"; empty for a time within the others'.
std::string_view time_word(const std::optional<Standing>& standing) {
  if (!standing || !standing->apart()) return {};
  return standing->above ? "slower" : "faster";
}

std::string_view ratio_word(const std::optional<Standing>& standing) {
  if (!standing || !standing->apart()) return {};
  return standing->above ? "higher" : "lower";
}

std::string percent(const std::optional<Standing>& standing) {
  return standing ? percent_text(standing->against.ratio) + " %" : std::string();
}

/// What a node stands apart in, with intervals: one sentence; empty where it does not.
std::string sentence(const NodeStandings& row, const std::string& node) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view what, const std::optional<Standing>& standing,
                       std::string_view word) {
    if (!word.empty())
      parts.push_back(fmt::format("{} {} ({})", what, word,
                                  change_text(standing->against.ratio, standing->against.ratio_interval)));
  };
  add("naive form", row.naive, time_word(row.naive));
  add("optimized form", row.optimized, time_word(row.optimized));
  add("ratio", row.speed, ratio_word(row.speed));
  if (parts.empty()) return {};
  return fmt::format("{} against the others: {}", node, fmt::join(parts, ", "));
}

bool has_outlier(const FleetRow& row) { return std::ranges::any_of(row.nodes, &NodeStandings::apart); }

std::string row_text(const Fleet& fleet, const FleetRow& row, const Style& style) {
  Columns table({"NODE", "<CHANGE [INTERVAL]", "NAIVE", "OTHERS", "OPTIM.", "OTHERS", "RATIO:OTHERS"});
  std::string below;
  for (const auto& entry : row.nodes) {
    const auto& name = fleet.nodes[entry.node].name;
    if (!entry.note.empty())
      below += indented("    ", trace::printable(fmt::format("{}: {}", name, entry.note)), indent, style);
    if (entry.naive_seconds > 0 || entry.naive)
      table.add({name, change_text(entry.ratio, entry.ratio_interval), time_text(entry.naive_seconds),
                 percent(entry.naive), time_text(entry.optimized_seconds), percent(entry.optimized),
                 percent(entry.speed)});
    if (const auto apart = sentence(entry, name); !apart.empty())
      below += inked(indented("    ", apart, indent, style), Ink::yellow, style);
  }
  return fmt::format("\n{}\n{}{}", inked(row.name, Ink::bold, style), table.empty() ? "" : table.text(style),
                     below);
}

std::string field_text(const std::string& name, const Json& value) {
  if (name == "gpu") return value.is_object() ? value.value("name", std::string("a GPU")) : "no GPU";
  auto words = name;
  std::ranges::replace(words, '_', ' ');
  return fmt::format("{} {}", words, value.is_string() ? value.get<std::string>() : value.dump());
}

/// "cpu model AMD EPYC, physical cores 2, no GPU".
std::string machine_text(const Json& machine) {
  std::vector<std::string> parts;
  if (!machine.is_object()) return "unknown";
  for (const auto& [name, value] : machine.items()) parts.push_back(field_text(name, value));
  return trace::printable(fmt::format("{}", fmt::join(parts, ", ")));
}

std::string nodes_text(const Fleet& fleet, const Style& style) {
  Columns table({"NODE", "TIMES", "SLOWER", "FASTER", "RATIOS APART", "<FILE"});
  for (const auto& node : fleet.nodes)
    table.add({node.name, std::to_string(node.times), std::to_string(node.slower),
               std::to_string(node.faster), std::to_string(node.ratios),
               without_middle(trace::printable(node.file), widest_file)});
  return section_heading("NODES, each against the median of all others", style) + table.text(style);
}

std::string left_out_text(const Fleet& fleet, const Style& style) {
  std::string out;
  for (const auto& [file, reason] : fleet.left_out)
    out += indented("left out:", trace::printable(fmt::format("{}: {}", file, reason)), 10, style);
  for (const auto& warning : fleet.warnings) out += indented("note:", trace::printable(warning), 10, style);
  return out.empty() ? out : "\n" + out;
}

/// "n3 (slower in 12 of 30 times)".
std::string outlier_text(const FleetNode& node) {
  std::vector<std::string> parts;
  if (node.slower > 0) parts.push_back(fmt::format("slower in {} of {} times", node.slower, node.times));
  if (node.faster > 0) parts.push_back(fmt::format("faster in {} of {} times", node.faster, node.times));
  if (node.ratios > 0)
    parts.push_back(fmt::format("another ratio in {} of {} rows", node.ratios, node.times / 2));
  return fmt::format("{} ({})", node.name, fmt::join(parts, ", "));
}

std::string verdict_sentence(const Fleet& fleet) {
  std::vector<std::string> apart;
  for (const auto& node : fleet.nodes)
    if (node.apart()) apart.push_back(outlier_text(node));
  const auto head = fmt::format("{} nodes, {} rows", fleet.nodes.size(), fleet.rows.size());
  if (apart.empty()) return head + ": no node stands apart.";
  if (fleet.can_name()) return fmt::format("{}; apart from the others: {}.", head, fmt::join(apart, "; "));
  return fmt::format("{}; the two differ: {}. Measure a third node to see which of them is the outlier.",
                     head, fmt::join(apart, "; "));
}

}  // namespace

std::string fleet_text(const Fleet& fleet, bool outliers_only, const Style& style) {
  std::string out = indented("",
                             fmt::format("Program {}; one class of machine: {}",
                                         trace::printable(fleet.commit), machine_text(fleet.machine)),
                             2, style);
  for (const auto& row : fleet.rows)
    if (!outliers_only || has_outlier(row)) out += row_text(fleet, row, style);
  out += nodes_text(fleet, style);
  out += left_out_text(fleet, style);
  out += '\n';
  out += indented("", verdict_sentence(fleet), 0, style);
  return out +
         "Each node was measured once, in one hour. If a node stands apart, measure it again before you\n"
         "take it out of service.\n";
}

std::string nothing_text(const Fleet& fleet, const Style& style) {
  const auto* const why = fleet.nodes.size() < 2
                              ? "fewer than two files share one class of machine, program and settings"
                              : "no row was measured on two nodes";
  return indented("", fmt::format("tuneproof: nothing to compare: {}", why), 0, style) +
         left_out_text(fleet, style);
}

}  // namespace harness::compare
