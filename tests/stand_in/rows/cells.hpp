// Few and small graphs for STGym's rows.
#pragma once

#include <filesystem>

namespace rows {

/// A file for `--data breast-cancer=FILE`, made up, removed with its owner: 34 graphs of 8 to 14 nodes with
/// 200 features. In batches of four the training has six, the validation two and the test two, each with a
/// smaller one at its end.
class CellsFile {
 public:
  CellsFile();
  ~CellsFile();
  CellsFile(const CellsFile&) = delete;
  CellsFile& operator=(const CellsFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace rows
