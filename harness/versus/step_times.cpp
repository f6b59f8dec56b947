#include "harness/versus/step_times.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/field.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/watch/recorder.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace harness::versus {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_notes = std::uint64_t{16} << 20;

/// What one process has noted last.
StepTimes::Seen last_note(const fs::path& file) {
  StepTimes::Seen noted;
  std::istringstream lines(read_text(file, most_notes));
  for (std::string line; std::getline(lines, line);) {
    const auto json = Json::parse(line, nullptr, false);  // its process may have been killed in the middle
    if (!json.is_object() || json.value("what", "") != "step_times") continue;
    noted = {json.value("steps", std::int64_t{0}), json.value("seconds", 0.0)};
  }
  return noted;
}

fs::path temporary() {
  std::error_code error;
  auto folder = fs::temp_directory_path(error);
  if (error) throw BadInput("the temporary folder cannot be used; set TMPDIR to one: " + error.message());
  return folder;
}

}  // namespace

StepTimes::StepTimes(std::int64_t most) : folder_(temporary()) {
  for (const auto& file : watch::recorder_files()) ReplaceFile(folder_.path() / file.name).write(file.text);
  const Json options{{"step_times", true}, {"steps", most}, {"at", nullptr}, {"skip", nullptr}};
  ReplaceFile(folder_.path() / "options.json").write(options.dump());
  clear();
}

std::string StepTimes::environment() const {
  const char* ours = std::getenv("PYTHONPATH");  // NOLINT(concurrency-mt-unsafe): one thread
  // An empty entry would be the working directory.
  return "PYTHONPATH=" + folder_.path().string() +
         (ours == nullptr || *ours == '\0' ? "" : ":" + std::string(ours));
}

void StepTimes::clear() const {
  for (const auto* name : {"notes", "loading"}) {
    remove_folder(folder_.path() / name);
    fs::create_directory(folder_.path() / name);
  }
}

std::optional<StepTimes::Seen> StepTimes::seen() const {
  Seen most;
  for (const auto& file : fs::directory_iterator(folder_.path() / "notes")) {
    const auto one = last_note(file.path());
    const bool slower = one.steps == most.steps && one.steps > 0 && one.step() > most.step();
    if (one.steps > most.steps || slower) most = one;
  }
  return most.steps > 0 ? std::optional(most) : std::nullopt;
}

}  // namespace harness::versus
