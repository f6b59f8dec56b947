// Messages when the watched program has ended.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/programs/notes.hpp"
#include "harness/programs/watch_arguments.hpp"
#include "harness/trace/diagnosis.hpp"
#include "harness/trace/worth.hpp"

namespace harness::programs {

/// The traces to diagnose beside each other: of several ranks the last one of each, else the last one; where
/// ours recorded nothing the last one of the program's own profiler.
std::vector<std::filesystem::path> traces_to_diagnose(const Notes& notes);

/// Why there is nothing to diagnose, in one sentence, and what to do.
std::string why_no_trace(const Notes& notes);

/// The trace that `--against` names, settled before the new ones are written: of a folder the latest.
/// Throws BadInput where there is none.
std::filesystem::path earlier_trace(const std::string& against);

/// What each finding of the earlier trace had promised at most, and what is left of it; empty where none had.
std::string promises_text(const trace::Diagnosis& before, const trace::Diagnosis& after, const Style& style);

/// Of each of these steps the row that resembles the diagnosed program most; without those for which making
/// torch's packages may take more than half of that time in all, since little would be measured then.
std::vector<std::string> rows_within(const catalogue::Catalogue& catalogue,
                                     std::span<const std::string> steps, const trace::Diagnosis& diagnosis,
                                     std::chrono::duration<double> within);

/// Diagnoses what was recorded: the report to standard error, the files that were asked for.
class Conclusion {
 public:
  /// Throws BadInput where a file that is to be written cannot be, or the earlier trace cannot be read.
  Conclusion(const WatchArguments& arguments, const WatchedCommand& command,
             const catalogue::Program& program);

  void say(const Notes& notes) const;

 private:
  trace::Diagnosis diagnosis_of(const std::filesystem::path& file, const Notes& notes) const;
  /// The tips that were asked to be measured and had not been; empty where there are none.
  std::vector<trace::Worth> measured(const trace::Diagnosis& diagnosis) const;
  void write_files(const std::vector<trace::Diagnosis>& diagnoses,
                   std::span<const trace::Worth> worths) const;

  const WatchArguments& arguments_;
  const WatchedCommand& command_;
  const catalogue::Program& program_;
  std::optional<trace::Diagnosis> before_;
  std::vector<trace::Worth> worths_;
};

}  // namespace harness::programs
