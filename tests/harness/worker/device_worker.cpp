// A worker of its own steps, which fail on a device in each of the ways that must not be held against the
// next row. The tests of the worker on a device start it.
#include "harness/cuda/canary_kernels.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"
#include "harness/libtorch/kineto.hpp"
#include "harness/libtorch/torch_surroundings.hpp"
#include "harness/worker/worker_modes.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace {

using namespace harness;
using namespace harness::worker;

/// Two forms that fill memory of the device.
Trial filling(const Setup& setup) {
  const auto buffer = std::make_shared<DeviceBuffer>(4096);
  const auto fill = [buffer, stream = setup.stream] {
    check(cudaMemsetAsync(buffer->data(), 7, buffer->size(), stream->get()));
  };
  return {.naive = fill,
          .optimized = fill,
          .clear = [buffer] { check(cudaMemset(buffer->data(), 0, buffer->size())); },
          .answer = [buffer](Form) -> Answer {
            std::vector<std::byte> bytes(buffer->size());
            check(cudaMemcpy(bytes.data(), buffer->data(), bytes.size(), cudaMemcpyDeviceToHost));
            return bytes;
          }};
}

Trial prepare_good(Setup& setup, const Point&) { return filling(setup); }

Trial prepare_throwing(Setup& setup, const Point&) {
  auto trial = filling(setup);
  trial.optimized = [] { check(cudaErrorStreamCaptureInvalidated); };
  return trial;
}

/// Memory that is full is a reason to skip, and may leave LibTorch in the middle of something all the same.
Trial prepare_full(Setup& setup, const Point&) {
  auto trial = filling(setup);
  trial.optimized = [] { check(cudaErrorMemoryAllocation); };
  return trial;
}

/// A kernel that writes to memory which was given back is queued behind everything that is waited for.
Trial prepare_late(Setup& setup, const Point&) {
  auto trial = filling(setup);
  trial.figures = [stream = setup.stream]() -> std::vector<Figure> {
    auto* const gone = reinterpret_cast<float*>(DeviceBuffer(std::size_t{64} << 20).data());
    check(queue_canary_kernel(gone, /*blocks=*/1, /*links=*/1, stream->get()));
    return {{"kernels", "", 1, 1}};
  };
  return trial;
}

Trial prepare_recording(Setup& setup, const Point&) {
  auto trial = filling(setup);
  trial.figures = [device = setup.device]() -> std::vector<Figure> {
    Kineto kineto(device);
    kineto.start();
    return {{"recordings", "", 1, 1}};
  };
  return trial;
}

constexpr Step step_of(std::string_view id, Prepare prepare) {
  return {.id = id,
          .claim = "It helps.",
          .source = {},
          .runs = Runs::cuda,
          .prepare = prepare,
          .expectation = {.outcome = Outcome::depends, .published = "no figure"}};
}

}  // namespace

int main() {
  static constexpr Step steps[] = {step_of("test/good", prepare_good),
                                   step_of("test/throwing", prepare_throwing),
                                   step_of("test/full", prepare_full), step_of("test/late", prepare_late),
                                   step_of("test/recording", prepare_recording)};
  std::vector<const Step*> all;
  for (const auto& step : steps) all.push_back(&step);
  return measure_mode(all, torch_ground());
}
