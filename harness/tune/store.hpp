// Trials kept in a file of our own: what a search without Optuna goes on from.
#pragma once

#include "harness/support/replace_file.hpp"
#include "harness/tune/plan.hpp"
#include "harness/tune/tried.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace harness::tune {

class TrialStore {
 public:
  /// Reads what the file holds; an empty path keeps nothing. Throws BadInput where it cannot be read or
  /// written, or holds a search of another plan.
  TrialStore(const std::filesystem::path& file, const Plan& plan);

  const std::vector<Tried>& trials() const { return trials_; }
  /// The file has the trial when this returns. Throws BadInput where it cannot be stored.
  void add(const Tried& tried);

 private:
  Json plan_;
  std::vector<Tried> trials_;
  std::optional<ReplaceFile> file_;
};

}  // namespace harness::tune
