// Images with classes: CIFAR-10's binary files, or drawn ones.
#pragma once

#include "workloads/training/dataset.hpp"

#include <filesystem>

namespace workloads::resnet50 {

constexpr std::int64_t image_classes = 10;
constexpr std::int64_t image_size = 64;  // on a CPU

/// Stripes in noise, each image with its own colour, width and place; the class is the stripes' angle.
training::Dataset drawn_images(std::int64_t training, std::int64_t validation, std::uint64_t seed,
                               std::int64_t side = image_size);

/// A folder with data_batch_1.bin to data_batch_5.bin, to learn from, and test_batch.bin, to validate:
/// records of a label's byte and 3 x 32 x 32 bytes of red, green and blue. Images are enlarged to the side.
/// Takes so many of them at most. Throws BadInput where a file is missing, empty or not of this form.
training::Dataset read_cifar10(const std::filesystem::path& folder, std::int64_t training,
                               std::int64_t validation, std::int64_t side = image_size);

}  // namespace workloads::resnet50
