#include "harness/cuda/graph.hpp"

#include "tests/gpu/require_device.hpp"

#include "harness/cuda/pageable_pinned_device_buffers.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <stdexcept>
#include <vector>

namespace {

using namespace harness;
using Catch::Matchers::ContainsSubstring;

constexpr std::size_t size = 64;

void fill(const DeviceBuffer& buffer, int value, const Stream& stream) {
  check(cudaMemsetAsync(buffer.data(), value, buffer.size(), stream.get()));
}

std::vector<std::byte> read(const DeviceBuffer& buffer, const Stream& stream) {
  std::vector<std::byte> bytes(buffer.size());
  check(cudaMemcpyAsync(bytes.data(), buffer.data(), bytes.size(), cudaMemcpyDeviceToHost, stream.get()));
  stream.synchronize();
  return bytes;
}

bool in_capture(const Stream& stream) {
  cudaStreamCaptureStatus status{};
  check(cudaStreamIsCapturing(stream.get(), &status));
  return status != cudaStreamCaptureStatusNone;
}

TEST_CASE("a capture runs nothing and notes every command down", "[gpu][graph]") {
  require_device();
  const Stream stream;
  const DeviceBuffer buffer(size);
  fill(buffer, 1, stream);
  const Graph graph(stream, [&] {
    fill(buffer, 2, stream);
    fill(buffer, 3, stream);
  });
  CHECK(graph.nodes() == 2);
  CHECK(read(buffer, stream) == std::vector(size, std::byte{1}));
}

TEST_CASE("every launch runs the captured work, also when the graph has gone", "[gpu][graph]") {
  require_device();
  const Stream stream;
  const DeviceBuffer buffer(size);
  const GraphExec graph(Graph(stream, [&] { fill(buffer, 2, stream); }));
  graph.upload(stream);
  for (int i = 0; i < 2; ++i) {
    fill(buffer, 1, stream);
    graph.launch(stream);
    CHECK(read(buffer, stream) == std::vector(size, std::byte{2}));
  }
}

TEST_CASE("an exception inside a capture leaves it, and the stream works on", "[gpu][graph]") {
  require_device();
  const Stream stream;
  const DeviceBuffer buffer(size);
  const auto leave = [&] {
    fill(buffer, 2, stream);
    throw std::runtime_error("no");
  };
  CHECK_THROWS_WITH(Graph(stream, leave), "no");
  CHECK_FALSE(in_capture(stream));
  fill(buffer, 3, stream);
  CHECK(read(buffer, stream) == std::vector(size, std::byte{3}));
}

TEST_CASE("waiting inside a capture is refused, and the stream works on", "[gpu][graph]") {
  require_device();
  const Stream stream;
  const DeviceBuffer buffer(size);
  const auto wait = [&] {
    fill(buffer, 2, stream);
    stream.synchronize();
  };
  CHECK_THROWS_WITH(Graph(stream, wait), ContainsSubstring("cudaErrorStreamCaptureUnsupported"));
  CHECK_FALSE(in_capture(stream));
  fill(buffer, 3, stream);
  CHECK(read(buffer, stream) == std::vector(size, std::byte{3}));
}

}  // namespace
