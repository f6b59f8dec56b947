#include "harness/machine/clock_events.hpp"

namespace harness::inline machine {

ClockEvents::ClockEvents(const std::string& bus_id, const std::string& library)
    : library_(load_nvml(library)) {
  begun_ = library_ && call_nvml(library_, "nvmlInit_v2") == nvml_success;
  if (begun_)
    device_ =
        ask_nvml<NvmlDevice*>(library_, "nvmlDeviceGetHandleByPciBusId_v2", bus_id.c_str()).value_or(nullptr);
}

ClockEvents::~ClockEvents() {
  if (begun_) call_nvml(library_, "nvmlShutdown");
}

std::optional<std::uint64_t> ClockEvents::now() const {
  if (device_ == nullptr) return std::nullopt;
  return clock_events_of(library_, device_);
}

}  // namespace harness::inline machine
