// How far a learner has come: a small JSON file, replaced after each unit.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace harness::teach {

/// How a unit ended. `how` is "right", "otherwise", "shown" (the solution was asked for) or "skipped".
struct Finished {
  std::string how;
  std::string answer;  // as it was typed
  std::string truth;   // what was so, with its figures
};

class CourseProgress {
 public:
  /// ${XDG_STATE_HOME:-~/.local/state}/tuneproof/learn.json. Throws BadInput where neither variable is set.
  static std::filesystem::path usual_file();

  /// Reads the file where it is there. Throws BadInput where it is damaged or cannot be written.
  explicit CourseProgress(std::filesystem::path file);

  const std::filesystem::path& file() const { return file_; }
  const Finished* find(const std::string& unit) const;

  /// Keeps it in the file at once.
  void finish(const std::string& unit, Finished finished);
  void forget();

 private:
  void keep() const;

  std::filesystem::path file_;
  std::map<std::string, Finished> units_;
};

}  // namespace harness::teach
