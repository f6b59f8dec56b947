// What the host's own memory costs: copying it, getting it, touching it for the first time.

#include "harness/cuda/pageable_pinned_device_buffers.hpp"

#include "prices/pattern.hpp"
#include "prices/price_list.hpp"
#include "prices/price_row.hpp"
#include "prices/priced_machine.hpp"
#include "prices/ready_threads.hpp"

#include <fmt/format.h>

#include <set>

namespace prices {
namespace {

constexpr std::uint32_t seed = 1;
constexpr std::size_t page = 4096;
constexpr std::size_t copied[] = {kib,     4 * kib,  16 * kib, 64 * kib,  256 * kib, mib,
                                  4 * mib, 16 * mib, 64 * mib, 256 * mib, gib};
constexpr std::size_t allocated[] = {4 * kib, mib, 64 * mib};
constexpr std::size_t touched[] = {256 * kib, mib, 4 * mib, 16 * mib, 64 * mib, 256 * mib, 512 * mib};

struct Free {
  void operator()(std::byte* bytes) const noexcept { std::free(bytes); }
};
using Block = std::unique_ptr<std::byte, Free>;

Block block_of(std::size_t size) {
  Block block(static_cast<std::byte*>(std::malloc(size)));
  if (!block) throw std::bad_alloc();
  return block;
}

/// Writes a byte of each page; volatile, so that every write takes place.
void touch(std::byte* bytes, std::size_t size) {
  volatile std::byte* written = bytes;
  for (std::size_t i = 0; i < size; i += page) written[i] = std::byte{1};
}

void memcpy_row(benchmark::State& state, std::size_t size) {
  const harness::PageableBuffer from(size);
  const harness::PageableBuffer to(size);
  fill_pattern(from.bytes(), seed);
  auto* written = to.data();
  for (auto _ : state) {
    std::memcpy(written, from.data(), size);
    benchmark::DoNotOptimize(written);
    benchmark::ClobberMemory();
  }
  require_pattern(to.bytes(), seed);
  count_bytes(state, size);
}

void malloc_row(benchmark::State& state, std::size_t size) {
  for (auto _ : state) {
    auto* block = block_of(size).release();
    benchmark::DoNotOptimize(block);
    std::free(block);
  }
}

/// malloc, first touch, free.
void malloc_touched_row(benchmark::State& state, std::size_t size) {
  for (auto _ : state) touch(block_of(size).get(), size);
  count_bytes(state, size);
}

/// The same writes into memory that was kept.
void kept_touched_row(benchmark::State& state, std::size_t size) {
  const auto block = block_of(size);
  touch(block.get(), size);
  for (auto _ : state) touch(block.get(), size);
  count_bytes(state, size);
}

// How fast the host's memory feeds its cores: a = b + s c, 24 bytes a number counted, as STREAM does. The
// line of `a` that is read before it is written is not counted, so the memory moves up to a third more.

constexpr std::size_t sizes[] = {256 * kib, 16 * mib, 256 * mib};  // of each array
constexpr double scalar = 3;

struct Arrays {
  // Unwritten: each thread touches its part first, so that the pages lie near it.
  explicit Arrays(std::size_t n)
      : a(std::make_unique_for_overwrite<double[]>(n)),
        b(std::make_unique_for_overwrite<double[]>(n)),
        c(std::make_unique_for_overwrite<double[]>(n)) {}
  std::unique_ptr<double[]> a, b, c;
};

void fill(const Arrays& arrays, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    arrays.a[i] = -1;
    arrays.b[i] = static_cast<double>(i);
    arrays.c[i] = static_cast<double>(i % 7);
  }
}

void triad(const Arrays& arrays, std::size_t first, std::size_t last) {
  double* a = arrays.a.get();
  const double* b = arrays.b.get();
  const double* c = arrays.c.get();
  for (std::size_t i = first; i < last; ++i) a[i] = b[i] + scalar * c[i];
}

void require_triad(const Arrays& arrays, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (arrays.a[i] != static_cast<double>(i) + scalar * static_cast<double>(i % 7))
      throw std::runtime_error("the triad is wrong at " + std::to_string(i));
}

void triad_row(benchmark::State& state, int threads, std::size_t size) {
  const auto n = size / sizeof(double);
  const Arrays arrays(n);
  Team team(threads);
  team.run([&](int part) {
    const auto [first, last] = part_of(n, part, threads);
    fill(arrays, first, last);
  });
  const std::function<void(int)> work = [&](int part) {
    const auto [first, last] = part_of(n, part, threads);
    triad(arrays, first, last);
  };
  for (auto _ : state) {
    team.run(work);
    benchmark::ClobberMemory();
  }
  require_triad(arrays, n);
  count_bytes(state, 3 * size);
}

}  // namespace

void add_host_memory(const Machine& machine) {
  const auto each = [&](std::span<const std::size_t> sizes, std::size_t copies, const char* name, auto row) {
    for (const auto size : fitting(sizes, copies, machine.host_bytes))
      add(fmt::format("prices/{}/bytes:{}", name, bytes_text(size)), Clock::host,
          [row, size](benchmark::State& state) { row(state, size); });
  };
  each(copied, 2, "memcpy", memcpy_row);
  each(allocated, 1, "allocate/malloc", malloc_row);
  each(touched, 1, "allocate/malloc_touched", malloc_touched_row);
  each(touched, 1, "allocate/kept_touched", kept_touched_row);
}

void add_host_bandwidth(const Machine& machine) {
  for (const int threads : std::set{1, machine.threads})
    for (const auto size : fitting(sizes, 3, machine.host_bytes))
      add(fmt::format("prices/triad/host/threads:{}/bytes:{}", threads, bytes_text(size)), Clock::host,
          [threads, size](benchmark::State& state) { triad_row(state, threads, size); });
}

}  // namespace prices
