// Grey images from files: PNG of any kind, and PGM.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>

namespace workloads::unet {

/// True for the names that read_image() reads: .png and .pgm, in any case.
bool is_image(const std::filesystem::path& file);

/// Bytes [height, width]; colours become grey, and what is transparent lies on black. Throws BadInput, naming
/// the file, where it is no such image, is cut, or has more than 64 million pixels.
at::Tensor read_image(const std::filesystem::path& file);

}  // namespace workloads::unet
