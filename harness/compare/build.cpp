#include "harness/compare/build.hpp"

#include "harness/core/setup.hpp"
#include "harness/run/task.hpp"
#include "harness/run/worker_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace harness::compare {
namespace {

namespace fs = std::filesystem;

constexpr auto build_type = "software.build_type";  // always the same in both

fs::path program_at(const fs::path& path, const std::string& option) {
  std::error_code error;
  const auto file = fs::is_directory(path, error) ? path / "tuneproof" : path;
  const auto found = fs::canonical(file, error);
  if (error || !fs::is_regular_file(found, error))
    throw BadInput(
        fmt::format("{} {}: program not found; give the path of a built tuneproof", option, file.string()));
  return found;
}

std::string text_of(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The one beside it; a program of somebody's own steps is its own.
fs::path worker_of(const fs::path& program) {
  auto beside = program.parent_path() / "tuneproof-worker";
  return program.filename() == "tuneproof" || fs::exists(beside) ? beside : program;
}

/// The fingerprint that the program itself would take here.
results::Fingerprint fingerprint_of(const Json& probe, const Json& build) {
  const auto commit = text_of(build, "commit"), type = text_of(build, "build_type"),
             compiler = text_of(build, "compiler"), flags = text_of(build, "flags");
  BuildInfo info;
  info.commit = commit;
  info.build_type = type;
  info.compiler = compiler;
  info.flags = flags;
  return results::take_fingerprint(probe, info);
}

}  // namespace

Build ask_build(const fs::path& path, const std::string& option, const Question& question) {
  Build out;
  out.program = program_at(path, option);
  out.worker = worker_of(out.program);
  try {
    out.probe = run::ask_probe(out.worker, question.device);
    const auto probe = parse_json(out.probe, "probe");
    if (!probe.contains("protocol") || !probe["protocol"].is_number_integer()) return out;
    out.protocol = probe["protocol"].get<int>();
    const auto build = probe.contains("build") ? probe["build"] : Json::object();
    out.version = text_of(build, "version");
    out.commit = text_of(build, "commit");
    out.fingerprint = fingerprint_of(probe, build);
    out.catalogue = catalogue::parse_catalogue(run::ask_catalogue(out.worker));
    if (question.selftest_pairs)
      std::ranges::move(catalogue::parse_catalogue(run::ask_selftest_pairs(out.worker)).steps,
                        std::back_inserter(out.catalogue.steps));
  } catch (const BadInput& error) {
    throw BadInput(fmt::format("{} {}: {}", option, path.string(), error.what()));
  }
  return out;
}

bool is_own(const Build& build) { return build.worker == build.program; }

std::vector<std::string> refusals(const Build& base, const Build& head, const std::vector<Across>& across) {
  std::vector<std::string> reasons;
  for (const auto* one : {&base, &head})
    if (one->protocol != run::worker_protocol)
      reasons.push_back(fmt::format(
          "{} uses {} with its worker, but this program uses protocol {}; compare two results files instead",
          one->program.string(),
          one->protocol == 0 ? "an older protocol" : fmt::format("protocol {}", one->protocol),
          run::worker_protocol));
  if (!reasons.empty()) return reasons;
  for (const auto& [field, before, after] :
       results::differences(base.fingerprint.hard, head.fingerprint.hard)) {
    if (is_treatment(field, across)) continue;
    const auto option = across_options({field});
    reasons.push_back(fmt::format("{} differs: {} in BASE, {} in HEAD{}", field, before, after,
                                  option.empty() ? "" : "; if that is what you compare, add" + option));
  }
  return reasons;
}

std::vector<std::string> treatments(const Build& base, const Build& head) {
  std::vector<std::string> notes;
  for (const auto& [field, before, after] :
       results::differences(base.fingerprint.hard, head.fingerprint.hard))
    if (field.starts_with("software.") && field != build_type)
      notes.push_back(fmt::format("{} differs: {} -> {}", field, before, after));
  return notes;
}

}  // namespace harness::compare
