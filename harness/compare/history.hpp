// What earlier runs of the same class of machine measured, and where a row moved for good.
#pragma once

#include "harness/compare/database.hpp"
#include "harness/compare/run_file.hpp"

namespace harness::compare {

/// A history file. Several jobs may add to one at the same time.
class History {
 public:
  /// Throws BadInput for a file that is not a history, or one of a newer program. With Mode::write it is
  /// made.
  History(const std::filesystem::path& file, Database::Mode mode);

  /// False where this session is in there already; then nothing is added.
  bool add(const results::Results& run) const;
  std::int64_t sessions() const;

  /// A row's measurements on one class of machine, oldest first, in ln(seconds) and ln(ratio).
  struct Series {
    std::string machine;
    std::string row;
    std::vector<std::string> commits;
    std::vector<std::string> started;
    std::vector<std::string> software;  // its class: a difference is a forced break
    std::vector<double> naive;
    std::vector<double> optimized;
    std::vector<double> ratio;
  };
  std::vector<Series> series() const;

 private:
  Database database_;
};

/// A lasting move of a row's optimized form.
struct Alarm {
  std::string machine;
  std::string row;
  std::string last_good;  // commits
  std::string first_moved;
  std::string when;  // the first moved session began
  double ratio = 1;  // new level / old level
  double p = 1;
  bool both_forms = false;  // the naive form moved alike: the machine, or code that both share
};

/// True if some stretch of one software has so many sessions.
bool can_move(const History::Series& series);

/// Change points within stretches of one software, newest first.
std::vector<Alarm> alarms(const std::vector<History::Series>& all);

}  // namespace harness::compare
