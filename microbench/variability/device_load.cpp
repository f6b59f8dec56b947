#include "microbench/variability/device_load.hpp"

#include "harness/cuda/check.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include "microbench/overlap/overlap_work.hpp"

namespace microbench {
namespace {

constexpr std::size_t device_bytes = 64 << 20;
// So few that a kernel takes less than the pause in Neighbours::rest(), on a seventh of a device as well.
constexpr int rounds = 8;

/// A source gets no more than a number, so that the device is a part of its name.
template <int device>
void load(std::int64_t index, std::span<std::byte> out) {
  harness::check(cudaSetDevice(device));
  const harness::Stream stream;
  const harness::DeviceBuffer values(device_bytes);
  harness::check(cudaMemsetAsync(values.data(), 0, device_bytes, stream.get()));
  const std::size_t kernels = index == 0 ? 1 : out.size();
  for (std::size_t i = 0; i < kernels; ++i) {
    harness::check(queue_work(reinterpret_cast<float*>(values.data()), device_bytes / sizeof(float), rounds,
                              stream.get()));
    stream.synchronize();
  }
  std::memcpy(out.data(), &index, std::min(sizeof index, out.size()));
}

}  // namespace

std::span<const harness::BatchSource> device_loads() {
  static constexpr harness::BatchSource all[] = {
      {"variability/device_0", load<0>}, {"variability/device_1", load<1>}, {"variability/device_2", load<2>},
      {"variability/device_3", load<3>}, {"variability/device_4", load<4>}, {"variability/device_5", load<5>},
      {"variability/device_6", load<6>}, {"variability/device_7", load<7>}};
  return all;
}

}  // namespace microbench
