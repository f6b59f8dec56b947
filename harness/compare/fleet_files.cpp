#include "harness/compare/fleet_files.hpp"

#include "harness/compare/comparison.hpp"
#include "harness/core/setup.hpp"
#include "harness/support/folder.hpp"
#include "harness/trace/intern.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

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

}  // namespace harness::compare
