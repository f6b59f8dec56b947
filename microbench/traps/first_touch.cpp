// Make and touch the memory before the clock runs.
//
// Question: 64 MiB are filled with one value. What does a clock say that also holds their allocation?
//
// An allocation of ordinary memory reserves addresses, and the system finds a page for each 4 KiB when they
// are first written: it takes a fault, clears the page and maps it, which costs more than filling it. On a
// device the allocation itself is the price: the driver maps memory, and giving it back waits for the device.
// A timed region that begins with `empty()` or `new` times the allocator, and calls it bandwidth.
//
// When it does not matter: where the program allocates in each step and nothing keeps its memory. Then the
// allocation belongs to the work. A caching allocator hides it after the first time, and brings it back
// whenever a size changes.
//
// A row has both timers read the filling of 64 MiB three times. The wrong one has fresh memory inside, from
// the system (CPU) or the driver (device); the right one has memory that was made and written before. The
// verdict compares the timers: `too much` says that the wrong one reads more.
//
// Answer: Several times what filling takes: the system finds and clears each page, on a device the driver
// maps memory. The bandwidth that follows from it is the allocator's.

#include "harness/cuda/pageable_pinned_device_buffers.hpp"

#include "microbench/tip.hpp"
#include "microbench/transfer/pages.hpp"
#include "microbench/traps/timers.hpp"

namespace microbench::traps_first_touch {

constexpr std::size_t size = std::size_t{64} << 20;
constexpr int value = 7;

/// Memory straight from the system or the driver.
struct Fresh {
  explicit Fresh(const Device& device) {
    if (device.is_cuda())
      on_device.emplace(size);
    else
      on_host.emplace(size);
  }
  std::byte* data() const { return on_device ? on_device->data() : on_host->bytes().data(); }
  std::optional<DeviceBuffer> on_device;
  std::optional<FreshPages> on_host;
};

struct State {
  explicit State(const Device& on) : device(on), kept(on) { fill(kept); }
  void fill(const Fresh& memory) const {
    if (device.is_cuda())
      check(cudaMemset(memory.data(), value, size));
    else
      std::memset(memory.data(), value, size);
    finish(device);
  }
  /// Behind the clock: the last byte is what the form has computed.
  void look_at(const Fresh& memory) {
    const auto* const last = memory.data() + size - 1;
    if (device.is_cuda())
      check(cudaMemcpy(&seen, last, 1, cudaMemcpyDeviceToHost));
    else
      seen = *last;
  }
  double time_fresh() {
    std::optional<Fresh> memory;
    const double seconds = host_seconds([&] { fill(memory.emplace(device)); });
    look_at(*memory);
    return seconds;
  }
  double time_kept() {
    const double seconds = host_seconds([&] { fill(kept); });
    look_at(kept);
    return seconds;
  }
  Device device;
  Fresh kept;
  std::byte seen{0};
};

Trial prepare(Setup& setup, const Point&) {
  const auto s = std::make_shared<State>(setup.device);
  return timer_trial(
      {[s] { return typical([&] { return s->time_fresh(); }, 3); },
       [s] { return typical([&] { return s->time_kept(); }, 3); }},
      [s] { s->seen = std::byte{0}; }, [s](Form) -> Answer { return std::vector<std::byte>{s->seen}; });
}

extern constexpr Step step = checked({
    .id = "traps/first_touch",
    .claim = "A clock that includes the allocation and first touch of memory reads too high.",
    .sides = timer_sides,
    .source = {.title = "Linux kernel, Memory management concepts",
               .url = "https://docs.kernel.org/admin-guide/mm/concepts.html",
               .where = "Anonymous Memory: a page is allocated at the first write"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = timers_differ, .on_cpu = Outcome::helps},
});

}  // namespace microbench::traps_first_touch
