#include "harness/cuda/cuda_surroundings.hpp"

#include "harness/core/slot.hpp"
#include "harness/cuda/cuda_canary.hpp"
#include "harness/cuda/cuda_fault.hpp"
#include "harness/cuda/device.hpp"
#include "harness/cuda/event.hpp"
#include "harness/cuda/nvtx.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"

namespace harness::inline cuda {
namespace {

std::unique_ptr<worker::Surroundings> open_cuda(int) { return std::make_unique<CudaSurroundings>(); }

}  // namespace

const Stream* CudaSurroundings::stream_for(const Device& device) {
  if (!device.is_cuda()) return nullptr;
  if (index_ != device.index) {
    check(cudaSetDevice(device.index));
    stream_ = std::make_unique<const Stream>();
    index_ = device.index;
  }
  return stream_.get();
}

void CudaSurroundings::finish(const Device& device) {
  if (device.is_cuda()) check(cudaDeviceSynchronize());
}

std::shared_ptr<const void> CudaSurroundings::spacer(const Device& device, Random& random) {
  auto on_host = Surroundings::spacer(device, random);
  if (!device.is_cuda()) return on_host;
  using Both = std::pair<std::shared_ptr<const void>, DeviceSpacer>;
  return std::make_shared<const Both>(std::move(on_host), DeviceSpacer(random));
}

Fault CudaSurroundings::fault_of(const std::exception& error, const Device& device) {
  return device_fault(error, device);
}

Measurement CudaSurroundings::measure(const std::array<Trial, 2>& sets, const Setup& setup,
                                      const worker::Order& order) {
  if (!setup.device.is_cuda()) return Surroundings::measure(sets, setup, order);
  if (sets[0].timer == Timer::event) return worker::carry_out(order, EventClock(*setup.stream), sets);
  return worker::carry_out(order, WallClock([] { check(cudaDeviceSynchronize()); }), sets);
}

std::shared_ptr<const void> CudaSurroundings::range(const std::string& name) {
  return std::make_shared<const NvtxRange>(name);
}

std::string CudaSurroundings::bus_id(const Device& device) {
  std::array<char, 32> id{};
  check(cudaDeviceGetPCIBusId(id.data(), static_cast<int>(id.size()), device.index));
  return id.data();
}

std::function<worker::DeviceCanary()> CudaSurroundings::canary(const Stream& stream) {
  return [canary = std::make_shared<GpuCanary>(stream)]() -> worker::DeviceCanary {
    const auto times = canary->run();
    return {times.compute, times.copy};
  };
}

Json cuda_facts(const Device& device, const BuildInfo& build) {
  const auto facts = probe_device(device.index, std::string(build.cuda_architectures));
  Json json;
  json["cuda"] = {{"status", facts.status}, {"message", facts.message}};
  json["devices"] = facts.count;
  json["gpu"] = nullptr;
  if (!facts.name.empty())
    json["gpu"] = {{"name", facts.name},
                   {"compute_capability", facts.compute_capability},
                   {"multiprocessors", facts.multiprocessors},
                   {"copy_engines", facts.copy_engines},
                   {"memory_bytes", facts.memory_bytes}};
  json["cuda_driver"] = facts.driver_api.empty() ? Json(nullptr) : Json(facts.driver_api);
  json["cuda_runtime"] = facts.runtime;
  json["libtorch"] = nullptr;
  json["cpu_capability"] = nullptr;
  return json;
}

worker::Ground cuda_ground() { return {open_cuda, cuda_facts}; }

}  // namespace harness::inline cuda
