#include "harness/predict/scorecard_reader.hpp"

#include "harness/support/folder.hpp"
#include "harness/support/read_text.hpp"

#include <algorithm>
#include <system_error>

namespace harness::predict {
namespace {

using Path = std::filesystem::path;

}  // namespace

void ScorecardReader::read(const Path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return take(path, true);
  for (const auto& file : files_in(path, is_json_name, Depth::all)) take(file, false);
}

bool ScorecardReader::took(const Path& path) const {
  std::error_code ignored;  // what is not there cannot be the same
  return std::ranges::any_of(
      taken_, [&](const Path& file) { return std::filesystem::equivalent(file, path, ignored); });
}

void ScorecardReader::take(const Path& file, bool named) {
  const auto name = file.string();
  const auto json = parse_json(read_text(file, most_results_bytes), name);
  if (!named && !results::is_results(json)) return;
  const auto results = results::results_from_json(json, name);
  results::check_stand_in(results::on_stand_in(results.fingerprint), stand_in_, name);
  taken_.push_back(file);
  // A copy of a file tells nothing that the file has not told.
  if (!sessions_.insert(results.session.id).second) return;
  add_results(card_, results, name);
}

}  // namespace harness::predict
