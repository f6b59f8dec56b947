#include "harness/compare/fleet_files.hpp"

#include "harness/compare/compare.hpp"
#include "harness/compare/comparison.hpp"
#include "harness/core/setup.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/support/exit_codes.hpp"
#include "harness/support/field.hpp"
#include "harness/support/overwriting.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/usage.hpp"
#include "harness/trace/intern.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <system_error>

namespace harness::compare {
namespace {

constexpr std::size_t longest_name = 64;

/// What files must share. Software is not in it: a node with another driver is worth finding.
std::string key_of(const results::Results& run) {
  auto key = fmt::format("{}\n{}", results::machine_class(run.fingerprint), run.session.commit);
  for (const auto& [name, value] : settings_of(run.session)) key += fmt::format("\n{}={}", name, value);
  return key;
}

const results::Results& reference_of(std::span<const results::Results> runs) {
  std::map<std::string, int> files;
  for (const auto& run : runs) ++files[key_of(run)];
  return *std::ranges::max_element(runs, {},
                                   [&](const results::Results& run) { return files.at(key_of(run)); });
}

std::string text_of(const std::vector<results::Difference>& differences) {
  std::vector<std::string> parts;
  for (const auto& [field, base, current] : differences)
    parts.push_back(fmt::format("{} is {}, not {}", field, current, base));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string why_left_out(const results::Results& reference, const results::Results& run) {
  if (results::machine_class(reference.fingerprint) != results::machine_class(run.fingerprint)) {
    const auto half = [](const results::Results& file) {
      return file.fingerprint.hard.value("machine", Json::object());
    };
    const auto differing = text_of(results::differences(half(reference), half(run)));
    return "another class of machine" + (differing.empty() ? differing : ": " + differing);
  }
  auto differing = settings_differences(reference.session, run.session);
  const auto& before = reference.session.commit;
  if (before != run.session.commit)
    differing.insert(differing.begin(), results::Difference{"the program", before, run.session.commit});
  return text_of(differing);
}

void refuse_copies(std::span<const results::Results> runs) {
  std::map<std::string_view, std::string_view> sessions;
  for (const auto& run : runs)
    if (const auto [found, added] = sessions.try_emplace(run.session.id, run.file); !added)
      throw BadInput(fmt::format("{}: contains the same session as {}", run.file, found->second));
}

std::string host_of(const results::Results& run) {
  const auto host = run.fingerprint.info.find("host_name");
  const bool known = host != run.fingerprint.info.end() && host->is_string();
  return trace::printable(known ? host->get<std::string>() : std::string()).substr(0, longest_name);
}

std::string stem_of(const results::Results& run) {
  auto path = std::filesystem::path(run.file).filename();
  if (path.extension() == ".gz") path = path.stem();
  return trace::printable(path.stem().string()).substr(0, longest_name);
}

/// The host's name; the file's where two hosts go by one name (containers, virtual machines).
void name_nodes(std::span<const results::Results* const> runs, std::vector<FleetNode>& nodes) {
  std::map<std::string, int> hosts;
  for (const auto* run : runs) ++hosts[host_of(*run)];
  for (const auto* run : runs) {
    const auto host = host_of(*run);
    nodes.push_back({.name = host.empty() || hosts.at(host) > 1 ? stem_of(*run) : host,
                     .file = run->file,
                     .session = run->session.id,
                     .started = run->session.started});
  }
}

/// What may differ between nodes and is worth knowing: one sentence for each value, with its nodes.
void warn(std::span<const results::Results* const> runs, Fleet& fleet) {
  std::map<std::string, std::vector<std::string>> nodes_of;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    auto all = results::differences(runs[0]->fingerprint.hard, runs[i]->fingerprint.hard);
    const auto soft = results::differences(runs[0]->fingerprint.soft, runs[i]->fingerprint.soft);
    all.insert(all.end(), soft.begin(), soft.end());
    const auto base = runs[0]->session.data_seed, seed = runs[i]->session.data_seed;
    if (base != seed) all.push_back({"--seed", seed_text(base), seed_text(seed)});
    for (const auto& [field, there, here] : all)
      nodes_of[fmt::format("{} is {}, not {} as on {}", field, here, there, fleet.nodes[0].name)].push_back(
          fleet.nodes[i].name);
  }
  for (const auto& [what, nodes] : nodes_of)
    fleet.warnings.push_back(fmt::format("{}: {}", fmt::join(nodes, ", "), what));
}

std::vector<std::filesystem::path> results_in(const std::filesystem::path& folder) {
  auto files = files_in(folder, is_json_name);
  if (files.empty())
    throw BadInput(
        fmt::format("{}: this folder itself has no file that ends in .json or .json.gz; name the "
                    "folder that holds them",
                    folder.string()));
  return files;
}

constexpr auto footer =
    "merge compares each node's times of both sides, and their ratio, with the median of all other\n"
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

Json time_json(const FleetRow& row, double value) {
  return value > 0 && row.words.is_time() ? finite(value * 1e9) : Json(nullptr);
}

Json node_row_json(const Fleet& fleet, const FleetRow& of, const NodeStandings& row) {
  return {{"node", fleet.nodes[row.node].name},
          {"ratio", finite(row.ratio)},
          {"ratio_ci", interval_json(row.ratio_interval)},
          {"naive_ns", time_json(of, row.naive_seconds)},
          {"optimized_ns", time_json(of, row.optimized_seconds)},
          {"against_others",
           {{"naive", standing_json(row.naive)},
            {"optimized", standing_json(row.optimized)},
            {"ratio", standing_json(row.speed)}}},
          {"note", row.note.empty() ? Json(nullptr) : Json(row.note)}};
}

Json row_json(const Fleet& fleet, const FleetRow& row) {
  Json json = {{"id", row.name}, {"step", row.step}, {"delta", finite(row.delta)}, {"nodes", Json::array()}};
  for (const auto& node : row.nodes) json["nodes"].push_back(node_row_json(fleet, row, node));
  return json;
}

Json node_json(const FleetNode& node) {
  return {{"name", node.name},       {"file", node.file},     {"session", node.session},
          {"started", node.started}, {"times", node.times},   {"slower", node.slower},
          {"faster", node.faster},   {"ratios", node.ratios}, {"apart", node.apart()}};
}

}  // namespace

std::vector<FleetFile> fleet_files(std::span<const std::string> paths) {
  std::vector<FleetFile> all;
  for (const auto& path : paths) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
      all.push_back({path, true});
      continue;
    }
    for (auto& file : results_in(path)) all.push_back({std::move(file), false});
  }
  return all;
}

std::vector<const results::Results*> alike(std::span<const results::Results> runs, Fleet& fleet) {
  if (runs.empty()) return {};
  refuse_copies(runs);
  const auto& reference = reference_of(runs);
  const auto key = key_of(reference);
  fleet.machine = reference.fingerprint.hard.value("machine", Json(nullptr));
  fleet.commit = reference.session.commit;
  std::vector<const results::Results*> kept;
  for (const auto& run : runs)
    if (key_of(run) == key)
      kept.push_back(&run);
    else
      fleet.left_out.push_back({run.file, why_left_out(reference, run)});
  name_nodes(kept, fleet.nodes);
  warn(kept, fleet);
  return kept;
}

void add_merge(CLI::App& app, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<MergeArguments>();
  auto* command =
      app.add_subcommand("merge", "Compare nodes of one class of machine and name those that stand apart");
  command->add_option("PATH", arguments->paths, "Results files, or folders of them: one file per node")
      ->required();
  command->add_flag("--outliers", arguments->outliers, "Show only the rows in which a node stands apart");
  add_value(*command, "--json", arguments->json, "FILE",
            "Also write the comparison to FILE; - prints JSON instead of the tables");
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
