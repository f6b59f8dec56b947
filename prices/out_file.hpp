// The file of --benchmark_out. Google Benchmark empties it before it knows whether any row matches, and does
// not see when the disk is full: here it writes into memory, and the file is replaced when all is there.
#pragma once

#include "harness/process/fd.hpp"
#include "harness/record/replace_file.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace prices {

class OutFile {
 public:
  /// Throws BadInput, naming the file and the reason, where it cannot be written. What is no ordinary file,
  /// such as a pipe, is left to Google Benchmark.
  explicit OutFile(const std::filesystem::path& file);

  /// Where Google Benchmark is to write.
  const std::string& place() const { return place_; }
  /// Replaces the file by what was written, if anything was. Throws BadInput where it could not be stored.
  void keep() const;

 private:
  std::optional<harness::ReplaceFile> file_;
  harness::Fd memory_;
  std::string place_;
};

}  // namespace prices
