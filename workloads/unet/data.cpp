#include "workloads/unet/data.hpp"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <cmath>
#include <random>

namespace workloads::unet {
namespace {

constexpr double noise_spread = 0.3;

/// From -1 to 1.
at::Tensor shapes(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto somewhere = [&random] { return static_cast<double>(random() % image_size); };
  const auto rows = at::arange(image_size, at::kFloat).view({1, image_size, 1});
  const auto columns = at::arange(image_size, at::kFloat).view({1, 1, image_size});
  const auto radius = 3 + somewhere() / 4, side = 3 + somewhere() / 4;
  const auto disc = (rows - somewhere()).square() + (columns - somewhere()).square() < radius * radius;
  const auto box = at::maximum((rows - somewhere()).abs(), (columns - somewhere()).abs()) < side;
  return disc.to(at::kFloat) - box.to(at::kFloat);
}

}  // namespace

training::Dataset noisy_shapes(std::int64_t training, std::int64_t validation, std::uint64_t seed) {
  return {.source = "noisy shapes",
          .training = training,
          .validation = validation,
          .get = [seed](std::int64_t i) {
            const auto own_seed = seed * 1'000'003 + static_cast<std::uint64_t>(i);
            auto generator = at::make_generator<at::CPUGeneratorImpl>(own_seed);
            const auto noise = noise_spread * at::randn({1, image_size, image_size}, generator,
                                                        at::TensorOptions().dtype(at::kFloat));
            return training::Sample{shapes(own_seed) + noise, noise};
          }};
}

}  // namespace workloads::unet
