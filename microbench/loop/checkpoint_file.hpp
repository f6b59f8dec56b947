// A checkpoint on disk: written under a temporary name, synced, renamed.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace microbench {

/// What stands before a tensor's values: how many dimensions it has, and their sizes.
std::string checkpoint_head(const at::Tensor& tensor);

/// The tensors, each with its head, as bytes; they lie on the host.
std::string checkpoint_bytes(const std::vector<at::Tensor>& state);

/// Puts the bytes in the file's place. Whenever the process ends, the file is the old one or the new one.
/// Throws std::system_error where it cannot be written.
void write_checkpoint(const std::filesystem::path& file, std::string_view bytes);

}  // namespace microbench
