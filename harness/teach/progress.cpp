#include "harness/teach/progress.hpp"

#include "harness/support/field.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/replace_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace harness::teach {
namespace {

constexpr std::uint64_t most_bytes = 1 << 20;
constexpr auto schema = "tuneproof.learn";
constexpr int version = 1;
constexpr std::string_view outcomes[] = {"right", "otherwise", "shown", "skipped"};

/// An empty variable counts as none, and one that is no absolute path is to be ignored: XDG's rules.
std::optional<std::filesystem::path> folder_in(const char* variable) {
  const char* const text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): one thread
  if (text == nullptr || !std::filesystem::path(text).is_absolute()) return std::nullopt;
  return text;
}

}  // namespace

std::filesystem::path CourseProgress::usual_file() {
  auto folder = folder_in("XDG_STATE_HOME");
  if (const auto home = folder_in("HOME"); !folder && home) folder = *home / ".local" / "state";
  if (!folder) throw BadInput("there is no place to keep your progress; name a file with --progress FILE");
  return *folder / "tuneproof" / "learn.json";
}

CourseProgress::CourseProgress(std::filesystem::path file) : file_(std::move(file)) {
  std::error_code failed;
  if (file_.has_parent_path()) std::filesystem::create_directories(file_.parent_path(), failed);
  if (failed) throw BadInput(file_.string() + ": cannot be written: " + failed.message());
  const ReplaceFile writable(file_);  // finds out before the first question is asked
  if (!std::filesystem::exists(file_, failed)) return;
  const auto json = parse_json(read_text(file_, most_bytes), file_.string());
  const Field root(json, file_.string());
  if (!root.has("schema") || root["schema"].text() != schema)
    root.reject("is not a progress file of tuneproof learn");
  if (root["version"].number() != version) root["version"].reject("is unknown to this program");
  for (const auto& [name, unit] : root["units"].members()) {
    units_[name] = {unit["how"].text(), unit["answer"].text(), unit["truth"].text()};
    if (std::ranges::find(outcomes, units_[name].how) == std::ranges::end(outcomes))
      unit["how"].reject("is not a way in which a unit ends");
  }
}

const Finished* CourseProgress::find(const std::string& unit) const {
  const auto found = units_.find(unit);
  return found == units_.end() ? nullptr : &found->second;
}

void CourseProgress::finish(const std::string& unit, Finished finished) {
  units_[unit] = std::move(finished);
  keep();
}

void CourseProgress::forget() {
  units_.clear();
  keep();
}

void CourseProgress::keep() const {
  Json units = Json::object();
  for (const auto& [name, unit] : units_)
    units[name] = {{"how", unit.how}, {"answer", unit.answer}, {"truth", unit.truth}};
  ReplaceFile(file_).write(pretty({{"schema", schema}, {"version", version}, {"units", std::move(units)}}));
}

}  // namespace harness::teach
