#include "harness/programs/recorder.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/field.hpp"

#include <fstream>

namespace harness::programs {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw BadInput(file.string() + ": cannot be written");
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

std::string options_text(const Recording& recording, const fs::path& traces, const fs::path& parts) {
  const Json options{{"steps", recording.steps},
                     {"skip", or_null(recording.skip)},
                     {"at", recording.after ? Json(unix_seconds() + *recording.after) : Json()},
                     {"every", or_null(recording.every)},
                     {"shapes", recording.shapes},
                     {"memory", recording.memory},
                     {"stacks", recording.stacks},
                     {"out", fs::absolute(traces).string()},
                     {"parts", parts.string()}};
  return options.dump();
}

}  // namespace

double unix_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void lay_out_recorder(const fs::path& folder, const std::string& settings) {
  for (const auto* name : {"notes", "loading"}) fs::create_directory(folder / name);
  for (const auto& file : recorder_files()) write(folder / file.name, file.text);
  write(folder / "options.json", settings);
}

std::string python_path(const fs::path& folder, const char* ours) {
  // An empty entry would be the working directory.
  return folder.string() + (ours == nullptr || *ours == '\0' ? "" : ":" + std::string(ours));
}

Recorder::Recorder(const Recording& recording, const fs::path& traces)
    : folder_(temporary_folder()), parts_(traces) {
  lay_out_recorder(folder_.path(), options_text(recording, traces, parts_.path()));
}

}  // namespace harness::programs
