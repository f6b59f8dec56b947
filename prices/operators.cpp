// What LibTorch takes to call an operator that has next to nothing to do, and to bring a number back.

#include "harness/core/slot.hpp"
#include "harness/cuda/device.hpp"
#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/precision.hpp"

#include "prices/price_row.hpp"
#include "prices/priced_machine.hpp"
#include "prices/queued.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <fmt/format.h>

namespace prices {
namespace {

using harness::Device;

at::TensorOptions floats_on(const Device& device) {
  return at::TensorOptions().dtype(at::kFloat).device(harness::torch_device(device));
}

/// One element; on the device the call returns once the kernel is queued.
struct Tiny {
  explicit Tiny(const Device& device)
      : a(at::ones({1}, floats_on(device))), b(at::ones({1}, floats_on(device))), out(at::empty_like(a)) {}
  void add() { at::add_out(out, a, b); }
  at::Tensor a, b, out;
};

void host_add_row(benchmark::State& state) {
  Tiny tiny(Device{});
  for (auto _ : state) tiny.add();
}

/// Of one element, or of a 4 x 4 matrix: what is left is the call. Each stands for operators of its sort.
struct Sorts {
  at::Tensor a = at::ones({1}, floats_on({}));
  at::Tensor b = at::ones({1}, floats_on({}));
  at::Tensor where = at::zeros({1}, at::kLong);
  at::Tensor matrix = at::ones({4, 4}, floats_on({}));
};

template <class Call>
void sort_row(benchmark::State& state, Call call) {
  const Sorts sorts;
  for (auto _ : state) {
    auto tensor = call(sorts);
    benchmark::DoNotOptimize(tensor);
  }
}

void add_sorts() {
  const auto sort = [](const char* name, auto call) {
    add(std::string("prices/dispatch/host/") + name, Clock::host,
        [call](benchmark::State& state) { sort_row(state, call); });
  };
  sort("sum", [](const Sorts& s) { return s.a.sum(); });
  sort("cat", [](const Sorts& s) { return at::cat({s.a, s.b}); });
  sort("index", [](const Sorts& s) { return s.a.index_select(0, s.where); });
  sort("copy", [](const Sorts& s) { return s.a.copy_(s.b); });
  sort("mm", [](const Sorts& s) { return at::mm(s.matrix, s.matrix); });
}

/// An operator that the backward pass has to come back to: noted on the way forward, then visited. The last
/// one's gradient is handed in, and the sums hand on theirs, so that no other operator is called.
void node_row(benchmark::State& state) {
  constexpr int nodes = 256;
  const auto leaf = at::ones({1}, floats_on({})).requires_grad_(true);
  const auto other = at::ones({1}, floats_on({}));
  const auto last = at::ones({1}, floats_on({}));
  sample_calls(state, nodes, [&] {
    return harness::host_seconds([&] {
      auto sum = leaf;
      for (int i = 0; i < nodes; ++i) sum = sum.add(other);
      sum.backward(last);
    });
  });
}

void empty_row(benchmark::State& state) {
  const auto options = floats_on({});
  for (auto _ : state) {
    auto tensor = at::empty({1}, options);
    benchmark::DoNotOptimize(tensor);
  }
}

void view_row(benchmark::State& state) {
  const auto tensor = at::ones({2, 2}, floats_on({}));
  for (auto _ : state) {
    auto row = tensor.select(0, 0);
    benchmark::DoNotOptimize(row);
  }
}

void item_row(benchmark::State& state, const Device& device) {
  const auto tensor = at::ones({1}, floats_on(device));
  for (auto _ : state) {
    auto value = tensor.item<float>();
    benchmark::DoNotOptimize(value);
  }
}

/// The host's time of a call. So few are queued at once that none has to wait for the device.
void device_add_row(benchmark::State& state, const Machine& machine) {
  constexpr int calls = 64;
  Tiny tiny(machine.device);
  tiny.add();
  machine.stream->synchronize();
  sample_calls(state, calls, [&] {
    const double seconds = harness::host_seconds([&] {
      for (int i = 0; i < calls; ++i) tiny.add();
    });
    machine.stream->synchronize();
    return seconds;
  });
}

// Matrix products by type and size: how much arithmetic the host and the device can do.

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

void add_operators(const Machine& machine) {
  add("prices/dispatch/host/add", Clock::host, host_add_row);
  add("prices/dispatch/host/node", Clock::own, node_row);
  add("prices/dispatch/host/empty", Clock::host, empty_row);
  add("prices/dispatch/host/view", Clock::host, view_row);
  add("prices/dispatch/host/item", Clock::host, [](auto& state) { item_row(state, {}); });
  add_sorts();
  if (!machine.has_cuda()) return;
  add("prices/dispatch/device/add", Clock::own, [machine](auto& state) { device_add_row(state, machine); });
  add("prices/dispatch/device/item", Clock::host,
      [device = machine.device](auto& state) { item_row(state, device); });
}

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
