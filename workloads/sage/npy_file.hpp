// NumPy's arrays in files.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>

namespace workloads::sage {

/// An array of one or two dimensions as [rows, columns]: whole numbers of 4 or 8 bytes, or floating-point
/// ones of 2, 4 or 8. Throws BadInput, one sentence that names the file, where it is something else or too
/// short.
at::Tensor read_npy(const std::filesystem::path& file);

}  // namespace workloads::sage
