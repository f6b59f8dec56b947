// Constant memory: fast where a whole warp reads one address, slow where its threads read many.
//
// Question: A warp reads one address of constant memory, or 32 different ones: by what factor do the two
// differ?
//
// A device has 64 KiB of constant memory behind a cache that is built for one purpose: to give one value to
// all 32 threads of a warp at once. Read like that, a hit costs about as much as a register. When the
// threads of a warp ask for different addresses, the cache serves them one address after the other, so that
// the time grows with the number of different addresses, up to 32 of them. Ordinary loads are served by
// lines: a warp that reads neighbors from the first-level cache needs one of them, one that reads all over
// needs many.
//
// So coefficients and shapes, which every thread reads alike, belong there (kernel arguments lie there by
// themselves), and tables that each thread reads at its own index do not.
//
// When it does not matter: for kernels that read such values once and then work long.
//
// Each thread adds up 256 entries of a table of 4,096 floats. Within a warp they are all equal, neighbors,
// or 33 entries apart. The first side reads the table in global memory, the second side in constant
// memory.
//
// Answer: By a factor of up to 32: the constant cache serves one address at a time. So use it for values that
// a whole warp reads at once, and keep tables in ordinary memory.

#include "microbench/memory/device_floats.hpp"
#include "microbench/memory/memory_kernels.hpp"
#include "microbench/tip.hpp"

namespace microbench::memory_kern_constant_memory {

constexpr unsigned distances[] = {0, 1, 33};
constexpr Axis axes[] = {{.name = "entry",
                          .about = "which the threads of a warp read: the same one, 32 in a row, or 33 apart",
                          .labels = {"same", "neighbours", "scattered"}}};
constexpr std::size_t threads = 1 << 20;
constexpr int reads = 256;
constexpr std::uint64_t table_seed = 20;  // constant memory is one for all sets: so is what lies there

struct State {
  DeviceFloats table{table_size};
  DeviceFloats out{threads};
};

Trial prepare(Setup& setup, const Point& point) {
  require_device_memory((table_size + threads) * sizeof(float));
  const auto& stream = *setup.stream;
  const auto s = std::make_shared<State>();
  const auto table = random_floats(table_size, table_seed);
  s->table.upload(table, stream);
  check(queue_table_upload(table.data(), stream.get()));
  stream.synchronize();

  const auto spread = distances[static_cast<std::size_t>(point["entry"])];
  const auto look_up = [s, &stream, spread](const float* from) {
    check(queue_lookups(s->out.data(), threads, reads, spread, from, stream.get()));
  };
  return {
      .naive = [s, look_up] { look_up(s->table.data()); },
      .optimized = [look_up] { look_up(nullptr); },
      .clear = [s, &stream] { s->out.clear(stream); },
      .answer = [s, &stream](Form) -> Answer { return s->out.download(stream); },
      .timer = Timer::event,
  };
}

extern constexpr Step step = checked({
    .id = "memory/kern_constant_memory",
    .claim = "Constant memory pays where a warp reads one address, and costs where its threads read many.",
    .sides = {"global memory", "constant memory"},
    .source = best_practices("Constant Memory"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .delta = 0.02,
});

}  // namespace microbench::memory_kern_constant_memory
