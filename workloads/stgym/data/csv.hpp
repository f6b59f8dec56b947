// Reads CSV text record by record (RFC 4180), in bounded memory. Written here because no packaged reader
// fits: Debian's only one, libcsv, cannot tell the line of an error.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace workloads::stgym {

/// Forward through one file: quoted cells, doubled quotes, line breaks within quotes, LF and CRLF, a UTF-8
/// byte order mark. Blank lines are passed over. Everything that is wrong is a BadInput that names file and
/// line.
class CsvReader {
 public:
  /// Opens the file. Throws BadInput where it is missing, not a regular file, unreadable or UTF-16.
  explicit CsvReader(const std::string& path);

  /// Reads the next record; false at the end of the file. Throws BadInput for a quote that is not closed or
  /// stands within a cell, and for a record above `longest`.
  bool next();

  /// The cells of the record; valid until the next call of next().
  const std::vector<std::string_view>& cells() const { return cells_; }
  /// The line on which the (last) record begins, from 1.
  std::size_t line() const { return line_; }
  /// Back to the first record.
  void rewind();

  /// The most bytes that one record may have: what bounds the memory.
  static constexpr std::size_t longest = std::size_t{64} << 20;

 private:
  bool append_line();
  bool fill();
  void split();
  std::size_t split_quoted(std::size_t quote);
  [[noreturn]] void fail(std::string_view what) const;

  std::string path_;
  std::ifstream file_;
  std::vector<char> buffer_;  // what was read ahead: from at_ to end_
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::string record_;  // quoted cells are unquoted in place
  std::vector<std::string_view> cells_;
  std::size_t line_ = 0;
  std::size_t next_line_ = 1;
};

}  // namespace workloads::stgym
