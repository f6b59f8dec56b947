// When operators run, and what shows where a program does not wait.
#include "tests/stand_in/operators/held_stream.hpp"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <catch2/catch_test_macros.hpp>

#include <thread>
#include <vector>

namespace {

using at::Tensor;
using stand_in::operators::HeldStream;

const auto on_device = at::TensorOptions().device(at::kCUDA);

/// Makes a stream of LibTorch's pool current.
struct SideStream {
  c10::cuda::CUDAStream stream = c10::cuda::getStreamFromPool();
  c10::cuda::CUDAStreamGuard guard{stream};
};

TEST_CASE("an operator is queued: the program goes on before it has run", "[stand_in][operators]") {
  const SideStream side;
  const auto a = at::arange(6, on_device).view({2, 3});
  HeldStream held(side.stream.stream());
  const auto product = at::mm(a.to(at::kFloat), a.t().to(at::kFloat)).softmax(1).sum();
  CHECK_FALSE(side.stream.query());
  held.release();
  CHECK(product.item<float>() == 2);
}

TEST_CASE("what is queued when the process exits is dropped without a word", "[stand_in][operators]") {
  // The process of this test ends with it: ctest fails where the device then says that it failed.
  auto a = at::ones({300, 300}, on_device);
  for (int i = 0; i < 200; ++i) a = at::mm(a, a).softmax(1);
  CHECK(a.is_cuda());
}

TEST_CASE("what a library made when work first ran lasts as long as work runs", "[stand_in][operators]") {
  // The process of this test ends with work of oneDNN's, whose kernels lie where the first gelu put them.
  auto a = at::ones({16, 16}, on_device);
  for (int i = 0; i < 5000; ++i) a = at::gelu(a);
  CHECK(a.is_cuda());
}

TEST_CASE("new memory is NaN until it is written, in the order of its stream", "[stand_in][operators]") {
  CHECK(at::empty({1000}, on_device).isnan().all().item<bool>());
  CHECK(at::empty_strided({3, 2}, {1, 3}, on_device).isnan().all().item<bool>());
  CHECK(at::zeros({1000}, on_device).sum().item<float>() == 0);
}

TEST_CASE("a result that another stream reads without waiting is not the result", "[stand_in][operators]") {
  const auto ones = at::ones({64}, on_device);
  c10::cuda::device_synchronize();
  const SideStream producer;
  HeldStream held(producer.stream.stream());
  const auto twos = ones + ones;
  const SideStream reader;
  const auto seen = twos.to(at::kCPU);
  held.release();
  CHECK_FALSE(at::equal(seen, at::full({64}, 2.0)));
  CHECK(at::equal(twos.to(at::kCPU), at::full({64}, 2.0)));
}

/// What a held stream reads of a tensor that was freed, and whose memory a new one got.
Tensor read_after_free(bool recorded) {
  const auto reader = c10::cuda::getStreamFromPool();
  const SideStream owner;
  auto freed = at::ones({4096}, on_device);
  at::cuda::CUDAEvent written;
  written.record(owner.stream);
  HeldStream held(reader.stream());
  Tensor seen;
  {
    const c10::cuda::CUDAStreamGuard guard(reader);
    written.block(reader);
    seen = freed * 1;
  }
  if (recorded) freed.record_stream(reader);
  freed.reset();
  const auto next = at::empty({4096}, on_device);
  C10_CUDA_CHECK(cudaStreamSynchronize(owner.stream.stream()));
  held.release();
  return seen.to(at::kCPU);
}

TEST_CASE("memory that is freed while another stream reads it is overwritten, unless recordStream keeps it",
          "[stand_in][operators]") {
  CHECK(read_after_free(false).isnan().all().item<bool>());
  CHECK(at::equal(read_after_free(true), at::ones({4096})));
}

/// True where PyTorch's synchronization debugging objects to the work.
template <class Work>
bool waits(const Work& work) {
  c10::cuda::warning_state().set_sync_debug_mode(c10::cuda::SyncDebugMode::L_ERROR);
  bool thrown = false;
  try {
    work();
  } catch (const c10::Error&) {
    thrown = true;
  }
  c10::cuda::warning_state().set_sync_debug_mode(c10::cuda::SyncDebugMode::L_DISABLED);
  return thrown;
}

TEST_CASE("an operator waits exactly where PyTorch's does on CUDA", "[stand_in][operators]") {
  const auto x = at::rand({8, 8}, on_device);
  const auto rows = at::arange(8, on_device.dtype(at::kLong));
  CHECK(waits([&] { x.nonzero(); }));
  CHECK(waits([&] { x.masked_select(x > 0); }));
  CHECK(waits([&] { x.index({x > 0}); }));
  CHECK(waits([&] { x.sum().item(); }));
  CHECK(waits([&] { at::equal(x, x); }));
  CHECK(waits([&] { rows.bincount(); }));
  CHECK_FALSE(waits([&] { x.index({rows}); }));
  CHECK_FALSE(waits([&] { x.index_select(0, rows).scatter_add_(0, rows.view({1, 8}), x); }));
  CHECK_FALSE(waits([&] { std::get<0>(at::masked_fill(x, x > 0, 1).sort()).cumsum(0); }));
  CHECK_FALSE(waits([&] { at::conv2d(x.view({1, 1, 8, 8}), at::ones({2, 1, 3, 3}, on_device)); }));
  CHECK_FALSE(waits([&] { at::layer_norm(at::embedding(x, rows), {8}).relu_(); }));
  CHECK_FALSE(waits([&] { at::repeat_interleave(rows, rows, 0, 28); }));
}

TEST_CASE("several threads that queue on one stream get what they asked for", "[stand_in][operators]") {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([t, &wrong] {
      const auto n = static_cast<std::int64_t>(50 + t);
      for (int i = 0; i < 20; ++i) {
        const auto x = at::arange(n, on_device.dtype(at::kLong));
        const auto odd = x.masked_select(x.remainder(2) == 1);
        wrong[t] += x.index_select(0, odd).sum().item<std::int64_t>() == (n / 2) * (n / 2) ? 0 : 1;
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(4));
}

}  // namespace
