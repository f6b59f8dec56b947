#include "harness/libtorch/work_counts.hpp"

#include "harness/libtorch/kineto.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <stdexcept>
#include <thread>

namespace {

using harness::count_calls;
using harness::WorkCounts;

TEST_CASE("operators, allocations and their bytes are counted", "[work_counts]") {
  const auto x = at::zeros({16});
  const auto counts = count_calls([&] { x.add(x).add_(x); });
  CHECK(counts.operators == 2);
  CHECK(counts.allocations == 1);
  CHECK(counts.bytes == 64);
}

TEST_CASE("operators that an operator calls count too", "[work_counts]") {
  const auto x = at::zeros({16});
  const auto slice = count_calls([&] { x.slice(0, 0, 4); }).operators;
  CHECK(slice >= 1);
  CHECK(count_calls([&] { x.narrow(0, 0, 4); }).operators == slice + 1);  // narrow is a slice
}

TEST_CASE("a backward pass counts with the work that starts it", "[work_counts]") {
  const auto x = at::ones({16}).requires_grad_(true);
  const auto loss = x.mul(x).sum();
  // ones_like calls others; expand; two products and their sum at least
  CHECK(count_calls([&] { loss.backward(); }).operators > 4);
}

TEST_CASE("copies count by the bytes that they read, and numbers that are read by how many",
          "[work_counts]") {
  const auto x = at::zeros({16});
  const auto y = at::zeros({16}, at::kDouble);
  const auto counts = count_calls([&] {
    y.copy_(x);        // 64 bytes
    x.to(at::kHalf);   // 64 bytes
    x.to(at::kFloat);  // is one already
    y[3].item<double>();
  });
  CHECK(counts.copied_within == 128);
  CHECK(counts.copied_to_device == 0);
  CHECK(counts.copied_from_device == 0);
  CHECK(counts.numbers_read == 1);
}

TEST_CASE("the same work has the same counts", "[work_counts]") {
  const auto x = at::rand({16, 16});
  const auto work = [&] { x.matmul(x).softmax(1); };
  CHECK(count_calls(work) == count_calls(work));
}

TEST_CASE("work that has a profiler on is known, and other work runs as it is", "[work_counts]") {
  const auto x = at::zeros({16});
  int runs = 0;
  CHECK_FALSE(harness::profiles_itself([&] {
    x.exp();
    ++runs;
  }));
  CHECK(runs == 1);
  CHECK(harness::profiles_itself([&] { harness::peak_bytes([&] { x.exp(); }); }));
  CHECK(harness::profiles_itself([&] {
    harness::Kineto kineto(harness::Device{});
    kineto.start();
    x.exp();
  }));
}

TEST_CASE("operators of other threads are noticed, those of a backward pass are not", "[work_counts]") {
  const auto x = at::ones({16}).requires_grad_(true);
  CHECK_FALSE(harness::other_threads_call([&] { x.exp().sum().backward(); }));
  CHECK(harness::other_threads_call([&] { std::thread([&] { x.exp(); }).join(); }));
  CHECK_FALSE(harness::other_threads_call([&] { x.exp(); }));  // nothing is left of those
}

TEST_CASE("counting ends with the work, also where it throws", "[work_counts]") {
  CHECK_THROWS_AS(count_calls([] { throw std::runtime_error("midway"); }), std::runtime_error);
  CHECK(count_calls([] {}) == WorkCounts{});
}

}  // namespace
