// How fast the host's memory feeds its cores: a = b + s c, 24 bytes a number counted, as STREAM does. The
// line of `a` that is read before it is written is not counted, so the memory moves up to a third more.
#include "prices/machine.hpp"
#include "prices/names.hpp"
#include "prices/row.hpp"
#include "prices/team.hpp"

#include <fmt/format.h>

#include <memory>
#include <set>
#include <stdexcept>
#include <string>

namespace prices {
namespace {

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

void add_host_bandwidth(const Machine& machine) {
  for (const int threads : std::set{1, machine.threads})
    for (const auto size : fitting(sizes, 3, machine.host_bytes))
      add(fmt::format("prices/triad/host/threads:{}/bytes:{}", threads, bytes_text(size)), Clock::host,
          [threads, size](benchmark::State& state) { triad_row(state, threads, size); });
}

}  // namespace prices
