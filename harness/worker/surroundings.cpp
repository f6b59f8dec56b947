#include "harness/worker/surroundings.hpp"

#include "harness/core/wall_clock.hpp"

namespace harness::worker {
namespace {

/// A row on a device never gets here: the probe has said that there is none.
[[noreturn]] void no_device() { throw std::logic_error("this program was built without CUDA"); }

std::unique_ptr<Surroundings> open_host(int) { return std::make_unique<Surroundings>(); }

Json host_facts(const Device&, const BuildInfo&) {
  return {{"cuda", {{"status", "no device"}, {"message", "this program was built without CUDA"}}},
          {"devices", 0},
          {"gpu", nullptr},
          {"cuda_driver", nullptr},
          {"cuda_runtime", nullptr},
          {"libtorch", nullptr},
          {"cpu_capability", nullptr}};
}

}  // namespace

const Stream* Surroundings::stream_for(const Device& device) {
  if (device.is_cuda()) no_device();
  return nullptr;
}

void Surroundings::finish(const Device& device) {
  if (device.is_cuda()) no_device();
}

std::shared_ptr<const void> Surroundings::spacer(const Device&, Random& random) {
  constexpr std::size_t page = 4096;
  constexpr std::size_t most_pages = 256;
  return std::make_shared<std::byte[]>(page * (1 + random.below(most_pages)));
}

Trial Surroundings::prepare(const run::StepAt& found, Setup& setup) {
  return found.step->prepare(setup, found.point);
}

Fault Surroundings::fault_of(const std::exception& error, const Device& device) {
  return host_fault(error, device);
}

Measurement Surroundings::measure(const std::array<Trial, 2>& sets, const Setup&, const Order& order) {
  if (sets[0].timer == Timer::event) throw std::logic_error("the step requests CUDA events on the host");
  return carry_out(order, WallClock(), sets);
}

std::shared_ptr<const void> Surroundings::watch_host(const std::string&) { return nullptr; }

std::shared_ptr<const void> Surroundings::range(const std::string&) { return nullptr; }

std::string Surroundings::bus_id(const Device&) { no_device(); }

std::function<DeviceCanary()> Surroundings::canary(const Stream&) { no_device(); }

void Surroundings::profile(results::Row&, const run::StepAt&, Setup&, const run::ProfilePlan&,
                           const Walked&) {
  throw std::logic_error("this program was built without PyTorch's profiler");
}

Ground host_ground() { return {open_host, host_facts}; }

}  // namespace harness::worker
