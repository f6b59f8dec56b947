#include "harness/programs/step_times.hpp"

#include "harness/core/setup.hpp"
#include "harness/programs/recorder.hpp"
#include "harness/support/field.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/replace_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace harness::programs {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_notes = std::uint64_t{16} << 20;

/// What one process has noted last.
StepTimes::Seen last_note(const fs::path& file) {
  StepTimes::Seen noted;
  std::istringstream lines(read_text(file, most_notes));
  for (std::string line; std::getline(lines, line);) {
    try {
      const auto json = parse_json(line, file.string());
      const Field note(json, file.string());
      if (note["what"].text() == "step_times") noted = {note["steps"].integer(), note["seconds"].number()};
    } catch (const BadInput&) {
      continue;  // its process may have been killed in the middle, and the program may write there
    }
  }
  return noted;
}

}  // namespace

StepTimes::StepTimes(std::int64_t most) : folder_(temporary_folder()) {
  const Json options{{"step_times", true}, {"steps", most}, {"at", nullptr}, {"skip", nullptr}};
  lay_out_recorder(folder_.path(), options.dump());
}

std::string StepTimes::environment() const {
  const char* ours = std::getenv("PYTHONPATH");  // NOLINT(concurrency-mt-unsafe): one thread
  return "PYTHONPATH=" + python_path(folder_.path(), ours == nullptr ? "" : ours);
}

void StepTimes::clear() const {
  for (const auto* name : {"notes", "loading"}) {
    remove_folder(folder_.path() / name);
    make_folders_of(folder_.path() / name / "note");
  }
}

std::optional<StepTimes::Seen> StepTimes::seen() const {
  Seen most;
  std::error_code gone;  // the program may have removed it
  for (const auto& file : fs::directory_iterator(folder_.path() / "notes", gone)) {
    if (!file.is_regular_file(gone)) continue;
    const auto one = last_note(file.path());
    const bool slower = one.steps == most.steps && one.steps > 0 && one.step() > most.step();
    if (one.steps > most.steps || slower) most = one;
  }
  return most.steps > 0 ? std::optional(most) : std::nullopt;
}

}  // namespace harness::programs
