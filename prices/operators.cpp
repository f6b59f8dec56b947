// What LibTorch takes to call an operator that has next to nothing to do, and to bring a number back.
#include "harness/core/wall_clock.hpp"
#include "harness/libtorch/answer.hpp"

#include "prices/machine.hpp"
#include "prices/row.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <string>

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

}  // namespace prices
