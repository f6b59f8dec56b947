// CUDA Runtime API, "API synchronization behavior": which copies the host waits for.
#include "tests/stand_in/runtime/probe.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstring>
#include <future>
#include <vector>

namespace {

using namespace stand_in::probe;

constexpr std::size_t small = 1024;
constexpr std::size_t large = 1 << 20;

char first_byte(const Memory& memory) {
  char byte = 0;
  REQUIRE(cudaMemcpy(&byte, memory.data(), 1, cudaMemcpyDeviceToHost) == cudaSuccess);
  return byte;
}

TEST_CASE("a source of pinned memory that is written too early arrives as it was written", "[copies]") {
  // Asynchronous, last rule: "For all other transfers, the function should be fully asynchronous."
  const Stream stream;
  const Memory memory(small);
  const Pinned source(small);
  Gate gate;
  std::memset(source.data(), 1, small);
  launch(stream, gate.waiting());
  REQUIRE(cudaMemcpyAsync(memory.data(), source.data(), small, cudaMemcpyHostToDevice, stream) ==
          cudaSuccess);
  CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
  std::memset(source.data(), 2, small);
  gate.open();
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(first_byte(memory) == 2);
}

TEST_CASE("a small pageable source is read before the call returns", "[copies]") {
  // Rule 3: the driver may "stage the copy into pinned memory"; a small one is staged without waiting for the
  // stream.
  const Stream stream;
  const Memory memory(small);
  std::vector<char> source(small, 1);
  Gate gate;
  launch(stream, gate.waiting());
  REQUIRE(cudaMemcpyAsync(memory.data(), source.data(), small, cudaMemcpyHostToDevice, stream) ==
          cudaSuccess);
  source.assign(small, 2);
  gate.open();
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(first_byte(memory) == 1);
}

TEST_CASE("a large pageable source waits for the stream", "[copies]") {
  // Rule 3: "the driver may synchronize with the stream and stage the copy into pinned memory".
  const Stream stream;
  const Memory memory(large);
  const std::vector<char> source(large, 1);
  Gate gate;
  launch(stream, gate.waiting());
  auto copied = std::async(std::launch::async, [&] {
    cudaMemcpyAsync(memory.data(), source.data(), large, cudaMemcpyHostToDevice, stream);
    return cudaStreamQuery(stream);
  });
  CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
  gate.open();
  copied.get();
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(first_byte(memory) == 1);
}

TEST_CASE("a pageable target is whole when the call returns", "[copies]") {
  // Rule 1: "For transfers between device memory and pageable host memory, the function might be
  // synchronous".
  const Stream stream;
  const Memory memory(large);
  std::vector<char> target(large);
  REQUIRE(cudaMemsetAsync(memory.data(), 7, large, stream) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(target.data(), memory.data(), large, cudaMemcpyDeviceToHost, stream) ==
          cudaSuccess);
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  CHECK(target == std::vector<char>(large, 7));
}

TEST_CASE("a pinned target is garbage until it is waited for", "[copies]") {
  const Stream stream;
  const Memory memory(small);
  const Pinned target(small);
  Gate gate;
  launch(stream, gate.waiting());
  REQUIRE(cudaMemsetAsync(memory.data(), 7, small, stream) == cudaSuccess);
  REQUIRE(cudaMemcpyAsync(target.data(), memory.data(), small, cudaMemcpyDeviceToHost, stream) ==
          cudaSuccess);
  CHECK(target.data()[0] != 7);
  gate.open();
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(target.data()[0] == 7);
}

TEST_CASE("cudaMemcpy between places on the device does not wait", "[copies]") {
  // Synchronous, rule 4: "For transfers from device memory to device memory, no host-side synchronization is
  // performed."
  const Memory from(small);
  const Memory to(small);
  Gate gate;
  launch(cudaStreamLegacy, gate.waiting());
  CHECK(cudaMemcpy(to.data(), from.data(), small, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(cudaStreamQuery(cudaStreamLegacy) == cudaErrorNotReady);
  gate.open();
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("cudaMemset does not wait for device memory", "[copies]") {
  // Memset: "asynchronous with respect to the host except when the target memory is pinned host memory".
  const Memory memory(small);
  Gate gate;
  launch(cudaStreamLegacy, gate.waiting());
  CHECK(cudaMemset(memory.data(), 1, small) == cudaSuccess);
  CHECK(cudaStreamQuery(cudaStreamLegacy) == cudaErrorNotReady);
  gate.open();
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE("a copy of rows moves the rows and nothing between them", "[copies]") {
  const Stream stream;
  const Memory memory(64);
  REQUIRE(cudaMemsetAsync(memory.data(), 0, 64, stream) == cudaSuccess);
  const std::vector<char> source{1, 2, 3, 4, 5, 6};
  REQUIRE(cudaMemcpy2DAsync(memory.data(), 4, source.data(), 3, 2, 2, cudaMemcpyHostToDevice, stream) ==
          cudaSuccess);
  std::vector<char> seen(8);
  REQUIRE(cudaMemcpyAsync(seen.data(), memory.data(), 8, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  CHECK(seen == std::vector<char>{1, 2, 0, 0, 4, 5, 0, 0});
  CHECK(cudaMemcpy2DAsync(memory.data(), 1, source.data(), 3, 2, 2, cudaMemcpyHostToDevice, stream) ==
        cudaErrorInvalidPitchValue);
  cudaGetLastError();
}

TEST_CASE("a batch of copies does each of them and takes no legacy stream", "[copies]") {
  // cudaMemcpyBatchAsync: hStream "Must not be legacy NULL stream".
  const Stream stream;
  const Memory memory(8);
  const std::vector<char> source{1, 2, 3, 4};
  void* to[] = {memory.data(), memory.data() + 4};
  const void* from[] = {source.data(), source.data() + 2};
  const std::size_t sizes[] = {2, 2};
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  std::size_t first = 0;
  CHECK(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, stream) == cudaSuccess);
  std::vector<char> seen(6);
  REQUIRE(cudaMemcpyAsync(seen.data(), memory.data(), 6, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  CHECK(seen[0] == 1);
  CHECK(seen[5] == 4);
  CHECK(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, nullptr) == cudaErrorInvalidValue);
  cudaGetLastError();
}

}  // namespace
