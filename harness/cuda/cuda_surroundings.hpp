// Rows on CUDA devices: streams, events, canaries.
#pragma once

#include "harness/cuda/stream.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/support/field.hpp"
#include "harness/worker/surroundings.hpp"

namespace harness::inline cuda {

/// Without LibTorch. CUDA is touched at the first CUDA row only.
class CudaSurroundings : public worker::Surroundings {
 public:
  const Stream* stream_for(const Device& device) override;
  void finish(const Device& device) override;
  std::shared_ptr<const void> spacer(const Device& device, Random& random) override;
  Fault fault_of(const std::exception& error, const Device& device) override;
  Measurement measure(const std::array<Trial, 2>& sets, const Setup& setup,
                      const worker::Order& order) override;
  std::shared_ptr<const void> range(const std::string& name) override;
  std::string bus_id(const Device& device) override;
  std::function<worker::DeviceCanary()> canary(const Stream& stream) override;

 private:
  int index_ = -1;
  std::unique_ptr<const Stream> stream_;  // of the device `index_`
};

/// The devices of this machine, as `--probe` tells of them.
Json cuda_facts(const Device& device, const BuildInfo& build);

/// CUDA without LibTorch.
worker::Ground cuda_ground();

}  // namespace harness::inline cuda
