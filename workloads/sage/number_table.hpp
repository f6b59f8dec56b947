// Tables of numbers in a folder: CSV without a header, or NumPy's arrays.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace workloads::sage {

struct NumberTable {
  std::filesystem::path file;
  bool is_csv = false;
  at::Tensor numbers;  // [rows, columns]

  /// Where row `row`, counted from 0, stands: "edge.csv, line 1", "edge.npy, entry 0".
  std::string place(std::int64_t row) const;
};

/// FOLDER/NAME.npy where there is one, else FOLDER/NAME.csv. `type` is at::kLong or at::kFloat. An array of
/// one dimension is a column. Throws BadInput, one sentence that names file and place, where it is missing,
/// empty or not of this form.
NumberTable read_numbers(const std::filesystem::path& folder, const std::string& name, at::ScalarType type);

}  // namespace workloads::sage
