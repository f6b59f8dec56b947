// The words that Google Benchmark is started with, and the file of --benchmark_out in JSON, which can be read
// after every row: what ended is kept, whatever ends the program.
#pragma once

#include "harness/machine/host.hpp"

#include "prices/out_file.hpp"
#include "prices/pace.hpp"

#include <benchmark/benchmark.h>

#include <span>
#include <sstream>

namespace prices {

/// Given to Google Benchmark as the reporter of its file. It writes what Google Benchmark's own would have
/// written, but after each row, into `file`, which must outlive it. Until the last row has ended, the context
/// says that the list is not whole. The context also has the share of the CPUs that other work took so far.
class JsonFile : public benchmark::BenchmarkReporter {
 public:
  JsonFile(const OutFile& file, const harness::OtherWork& other);

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  /// Throws BadInput where the rows could not be stored.
  void finish();

 private:
  std::string document();

  const OutFile& file_;
  const harness::OtherWork& other_;
  std::ostringstream text_{std::ios::ate};
  benchmark::JSONReporter json_;
  bool any_ = false;
};

/// Google Benchmark keeps pointers into them: they must outlive its rows.
class Words {
 public:
  /// The user's flags, and what follows from the environment. Throws BadInput where the file of
  /// --benchmark_out cannot be written.
  Words(std::span<const std::string_view> flags, const harness::OtherWork& other);

  /// Hands them over; throws BadInput for the first that Google Benchmark does not take.
  void hand_over();
  /// Of the rows once they are known, before they are measured; nothing where there are none, or only their
  /// names were asked for.
  std::optional<Pace> pace();
  /// What writes the file of --benchmark_out; null where Google Benchmark's own does, or there is none.
  JsonFile* reporter() { return json_ ? &*json_ : nullptr; }
  /// The rows have been measured: the file of --benchmark_out gets them. Throws BadInput where it cannot.
  void keep_file();
  /// Where the rows are kept; empty where they are not.
  const std::string& file() const { return file_; }

 private:
  void take_out_flags(std::span<const std::string_view> flags, const harness::OtherWork& other);

  double seconds_of_a_row_ = 0;  // 0 where only names are asked for
  std::string file_;
  std::optional<OutFile> out_;
  std::optional<JsonFile> json_;
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

}  // namespace prices
