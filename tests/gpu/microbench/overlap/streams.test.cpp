#include "tests/gpu/require_device.hpp"

#include "harness/core/setup.hpp"

#include "microbench/overlap/copy_and_work.hpp"
#include "microbench/overlap/delay.hpp"
#include "microbench/overlap/side_streams.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <vector>

namespace {

using namespace harness;

/// Two buffers, and copies between them that a delay holds up.
struct Relay {
  explicit Relay(const Stream& timed) {
    setup.stream = &timed;
    check(cudaMemsetAsync(first.data(), 0, size, timed.get()));
    check(cudaMemsetAsync(second.data(), 0, size, timed.get()));
    timed.synchronize();
  }
  void write(const Stream& timed, const microbench::Delay& slow) const {
    slow.queue(timed);
    check(cudaMemsetAsync(first.data(), 0x11, size, timed.get()));
  }
  void pass_on(cudaStream_t stream) const {
    check(cudaMemcpyAsync(second.data(), first.data(), size, cudaMemcpyDeviceToDevice, stream));
  }
  bool arrived(const Stream& timed) const {
    const auto bytes = microbench::read_back(second, timed);
    return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0x11}; });
  }
  static constexpr std::size_t size = 1 << 16;
  DeviceBuffer first{size}, second{size};
  Setup setup;
};

TEST_CASE("streams beside the timed one begin after it and are waited for", "[gpu][overlap]") {
  require_device();
  const Stream timed;
  Relay relay(timed);
  const microbench::Delay slow(relay.setup, 1e-3);
  const microbench::SideStreams side(2);
  relay.write(timed, slow);
  side.fork(timed);
  slow.queue(side[1]);
  relay.pass_on(side[1].get());
  side.join(timed);
  CHECK(relay.arrived(timed));
}

TEST_CASE("so do ordinary streams, and a default stream that is tied with them", "[gpu][overlap]") {
  require_device();
  const Stream timed;
  for (const auto third : {cudaStreamLegacy, cudaStreamPerThread}) {
    Relay relay(timed);
    const microbench::Delay slow(relay.setup, 1e-3);
    const microbench::RawStreams raw(cudaStreamNonBlocking);
    relay.write(timed, slow);
    raw.fork(timed, third);
    relay.pass_on(third);
    raw.join(timed, third);
    CHECK(relay.arrived(timed));
  }
}

TEST_CASE("a delay takes about as long as asked", "[gpu][overlap]") {
  require_times();
  const Stream timed;
  Setup setup;
  setup.stream = &timed;
  const microbench::Delay slow(setup, 2e-3);
  const auto seconds = microbench::seconds_on(timed, [&] { slow.queue(timed); });
  CHECK(seconds > 1e-3);
  CHECK(seconds < 4e-3);
}

TEST_CASE("the answer to a copy and a kernel shows each of them", "[gpu][overlap]") {
  require_device();
  const Stream timed;
  const microbench::CopyAndWork both(1 << 16, 7);
  both.clear(timed);
  const auto nothing = both.answer(timed);
  both.copy(timed.get());
  const auto copied = both.answer(timed);
  both.work(timed.get());
  const auto worked = both.answer(timed);
  CHECK(nothing != copied);
  CHECK(copied != worked);
}

TEST_CASE("two things at once overlap fully, one after the other not at all", "[overlap]") {
  CHECK(microbench::overlap_percent(2, 3, 3) == 100);
  CHECK(microbench::overlap_percent(2, 3, 5) == 0);
  CHECK(microbench::overlap_percent(2, 3, 4) == 50);
}

}  // namespace
