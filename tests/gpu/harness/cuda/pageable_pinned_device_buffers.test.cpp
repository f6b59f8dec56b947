#include "harness/cuda/pageable_pinned_device_buffers.hpp"

#include "tests/gpu/require_device.hpp"

#include "harness/cuda/event.hpp"
#include "harness/cuda/require_device_memory.hpp"
#include "harness/cuda/stream.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <concepts>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using namespace harness;

template <class Place>
cudaMemoryType place_of(const Buffer<Place>& buffer) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, buffer.data()));
  return attributes.type;
}

TEST_CASE("the driver agrees where each buffer lives", "[gpu][buffer]") {
  require_device();
  CHECK(place_of(PageableBuffer(4096)) == cudaMemoryTypeUnregistered);
  CHECK(place_of(PinnedBuffer(4096)) == cudaMemoryTypeHost);
  CHECK(place_of(WriteCombinedBuffer(4096)) == cudaMemoryTypeHost);
  CHECK(place_of(MappedBuffer(4096)) == cudaMemoryTypeHost);
  CHECK(place_of(DeviceBuffer(4096)) == cudaMemoryTypeDevice);
}

TEMPLATE_TEST_CASE("kernels reach pinned memory by the host's address", "[gpu][buffer]", PinnedBuffer,
                   MappedBuffer) {
  require_device();
  const TestType buffer(4096);
  void* there = nullptr;
  check(cudaHostGetDevicePointer(&there, buffer.data(), 0));
  CHECK(there == buffer.data());
}

TEST_CASE("write-combined memory is of that kind", "[gpu][buffer]") {
  require_device();
  const WriteCombinedBuffer buffer(4096);
  unsigned flags = 0;
  check(cudaHostGetFlags(&flags, buffer.data()));
  CHECK((flags & cudaHostAllocWriteCombined) != 0);
}

TEMPLATE_TEST_CASE("a buffer that is moved takes its bytes along", "[gpu][buffer]", PageableBuffer,
                   PinnedBuffer, DeviceBuffer) {
  require_device();
  TestType first(100);
  const auto* address = first.data();
  TestType second = std::move(first);
  CHECK(second.data() == address);
  CHECK(second.size() == 100);
  CHECK(first.size() == 0);
  TestType third(200);
  third = std::move(second);
  CHECK(third.data() == address);
}

TEMPLATE_TEST_CASE("a buffer of no bytes is refused", "[gpu][buffer]", PageableBuffer, PinnedBuffer,
                   DeviceBuffer) {
  require_device();
  CHECK_THROWS_AS(TestType(0), std::invalid_argument);
}

TEST_CASE("device memory that goes away is free again", "[gpu][buffer]") {
  require_device();
  const auto free_now = [] {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total));
    return free;
  };
  constexpr std::size_t size = 256 << 20;
  const auto before = free_now();
  {
    const DeviceBuffer held(size);
    CHECK(free_now() < before - size / 2);  // half: others may use the device meanwhile
  }
  CHECK(free_now() > before - size / 2);
}

TEST_CASE("bytes survive the way to the device and back", "[gpu][buffer]") {
  require_device();
  const Stream stream;
  const PinnedBuffer source(1 << 20);
  const DeviceBuffer device(source.size());
  const PageableBuffer target(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) source.bytes()[i] = static_cast<std::byte>(i * 31 >> 3);
  check(cudaMemcpyAsync(device.data(), source.data(), source.size(), cudaMemcpyHostToDevice, stream.get()));
  check(cudaMemcpyAsync(target.data(), device.data(), source.size(), cudaMemcpyDeviceToHost, stream.get()));
  stream.synchronize();
  CHECK(std::ranges::equal(source.bytes(), target.bytes()));
}

TEST_CASE("more device memory than there is is asked for in vain", "[gpu][buffer]") {
  require_device();
  constexpr std::size_t huge = std::size_t{1} << 50;
  CHECK_THROWS_AS(require_device_memory(huge), Skip);
  CHECK_THROWS_AS(DeviceBuffer(huge), CudaError);
  CHECK(cudaGetLastError() == cudaSuccess);  // the failure is not left for the next call
}

TEST_CASE("a stream does not wait for the legacy default stream", "[gpu][stream]") {
  require_device();
  const Stream stream;
  unsigned flags = 0;
  check(cudaStreamGetFlags(stream.get(), &flags));
  CHECK(flags == cudaStreamNonBlocking);
}

TEST_CASE("streams and events can be moved and are destroyed once", "[gpu][stream]") {
  require_device();
  Stream first;
  const Stream second = std::move(first);
  TimedEvent start;
  TimedEvent stop;
  start.record(second);
  TimedEvent moved = std::move(stop);
  moved.record(second);
  moved.synchronize();
  CHECK((moved - start).count() >= 0);
  CHECK(first.get() == nullptr);
}

static_assert(!std::copyable<PinnedBuffer> && std::movable<PinnedBuffer>);

TEST_CASE("registered memory that goes away is not left registered", "[gpu][memory]") {
  require_device();
  constexpr std::size_t size = std::size_t{1} << 20;
  const void* volatile at = nullptr;  // keeps the compiler from knowing that this was freed
  const auto type_there = [&at] {
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, at));
    return attributes.type;
  };
  {
    const RegisteredBuffer buffer(size);
    at = buffer.data();
    CHECK(type_there() == cudaMemoryTypeHost);
  }
  CHECK(type_there() == cudaMemoryTypeUnregistered);
}

}  // namespace
