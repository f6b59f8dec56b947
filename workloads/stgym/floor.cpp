#include "workloads/stgym/floor.hpp"

#include "harness/cuda/check.hpp"
#include "harness/torch/answer.hpp"
#include "harness/torch/matmul_precision.hpp"

#include "workloads/stgym/products.hpp"

#include <cuda_runtime_api.h>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <chrono>
#include <functional>

namespace workloads::stgym {
namespace {

constexpr double number = sizeof(float);

/// Inputs and outputs of every linear layer behind the first, in floats a node.
struct Widths {
  double products = 0;    // sum of inputs * outputs
  double outputs = 0;     // sum of outputs
  double parameters = 0;  // of all layers, the first too
};

Widths widths_of(const ModelShape& shape) {
  Widths all;
  const auto add = [&](std::int64_t inputs, std::int64_t outputs) {
    all.products += static_cast<double>(inputs * outputs);
    all.outputs += static_cast<double>(outputs);
    all.parameters += static_cast<double>((inputs + 1) * outputs);
  };
  add(shape.hidden, shape.hidden);
  add(shape.hidden, shape.clusters);
  auto width = shape.clusters;
  for (const auto next : shape.post_hidden) {
    add(width, next);
    width = next;
  }
  add(width, shape.classes);
  all.parameters += static_cast<double>((shape.features + 1) * shape.hidden);
  return all;
}

/// Multiplications and additions of S'h and S'S.
double pooling_flop(const ModelShape& shape) {
  return 2 * static_cast<double>(shape.clusters * (shape.hidden + shape.clusters));
}

double first_layer_flop(const ModelShape& shape) {
  return 2 * static_cast<double>(shape.features * shape.hidden);
}

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

}  // namespace

Work training_work(const ModelShape& shape, double nodes) {
  const auto widths = widths_of(shape);
  const auto features = static_cast<double>(shape.features);
  const auto activations = static_cast<double>(shape.hidden) + widths.outputs;
  constexpr double adam = 8;  // times a parameter is read or written
  constexpr double label = 8;
  // Three products a layer, two of the first, whose input needs no gradient; S'h has no gradient here.
  return {
      nodes * (2 * number * features + 2 * number * activations + label) + adam * number * widths.parameters,
      nodes * (2 * first_layer_flop(shape) + 3 * 2 * widths.products + 2 * pooling_flop(shape))};
}

Work prediction_work(const ModelShape& shape, double nodes) {
  const auto widths = widths_of(shape);
  constexpr double label = 8;
  return {nodes * (number * static_cast<double>(shape.features) + label) + number * widths.parameters,
          nodes * (first_layer_flop(shape) + 2 * widths.products + pooling_flop(shape))};
}

Rates measure_rates(const harness::Device& device) {
  const c10::NoGradGuard no_gradients;
  const harness::MatmulPrecision highest("highest");
  const auto options = at::TensorOptions().dtype(at::kFloat).device(harness::torch_device(device));
  const std::int64_t length = std::int64_t{1} << (device.is_cuda() ? 28 : 26);
  const std::int64_t n = device.is_cuda() ? 8192 : 1024;
  Rates rates;
  {
    const auto from = at::ones({length}, options);
    const auto to = at::zeros({length}, options);
    const auto bytes = number * static_cast<double>(length);
    rates.bytes = std::max(2 * bytes / seconds(device, [&] { to.copy_(from); }),
                           bytes / seconds(device, [&] { at::sum(from); }));
  }
  const auto a = at::randn({n, n}, options);
  const auto b = at::randn({n, n}, options);
  auto least = seconds(device, [&] { at::mm(a, b); });
  if (onednn_multiplies(a)) least = std::min(least, seconds(device, [&] { onednn_linear(a, b, {}); }));
  rates.flop = 2 * static_cast<double>(n * n * n) / least;
  return rates;
}

std::vector<harness::Figure> floor_figures(const Trainer& trainer, TimedUnit unit, const Rates& rates) {
  const auto extent = trainer.extent();
  const auto predicted = prediction_work(extent.shape, extent.validation_nodes);
  auto work = unit == TimedUnit::eval ? predicted : training_work(extent.shape, extent.training_nodes);
  if (unit == TimedUnit::step) {
    const auto batches = static_cast<double>(trainer.batches_per_epoch());
    work = training_work(extent.shape, extent.training_nodes / batches);
  }
  if (unit == TimedUnit::epoch) {
    work.bytes += predicted.bytes;
    work.flop += predicted.flop;
  }
  constexpr double giga = 1e9;
  const auto both = [](const char* name, const char* of, double value) {
    return harness::Figure{name, of, value, value};
  };
  return {both("floor: bytes to move", "B", work.bytes),
          both("floor: memory measured here", "GB/s", rates.bytes / giga),
          both("floor: arithmetic to do", "GFLOP", work.flop / giga),
          both("floor: FP32 products measured here", "GFLOP/s", rates.flop / giga),
          both("floor", "s", std::max(work.bytes / rates.bytes, work.flop / rates.flop))};
}

}  // namespace workloads::stgym
