#include "tests/gpu/require_device.hpp"

#include "harness/cuda/event.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstring>

namespace {

using namespace harness;

TEST_CASE("a clock that was prepared makes no event between its marks", "[gpu][event_clock]") {
  require_device();
  const Stream stream;
  EventClock clock(stream);
  for (int slot = 0; slot < 2; ++slot) {
    clock.prepare(3);
    for (int i = 0; i < 3; ++i) clock.mark();
    CHECK(clock.prepared() == 3);
    CHECK(clock.collect().size() == 2);
  }
}

TEST_CASE("a clock that is asked for more marks than were prepared makes them", "[gpu][event_clock]") {
  require_device();
  const Stream stream;
  EventClock clock(stream);
  for (int i = 0; i < 3; ++i) clock.mark();
  CHECK(clock.collect().size() == 2);
}

TEST_CASE("when marks are collected the work before the last one has ended", "[gpu][event_clock]") {
  require_device();
  constexpr std::size_t size = std::size_t{1} << 20;
  const Stream stream;
  const DeviceBuffer source(size);
  const PinnedBuffer arrived(size);
  std::memset(arrived.data(), 0, size);
  EventClock clock(stream);
  clock.mark();
  check(cudaMemsetAsync(source.data(), 1, size, stream.get()));
  check(cudaMemcpyAsync(arrived.data(), source.data(), size, cudaMemcpyDeviceToHost, stream.get()));
  clock.mark();
  clock.collect();
  CHECK(arrived.bytes().back() == std::byte{1});
}

}  // namespace
