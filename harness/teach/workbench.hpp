// Where the course gets its evidence: rows and prices measured by this program, results that were given, and
// the traces that it carries.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/teach/learner.hpp"
#include "harness/teach/measured_here.hpp"
#include "harness/teach/truth.hpp"
#include "harness/teach/unit.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::teach {

class Workbench {
 public:
  /// Results and prices of files that were given are used instead of measuring anew; `folder` takes the
  /// traces and what is measured; `say` hears what is about to be. Throws BadInput where a file cannot be
  /// read. What was measured on the stand-in is refused unless that is allowed.
  Workbench(const catalogue::Program& program, Console& console, std::filesystem::path folder,
            std::function<void(std::string_view)> say, results::StandIn stand_in);
  void use_results(const std::string& file);
  void use_prices(const std::string& file);

  /// What is so for the unit; measures where no given file has it.
  Truth truth(const CourseUnit& unit);
  /// What the command of a trace's or a recording's unit prints.
  std::string show(const CourseUnit& unit);
  /// The command as one types it.
  std::string command(const CourseUnit& unit) const;

 private:
  struct Given {
    std::string from;
    std::vector<results::Row> rows;
  };
  Truth row_truth(const CourseUnit& unit);
  Truth price_truth(const CourseUnit& unit);
  Truth simulated_truth(const CourseUnit& unit) const;
  /// Runs the unit's command with what to do with its results; gives its last line where it failed.
  std::optional<std::string> fails(const CourseUnit& unit, const std::vector<std::string>& arguments);
  /// Writes the unit's trace or recording into the folder, so that other tools can read it too.
  std::filesystem::path carried_file(const CourseUnit& unit) const;
  std::vector<std::string> shown_by(const CourseUnit& unit) const;
  std::filesystem::path file_in_folder(std::string_view name) const;

  const catalogue::Program& program_;
  Console& console_;
  std::filesystem::path folder_;
  std::function<void(std::string_view)> say_;
  results::StandIn stand_in_;
  std::vector<Given> results_;
  std::vector<ShownPrices> prices_;
};

}  // namespace harness::teach
