#include "microbench/dataload/pinning.hpp"

#include "tests/gpu/require_device.hpp"

#include "harness/libtorch/torch_runtime.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

namespace {

using namespace harness;
using namespace microbench;

TEST_CASE("the kernel beside a pinned batch is timed on numbers", "[gpu][dataload]") {
  require_device();
  TorchRuntime torch(1);
  Setup setup;
  setup.device = {Device::Kind::cuda, 0};
  setup.stream = torch.stream_for(setup.device);
  // What the epoch gets from LibTorch's allocator is this block again, of which nobody clears anything.
  at::full({1 << 18}, NAN, at::TensorOptions().device(at::kCUDA));
  PinningEpoch epoch(2, std::size_t{1} << 20, setup);
  CHECK(rounds_as_long_as_pinning(epoch) >= 1);
  CHECK(at::isfinite(epoch.on_device()).all().item<bool>());
}

}  // namespace
