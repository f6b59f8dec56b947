#include "workloads/gpt/room.hpp"

#include "harness/support/quantity.hpp"

#include "workloads/gpt/memory.hpp"
#include "workloads/training/largest_batch.hpp"
#include "workloads/tuning/number_options.hpp"

#include <ATen/cuda/CUDAContext.h>
#include <fmt/format.h>

#include <unistd.h>

namespace workloads::gpt {
namespace {

constexpr Shape shape{};

/// Where nobody sets a limit. On a device the forms that are timed need room beside the search's.
double usual_limit(const harness::Device& device) {
  constexpr double on_host = 256 << 20, share = 0.8;
  if (!device.is_cuda()) return on_host;
  const auto index = static_cast<c10::DeviceIndex>(device.index);
  return share * static_cast<double>(at::cuda::getDeviceProperties(index)->totalGlobalMem);
}

/// In bytes.
double memory_limit(const harness::Setup& setup) {
  const auto bytes = tuning::size_option(setup.options, "memory");
  if (!bytes) return usual_limit(setup.device);
  const auto machine =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (!setup.device.is_cuda() && static_cast<double>(*bytes) > machine / 4)
    throw harness::BadInput(
        fmt::format("--memory: {} is more than a quarter of this machine's {}; batches beyond the limit "
                    "are tried as well",
                    harness::memory_text(static_cast<double>(*bytes)), harness::memory_text(machine)));
  return static_cast<double>(*bytes);
}

LargestBatch search(const harness::Device& device, double limit, Keep keep) {
  LargestBatch found{.by_formula = batch_by_formula(shape, limit, keep)};
  found.batch = training::largest_batch(found.by_formula, [&](std::int64_t batch) {
    const auto peak = peak_of_step(device, batch, keep);
    const bool fits = peak > 0 && peak <= limit;
    if (fits) found.peak = peak;
    return fits;
  });
  return found;
}

}  // namespace

Room room_for(harness::Setup& setup) {
  return *setup.shared<Room>("gpt/checkpoint_batch", [&] {
    const auto limit = memory_limit(setup);
    return Room{search(setup.device, limit, Keep::all), search(setup.device, limit, Keep::inputs)};
  });
}

}  // namespace workloads::gpt
