#include "harness/libtorch/torch_runtime.hpp"

#include "tests/gpu/require_device.hpp"
#include "tests/gpu/stand_in_record.hpp"

#include "harness/cuda/check.hpp"

#include <ATen/ATen.h>
#include <ATen/core/CachingHostAllocator.h>
#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>

namespace {

using namespace harness;

constexpr Device cuda{Device::Kind::cuda, 0};
constexpr std::int64_t mib = std::int64_t{1} << 20;

std::size_t free_on_device() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total));
  return free;
}

std::int64_t pinned() { return at::getHostAllocator(at::kCUDA)->get_stats().allocated_bytes.current; }

TEST_CASE("between two rows LibTorch keeps neither device memory nor pinned memory", "[gpu][torch_runtime]") {
  require_device();
  TorchRuntime torch(1);
  torch.stream_for(cuda);
  const auto free_before = free_on_device();
  const auto pinned_before = pinned();
  {
    const auto on_device = at::zeros({64 * mib}, at::TensorOptions().dtype(at::kByte).device(at::kCUDA));
    const auto on_host = at::empty({64 * mib}, at::TensorOptions().dtype(at::kByte).pinned_memory(true));
    CHECK(pinned() > pinned_before);
  }
  check(cudaDeviceSynchronize());
  torch.release_memory();
  CHECK(pinned() == pinned_before);
  CHECK(free_on_device() + 32 * mib > free_before);  // others may use the device meanwhile
}

TEST_CASE("a spacer on a device holds memory of the driver's, by the seed", "[gpu][torch_runtime]") {
  require_device();
  TorchRuntime torch(1);
  torch.stream_for(cuda);
  std::set<std::size_t> taken;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    torch.release_memory();
    const auto before = free_on_device();
    Random random(seed);
    const auto held = spacer(cuda, random);
    taken.insert(before - free_on_device());
  }
  CHECK(*taken.begin() >= 4 * mib);  // a small segment of LibTorch's, and at least 2 MiB
  CHECK(taken.size() > 3);
}

TEST_CASE("alone: a spacer on a device", "[.alone]") {
  TorchRuntime torch(1);
  torch.stream_for(cuda);
  Random random(7);
  CHECK(spacer(cuda, random) != nullptr);
}

TEST_CASE("a spacer pins nothing: the driver would serve a row's small pinned block out of the same 2 MiB",
          "[gpu][torch_runtime]") {
  if (has_times(require_device())) SKIP("needs the stand-in, which records calls");
  const StandInRecord calls;
  const auto program = std::filesystem::read_symlink("/proc/self/exe").string();
  const auto command = calls.variable("STAND_IN_CALLS") + " '" + program + "' 'alone: a spacer on a device'";
  CHECK(pclose(popen(command.c_str(), "w")) == 0);
  CHECK(calls.text().find("\"cudaMalloc\"") != std::string::npos);
  CHECK(calls.text().find("cudaMallocHost") == std::string::npos);
  CHECK(calls.text().find("cudaHostAlloc") == std::string::npos);
}

TEST_CASE("a spacer on the host draws once", "[torch_runtime]") {
  Random drawn(7);
  const auto held = spacer({}, drawn);
  Random other(7);
  other.below(256);
  CHECK(held != nullptr);
  CHECK(drawn.below(1 << 30) == other.below(1 << 30));
}

}  // namespace
