#include "harness/compare/merge.hpp"

#include "harness/compare/fleet_files.hpp"
#include "harness/core/gate.hpp"
#include "harness/core/interval.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"
#include "harness/trace/intern.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace harness::compare {
namespace {

using Series = std::vector<double> RowSeries::*;
using Quantity = std::optional<Standing> NodeStandings::*;

constexpr std::pair<Series, Quantity> quantities[] = {{&RowSeries::naive, &NodeStandings::naive},
                                                      {&RowSeries::optimized, &NodeStandings::optimized},
                                                      {&RowSeries::log_ratios, &NodeStandings::speed}};

/// Makes each test once: nodes mostly have the same numbers of units.
class Tests {
 public:
  const TwoMedians& of(std::size_t base_units, std::size_t units) {
    const std::pair sizes(static_cast<int>(base_units), static_cast<int>(units));
    return tests_.try_emplace(sizes, sizes.first, sizes.second).first->second;
  }

 private:
  std::map<std::pair<int, int>, TwoMedians> tests_;
};

Standing standing_of(const std::vector<double>& others, const std::vector<double>& own, const Rule& rule,
                     Tests& tests) {
  Standing standing{.against = change_of(others, own, rule)};
  auto base = others;
  auto series = own;
  std::ranges::sort(base);
  std::ranges::sort(series);
  const auto& test = tests.of(base.size(), series.size());
  const auto band = std::log1p(rule.delta);
  standing.p_above = test.p_above(base, series, band);
  standing.p_below = test.p_below(base, series, -band);
  return standing;
}

/// A row in a node's file; null where the node lacks it.
struct NodeFile {
  const results::Row* row = nullptr;
  RowSeries series = {};

  bool measured() const { return row != nullptr && !is_error(*row); }
};
/// The same row in the files of all nodes.
using RowFiles = std::vector<NodeFile>;

bool comparable(const NodeFile& file, Timer timer) {
  return file.measured() && file.row->measured.timer == timer;
}

/// The units of all nodes but one. Each node weighs as much as it has units.
std::vector<double> others_of(const RowFiles& files, std::size_t node, Series series, Timer timer) {
  std::vector<double> all;
  for (std::size_t other = 0; other < files.size(); ++other)
    if (other != node && comparable(files[other], timer)) {
      const auto& units = files[other].series.*series;
      all.insert(all.end(), units.begin(), units.end());
    }
  return all;
}

std::string note_of(const results::Row& row, Timer timer) {
  if (is_error(row)) return std::string(to_string(row.judged.verdict)) + ": " + row.reason;
  return row.measured.timer == timer ? std::string() : "another clock timed this row than on the other nodes";
}

void judge(const RowFiles& files, Timer timer, const Rule& rule, Tests& tests, NodeStandings& row) {
  for (const auto& [series, quantity] : quantities) {
    const auto& own = files[row.node].series.*series;
    const auto others = others_of(files, row.node, series, timer);
    if (!own.empty() && !others.empty()) row.*quantity = standing_of(others, own, rule, tests);
  }
  if (!row.naive) row.note = "no other node has a timed unit of this row";
}

FleetRow row_of(const RowFiles& files, const results::Row& first, double alpha, Tests& tests) {
  const auto timer = first.measured.timer;
  FleetRow merged{first.name, first.step, first.delta, value_words(first)};
  for (std::size_t node = 0; node < files.size(); ++node) {
    if (files[node].row == nullptr) continue;
    const auto& file = *files[node].row;
    NodeStandings row{.node = node,
                      .ratio = file.judged.ratio,
                      .ratio_interval = file.judged.ratio_interval,
                      .naive_seconds = shown_value(file, Form::naive),
                      .optimized_seconds = shown_value(file, Form::optimized),
                      .note = note_of(file, timer)};
    if (row.note.empty()) judge(files, timer, {.alpha = alpha, .delta = first.delta}, tests, row);
    merged.nodes.push_back(std::move(row));
  }
  return merged;
}

/// The row that says what the others are held to: the first that was measured.
const results::Row& first_measured(const RowFiles& files) {
  const auto there = [](const NodeFile& file) { return file.row != nullptr; };
  const auto found = std::ranges::find_if(files, &NodeFile::measured);
  return *(found == files.end() ? std::ranges::find_if(files, there) : found)->row;
}

std::vector<FleetRow> rows_of(std::span<const results::Results* const> runs) {
  Tests tests;
  std::vector<FleetRow> rows;
  std::map<std::string_view, RowFiles> files;
  std::vector<std::string_view> order;
  for (std::size_t node = 0; node < runs.size(); ++node)
    for (const auto& row : runs[node]->rows) {
      const auto [found, added] = files.try_emplace(row.name, runs.size());
      if (added) order.push_back(row.name);
      found->second[node] = {&row, series_of(row)};
    }
  for (const auto name : order) {
    const auto& of_name = files.at(name);
    const auto& first = first_measured(of_name);
    if (!is_error(first) || first.judged.verdict == Verdict::failed)
      rows.push_back(row_of(of_name, first, runs.front()->session.alpha, tests));
  }
  return rows;
}

/// One list of claims: all rows and nodes in the quantities given.
void mark(std::vector<FleetRow>& rows, std::span<const Quantity> of, double Standing::* p_value,
          bool Standing::* apart, Verdict claim) {
  std::vector<Standing*> claims;
  std::vector<double> p_values;
  for (auto& row : rows)
    for (auto& node : row.nodes)
      for (const auto quantity : of)
        if (node.*quantity) {
          claims.push_back(&*(node.*quantity));
          p_values.push_back(claims.back()->*p_value);
        }
  const auto adjusted = benjamini_hochberg(p_values);
  for (std::size_t i = 0; i < claims.size(); ++i)
    claims[i]->*apart = adjusted[i] <= list_q && claims[i]->against.verdict == claim;
}

void mark_outliers(std::vector<FleetRow>& rows) {
  constexpr Quantity times[] = {&NodeStandings::naive, &NodeStandings::optimized};
  constexpr Quantity ratios[] = {&NodeStandings::speed};
  for (const auto of : {std::span<const Quantity>(times), std::span<const Quantity>(ratios)}) {
    mark(rows, of, &Standing::p_above, &Standing::above, Verdict::hurts);
    mark(rows, of, &Standing::p_below, &Standing::below, Verdict::helps);
  }
}

void count(Fleet& fleet) {
  for (const auto& row : fleet.rows)
    for (const auto& entry : row.nodes) {
      auto& node = fleet.nodes[entry.node];
      for (const auto quantity : {&NodeStandings::naive, &NodeStandings::optimized})
        if (const auto& standing = entry.*quantity) {
          ++node.times;
          node.slower += standing->above ? 1 : 0;
          node.faster += standing->below ? 1 : 0;
        }
      if (entry.speed && entry.speed->apart()) ++node.ratios;
    }
}

constexpr int indent = 4;
constexpr std::size_t widest_file = 48;

/// "slower", "faster"; empty for a time within the others'.
std::string_view time_word(const std::optional<Standing>& standing, const ValueWords& words) {
  if (!standing || !standing->apart()) return {};
  return standing->above ? words.more : words.less;
}

std::string_view ratio_word(const std::optional<Standing>& standing) {
  if (!standing || !standing->apart()) return {};
  return standing->above ? "higher" : "lower";
}

std::string percent(const std::optional<Standing>& standing) {
  return standing ? percent_text(standing->against.ratio) + " %" : std::string();
}

/// What a node stands apart in, with intervals: one sentence; empty where it does not.
std::string sentence(const NodeStandings& row, const ValueWords& words, const std::string& node) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view what, const std::optional<Standing>& standing,
                       std::string_view word) {
    if (!word.empty())
      parts.push_back(fmt::format("{} {} ({})", what, word,
                                  change_text(standing->against.ratio, standing->against.ratio_interval)));
  };
  add("first side", row.naive, time_word(row.naive, words));
  add("second side", row.optimized, time_word(row.optimized, words));
  add("ratio", row.speed, ratio_word(row.speed));
  if (parts.empty()) return {};
  return fmt::format("{} against the others: {}", node, fmt::join(parts, ", "));
}

