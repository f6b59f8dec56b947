#include "harness/run/find_row.hpp"

#include <stdexcept>
#include <string>

namespace harness::run {

StepAt find_row(Steps steps, std::string_view name, int cuda_index) {
  const Device cpu;
  const Device cuda{Device::Kind::cuda, cuda_index};
  for (const auto* step : steps) {
    if (!name.starts_with(step->id)) continue;
    for (const auto& device : {cpu, cuda}) {
      if (step->runs == (device.is_cuda() ? Runs::host : Runs::cuda)) continue;
      for (auto& point : points(*step, device))
        if (row_name(*step, point, device) == name) return {step, std::move(point), device};
    }
  }
  throw std::out_of_range("the worker has no row '" + std::string(name) +
                          "'; program and worker come from different builds");
}

}  // namespace harness::run
