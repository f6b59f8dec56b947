#include "workloads/training/rates.hpp"

#include "harness/cuda/check.hpp"
#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/precision.hpp"

#include "workloads/training/onednn_linear.hpp"

#include <cuda_runtime_api.h>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace workloads::training {
namespace {

/// The shortest of some runs; others can only add to a run.
double seconds(const harness::Device& device, const std::function<void()>& run) {
  constexpr int runs = 5;
  const auto wait = [&] {
    if (device.is_cuda()) harness::check(cudaDeviceSynchronize());
  };
  run();
  double least = 1e9;
  for (int i = 0; i < runs; ++i) {
    wait();
    const auto begin = std::chrono::steady_clock::now();
    run();
    wait();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

/// Sizes of a piece of work, doubled from the first to the last.
struct Sizes {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Work a second, at the first size whose run is long beside its launch and its wait, else at the last.
/// `measure` gives the work and the seconds of a size. Without that end a slow device would take minutes.
template <class Measure>
double rate(Sizes sizes, const Measure& measure) {
  constexpr double long_enough = 0.02;
  for (auto size = sizes.first;; size *= 2) {
    const auto [work, time] = measure(size);
    if (time >= long_enough || size >= sizes.last) return work / time;
  }
}

/// Bytes a second into the device, from pinned memory.
double link_rate(const harness::Device& device, const at::TensorOptions& options) {
  return rate({std::int64_t{1} << 22, std::int64_t{1} << 26}, [&](std::int64_t length) {
    const auto from = at::ones({length}).pin_memory();
    const auto to = at::empty({length}, options);
    return std::pair(float_bytes * static_cast<double>(length),
                     seconds(device, [&] { to.copy_(from, true); }));
  });
}

/// Copies and sums on the device: whichever moves more bytes a second.
double memory_rate(const harness::Device& device, const at::TensorOptions& options, Sizes lengths) {
  return rate(lengths, [&](std::int64_t length) {
    const auto from = at::ones({length}, options);
    const auto to = at::zeros({length}, options);
    const auto bytes = float_bytes * static_cast<double>(length);
    const auto copying = seconds(device, [&] { to.copy_(from); });
    const auto summing = 2 * seconds(device, [&] { at::sum(from); });
    return std::pair(2 * bytes, std::min(copying, summing));
  });
}

/// Products of two square matrices, on the host by either library.
double product_rate(const harness::Device& device, const at::TensorOptions& options, Sizes rows) {
  return rate(rows, [&](std::int64_t n) {
    const auto a = at::randn({n, n}, options);
    const auto b = at::randn({n, n}, options);
    auto least = seconds(device, [&] { at::mm(a, b); });
    if (onednn_multiplies(a)) least = std::min(least, seconds(device, [&] { onednn_linear(a, b, {}); }));
    return std::pair(2 * static_cast<double>(n * n * n), least);
  });
}

}  // namespace

Rates measure_rates(const harness::Device& device) {
  const c10::NoGradGuard no_gradients;
  const harness::MatmulPrecision highest("highest");
  const auto options = at::TensorOptions().dtype(at::kFloat).device(harness::torch_device(device));
  constexpr std::int64_t mebi = std::int64_t{1} << 20;
  if (!device.is_cuda())
    return {.bytes = memory_rate(device, options, {64 * mebi, 64 * mebi}),
            .flop = product_rate(device, options, {1024, 1024})};
  return {.bytes = memory_rate(device, options, {16 * mebi, 256 * mebi}),
          .flop = product_rate(device, options, {1024, 8192}),
          .link_bytes = link_rate(device, options)};
}

std::shared_ptr<const Rates> session_rates(harness::Setup& setup) {
  return setup.shared<Rates>("rates of " + to_string(setup.device),
                             [&] { return measure_rates(setup.device); });
}

}  // namespace workloads::training
