#include "microbench/overlap/sm_copy.hpp"

#include "tests/gpu/require_device.hpp"

#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include "microbench/transfer/copies.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <vector>

namespace {

using namespace harness;

TEST_CASE("the copying kernel reads pinned memory and copies every byte, and none behind the last",
          "[gpu][overlap]") {
  require_device();
  const Stream stream;
  constexpr std::size_t room = 1 << 20;
  const PinnedBuffer from(room);
  microbench::fill_pattern(from.bytes(), 7);
  const DeviceBuffer to(room);
  for (const std::size_t size : {std::size_t{16}, std::size_t{4096}, room - 16})
    for (const unsigned blocks : {1U, 3U, 64U}) {
      check(cudaMemsetAsync(to.data(), 0xA5, room, stream.get()));
      check(microbench::queue_sm_copy(to.data(), from.data(), size, blocks, stream.get()));
      const auto got = microbench::read_back(to, stream);
      const auto split = got.begin() + static_cast<std::ptrdiff_t>(size);
      CHECK(std::equal(got.begin(), split, from.bytes().begin()));
      CHECK(std::all_of(split, got.end(), [](std::byte b) { return b == std::byte{0xA5}; }));
    }
}

}  // namespace
