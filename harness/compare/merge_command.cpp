#include "harness/compare/compare.hpp"
#include "harness/compare/fleet_files.hpp"
#include "harness/compare/merge_text.hpp"
#include "harness/results/stand_in_option.hpp"
#include "harness/support/exit_codes.hpp"
#include "harness/support/overwriting.hpp"
#include "harness/support/read_json.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/terminal.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace harness::compare {
namespace {

constexpr auto footer =
    "merge compares each node's naive time, optimized time and their ratio with the median of all other\n"
    "nodes' rounds. A node stands apart if the interval of that comparison lies beyond the row's smallest\n"
    "change of interest and the claim also stands among all rows and nodes (Benjamini-Hochberg, on\n"
    "average at most 5 % of each list are wrong). merge lists and leaves out files from another class of\n"
    "machine, program or settings, and a folder's files without results. Read docs/fleet.md to measure a\n"
    "fleet.\n"
    "\n"
    "Exit code 0: compared, whatever stands apart. 1: wrong use, or a file that cannot be read. 3: fewer\n"
    "than two files can be compared.\n"
    "\n"
    "Examples:\n"
    "  tuneproof merge nodes/                             every .json or .json.gz in the folder\n"
    "  tuneproof merge n1.json n2.json n3.json --outliers\n"
    "  tuneproof merge nodes/ --json fleet.json";

struct MergeArguments {
  std::vector<std::string> paths;
  bool outliers = false;
  std::string json;
  results::StandIn stand_in = results::StandIn::refuse;
};

void write(const Fleet& fleet, const MergeArguments& arguments) {
  if (arguments.json == "-") {
    fmt::print("{}", pretty(fleet_json(fleet)));
    return;
  }
  if (!arguments.json.empty()) ReplaceFile(arguments.json).write(pretty(fleet_json(fleet)));
  fmt::print("{}", fleet_text(fleet, arguments.outliers, style_of(stdout)));
}

/// Prices, self-tests or an earlier comparison may lie in the folder of the results: they are left out.
std::vector<results::Results> read_files(const MergeArguments& arguments, std::vector<LeftOut>& others) {
  std::vector<results::Results> runs;
  for (const auto& [path, named] : fleet_files(arguments.paths)) {
    const auto name = path.string();
    const auto json = read_json(path, most_results_bytes);
    if (named || results::is_results(json))
      runs.push_back(read_run(json, name, arguments.stand_in));
    else
      others.push_back({name, "no results of `tuneproof run`"});
  }
  return runs;
}

int run_merge(const MergeArguments& arguments) {
  std::vector<LeftOut> others;
  const auto runs = read_files(arguments, others);
  std::vector<std::string> inputs;  // those of a folder, too
  for (const auto& run : runs) inputs.push_back(run.file);
  refuse_overwriting("merge: --json " + arguments.json, arguments.json, inputs);
  auto fleet = merge_runs(runs);
  fleet.left_out.insert(fleet.left_out.end(), others.begin(), others.end());
  if (!fleet.compared()) {
    tell_lines(nothing_text(fleet, style_of(stderr)));
    return refused_exit;
  }
  write(fleet, arguments);
  return 0;
}

Json interval_json(const std::optional<Interval>& interval) {
  return interval ? Json::array({finite(interval->low), finite(interval->high)}) : Json(nullptr);
}

Json standing_json(const std::optional<Standing>& standing) {
  if (!standing) return nullptr;
  return {{"ratio", finite(standing->against.ratio)},
          {"ratio_ci", interval_json(standing->against.ratio_interval)},
          {"p_above", finite(standing->p_above)},
          {"p_below", finite(standing->p_below)},
          {"outlier", standing->above   ? Json("above")
                      : standing->below ? Json("below")
                                        : Json(nullptr)}};
}

Json time_json(double seconds) { return seconds > 0 ? finite(seconds * 1e9) : Json(nullptr); }

Json node_row_json(const Fleet& fleet, const NodeStandings& row) {
  return {{"node", fleet.nodes[row.node].name},
          {"ratio", finite(row.ratio)},
          {"ratio_ci", interval_json(row.ratio_interval)},
          {"naive_ns", time_json(row.naive_seconds)},
          {"optimized_ns", time_json(row.optimized_seconds)},
          {"against_others",
           {{"naive", standing_json(row.naive)},
            {"optimized", standing_json(row.optimized)},
            {"ratio", standing_json(row.speed)}}},
          {"note", row.note.empty() ? Json(nullptr) : Json(row.note)}};
}

Json row_json(const Fleet& fleet, const FleetRow& row) {
  Json json = {{"id", row.name}, {"step", row.step}, {"delta", finite(row.delta)}, {"nodes", Json::array()}};
  for (const auto& node : row.nodes) json["nodes"].push_back(node_row_json(fleet, node));
  return json;
}

Json node_json(const FleetNode& node) {
  return {{"name", node.name},       {"file", node.file},     {"session", node.session},
          {"started", node.started}, {"times", node.times},   {"slower", node.slower},
          {"faster", node.faster},   {"ratios", node.ratios}, {"apart", node.apart()}};
}

}  // namespace

void add_merge(CLI::App& app, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<MergeArguments>();
  auto* command =
      app.add_subcommand("merge", "Compare nodes of one class of machine and name those that stand apart");
  command->add_option("PATH", arguments->paths, "Results files, or folders of them: one file per node")
      ->required();
  command->add_flag("--outliers", arguments->outliers, "Show only the rows in which a node stands apart");
  command
      ->add_option("--json", arguments->json,
                   "Also write the comparison to FILE; - prints JSON instead of the tables")
      ->type_name("FILE");
  results::declare_stand_in(*command, arguments->stand_in);
  command->footer(footer);
  command->callback([arguments, &chosen] { chosen = [arguments] { return run_merge(*arguments); }; });
}

Json fleet_json(const Fleet& fleet) {
  Json json = {{"schema", "tuneproof.merge"}, {"schema_version", {{"major", 1}, {"minor", 0}}},
               {"machine", fleet.machine},    {"commit", fleet.commit},
               {"nodes", Json::array()},      {"rows", Json::array()},
               {"left_out", Json::array()},   {"warnings", fleet.warnings}};
  for (const auto& node : fleet.nodes) json["nodes"].push_back(node_json(node));
  for (const auto& row : fleet.rows) json["rows"].push_back(row_json(fleet, row));
  for (const auto& [file, reason] : fleet.left_out)
    json["left_out"].push_back({{"file", file}, {"reason", reason}});
  return json;
}

}  // namespace harness::compare
