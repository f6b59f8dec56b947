// Images with masks to learn from, drawn or read from a folder.
#pragma once

#include "workloads/training/dataset.hpp"

#include <filesystem>

namespace workloads::unet {

constexpr std::int64_t image_size = 32;  // on a CPU

/// A bright disc and a dark box on grey, each image with its own; the noise has a third of their contrast.
/// Noise is drawn anew when a sample is asked for, and is the same each time.
training::Dataset noisy_shapes(std::int64_t training, std::int64_t validation, std::uint64_t seed,
                               std::int64_t side = image_size);

/// The same with the PNG and PGM files of a folder in the order of their names, the middle of each made as
/// small; of more than `training` + `validation` files the first. Throws BadInput for fewer than two images,
/// or one that cannot be read.
training::Dataset noisy_images(const std::filesystem::path& folder, std::int64_t training,
                               std::int64_t validation, std::uint64_t seed, std::int64_t side = image_size);

/// Bytes [height, width]; colours become grey, and what is transparent lies on black. Throws BadInput, naming
/// the file, where it is no such image, is cut, or has more than 64 million pixels.
at::Tensor read_image(const std::filesystem::path& file);

}  // namespace workloads::unet