bool has_outlier(const FleetRow& row) { return std::ranges::any_of(row.nodes, &NodeStandings::apart); }

std::string cell(const FleetRow& row, double value) {
  return value > 0 ? value_text(row.name, row.words, value) : "-";
}

std::string row_text(const Fleet& fleet, const FleetRow& row, const Style& style) {
  Columns table({"NODE", "<CHANGE [INTERVAL]", "FROM", "OTHERS", "TO", "OTHERS", "RATIO:OTHERS"});
  std::string below;
  for (const auto& entry : row.nodes) {
    const auto& name = fleet.nodes[entry.node].name;
    if (!entry.note.empty())
      below += indented("    ", trace::printable(fmt::format("{}: {}", name, entry.note)), indent, style);
    if (entry.naive_seconds > 0 || entry.naive)
      table.add({name, printed_change(row.name, entry.ratio, entry.ratio_interval),
                 cell(row, entry.naive_seconds), percent(entry.naive), cell(row, entry.optimized_seconds),
                 percent(entry.optimized), percent(entry.speed)});
    if (const auto apart = sentence(entry, row.words, name); !apart.empty())
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
  const auto head = fmt::format("{} nodes, {} row{}", fleet.nodes.size(), fleet.rows.size(),
                                fleet.rows.size() == 1 ? "" : "s");
  if (apart.empty()) return head + ": no node stands apart.";
  if (fleet.can_name()) return fmt::format("{}; apart from the others: {}.", head, fmt::join(apart, "; "));
  return fmt::format("{}; the two differ: {}. Measure a third node to see which of them is the outlier.",
                     head, fmt::join(apart, "; "));
}

}  // namespace

bool Fleet::compared() const {
  return std::ranges::any_of(rows, [](const FleetRow& row) {
    return std::ranges::any_of(row.nodes, [](const NodeStandings& node) { return node.naive.has_value(); });
  });
}

Fleet merge_runs(std::span<const results::Results> runs) {
  Fleet fleet;
  const auto kept = alike(runs, fleet);
  if (kept.empty()) return fleet;
  fleet.rows = rows_of(kept);
  mark_outliers(fleet.rows);
  count(fleet);
  return fleet;
}

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
