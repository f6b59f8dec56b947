// The file of --benchmark_out. Google Benchmark empties it before it knows whether any row matches, and does
// not see when the disk is full: here it writes into memory, and the file is replaced by what is there.
#pragma once

#include "harness/support/fd.hpp"
#include "harness/support/replace_file.hpp"

namespace prices {

class OutFile {
 public:
  /// Throws BadInput, naming the file and the reason, where it cannot be written.
  explicit OutFile(const std::filesystem::path& file);

  /// Where Google Benchmark is to write.
  const std::string& place() const { return place_; }
  /// Replaces the file by what was written, if anything was; a pipe or a device gets it. Throws BadInput
  /// where it could not be stored.
  void keep() const;
  /// Replaces it by `text`; throws likewise.
  void keep(std::string_view text) const;
  /// False for a pipe, a terminal, /dev/null: what they got cannot be replaced.
  bool is_ordinary() const { return file_.has_value(); }

 private:
  std::filesystem::path name_;
  std::optional<harness::ReplaceFile> file_;  // none where it is no ordinary file
  harness::Fd memory_;
  std::string place_;
};

}  // namespace prices
