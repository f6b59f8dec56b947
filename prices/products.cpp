// Matrix products by type and size: how much arithmetic the host and the device can do.
#include "harness/cuda/device.hpp"
#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/precision.hpp"

#include "prices/machine.hpp"
#include "prices/queued.hpp"
#include "prices/row.hpp"

#include <cuda_runtime_api.h>

#include <ATen/ATen.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <fmt/format.h>

#include <initializer_list>
#include <string_view>

namespace prices {
namespace {

struct NumberType {
  std::string_view name;
  at::ScalarType type;
  const char* precision;  // of FP32 products: "highest" is FP32, "high" is TF32
};
constexpr NumberType fp32{"fp32", at::kFloat, "highest"};
constexpr NumberType tf32{"tf32", at::kFloat, "high"};
constexpr NumberType fp16{"fp16", at::kHalf, "highest"};
constexpr NumberType bf16{"bf16", at::kBFloat16, "highest"};

/// out = a b, all n x n, of random numbers: a device draws less power, and runs faster, on equal ones.
struct Product {
  Product(const NumberType& type, const harness::Device& device, std::int64_t n) {
    const auto options = at::TensorOptions().dtype(type.type).device(harness::torch_device(device));
    a = at::randn({n, n}, options);
    b = at::randn({n, n}, options);
    out = at::empty({n, n}, options);
  }
  void multiply() { at::mm_out(out, a, b); }
  at::Tensor a, b, out;
};

/// 2 n^3: a multiplication and an addition for each of n^3 pairs.
void count_flop(benchmark::State& state, std::int64_t n) {
  const auto size = static_cast<double>(n);
  state.counters["FLOP/s"] =
      benchmark::Counter(2 * size * size * size, benchmark::Counter::kIsIterationInvariantRate);
}

void host_row(benchmark::State& state, const NumberType& type, std::int64_t n) {
  const harness::MatmulPrecision set(type.precision);
  Product product(type, {}, n);
  product.multiply();
  for (auto _ : state) product.multiply();
  count_flop(state, n);
}

void device_row(benchmark::State& state, const Machine& machine, const NumberType& type, std::int64_t n) {
  constexpr int calls = 8;
  const harness::MatmulPrecision set(type.precision);
  {
    Product product(type, machine.device, n);
    product.multiply();
    machine.stream->synchronize();
    // Behind a gate: small ones are shorter than their launch.
    sample_queued(state, calls, *machine.stream, [&] { product.multiply(); });
  }
  c10::cuda::CUDACachingAllocator::emptyCache();  // the rows without LibTorch need the room
  count_flop(state, n);
}

bool has_tf32(int device) {
  return harness::device_attribute(cudaDevAttrComputeCapabilityMajor, device) >= 8;
}

void add_on_host(const NumberType& type, std::initializer_list<std::int64_t> sizes) {
  for (const auto n : sizes)
    add(fmt::format("prices/product/host/{}/n:{}", type.name, n), Clock::host,
        [type, n](benchmark::State& state) { host_row(state, type, n); });
}

void add_on_device(const Machine& machine, const NumberType& type) {
  for (const std::int64_t n : {512, 1024, 2048, 4096, 8192})
    if (static_cast<std::size_t>(n * n) * 3 * sizeof(float) <= machine.device_bytes)
      add(fmt::format("prices/product/device/{}/n:{}", type.name, n), Clock::own,
          [machine, type, n](benchmark::State& state) { device_row(state, machine, type, n); });
}

}  // namespace

void add_products(const Machine& machine) {
  add_on_host(fp32, {128, 512, 2048});
  // Many processors have no arithmetic of 16 bits: what takes its place can be very slow.
  add_on_host(bf16, {128, 512});
  add_on_host(fp16, {128, 512});
  if (!machine.has_cuda()) return;
  add_on_device(machine, fp32);
  if (has_tf32(machine.device.index)) add_on_device(machine, tf32);
  add_on_device(machine, fp16);
  add_on_device(machine, bf16);
}

}  // namespace prices
