#include "harness/cuda/event_clock.hpp"

#include "tests/gpu/require_device.hpp"

#include <catch2/catch_test_macros.hpp>

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

}  // namespace
