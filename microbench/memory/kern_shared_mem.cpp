// Bring what several threads read into shared memory once.
//
// Question: Which gains more from tiles in shared memory, a transpose or a product, and why?
//
// Every multiprocessor has fast memory of its own. Each block of threads gets a part of it, which only that
// block's threads share and which answers in a fraction of the time of global memory. In a matrix product
// each value of both factors is read n times. Caches answer most of these reads, but each is an instruction
// that waits for them. With tiles, a block of threads loads 32 x 32 values of each factor once and then
// multiplies out of shared memory, so it reads global memory 32 times less often. A transpose reuses nothing,
// but either its reads or its writes run down a column; through a tile both run along rows, and whole lines
// are used (memory/kern_coalescing).
//
// When it does not matter: where nothing is reused and everything is read along rows; where the caches hold
// the reused values anyway, which on recent devices is more often the case than it was when the advice was
// first given. A transpose of 512 rows takes no longer than a launch, and one of 2048 lies in the cache of a
// large device: of both nothing is expected. A library's product (cuBLAS) keeps values in registers as well
// and is far faster than either side: these two show the tip, not how to multiply.
//
// In a product both sides add in the same order, so the bits agree. A row of the transpose moves 8 n^2
// bytes.
//
// Answer: The product reuses each value n times, so its tiles cut reads from global memory by a factor of
// 32, of which caches had hidden a part. The transpose reuses nothing; it gains whole lines for its writes.
// Which gains more on your device depends on its caches; for small matrices neither does.

#include "microbench/memory/device_floats.hpp"
#include "microbench/memory/memory_kernels.hpp"
#include "microbench/tip.hpp"

namespace microbench::memory_kern_shared_mem {

constexpr std::int64_t most_for_product = 2048;
constexpr Axis axes[] = {
    {.name = "kernel",
     .about = "transpose: each value is read once; product: each value of the factors n times",
     .labels = {"transpose", "product"}},
    {.name = "n", .about = "rows and columns of the matrices", .values = {512, 2048, 8192}}};

struct State {
  explicit State(std::size_t n) : a(n * n), b(n * n), out(n * n) {}
  DeviceFloats a, b, out;
};

bool takes(const Point& point, const Device&) {
  return point["kernel"] != 1 || point["n"] <= most_for_product;
}

Trial prepare(Setup& setup, const Point& point) {
  const bool is_product = point["kernel"] == 1;
  const auto n = static_cast<unsigned>(point["n"]);
  const auto values = std::size_t{n} * n;
  require_device_memory(3 * values * sizeof(float));
  const auto& stream = *setup.stream;
  const auto s = std::make_shared<State>(n);
  s->a.upload(random_floats(values, setup.seed), stream);
  s->b.upload(random_floats(values, setup.seed + 1), stream);

  const auto with = [s, &stream, n, is_product](Tile tile) {
    check(is_product ? queue_product(s->out.data(), s->a.data(), s->b.data(), n, tile, stream.get())
                     : queue_transpose(s->out.data(), s->a.data(), n, tile, stream.get()));
  };
  return {
      .naive = [with] { with(Tile::none); },
      .optimized = [with] { with(Tile::shared); },
      .clear = [s, &stream] { s->out.clear(stream); },
      .answer = [s, &stream](Form) -> Answer { return s->out.download(stream); },
      .timer = Timer::event,
      .bytes_moved = is_product ? 0 : 2 * values * sizeof(float),
  };
}

extern constexpr Step step = checked({
    .id = "memory/kern_shared_mem",
    .claim = "Tiles in shared memory speed up kernels whose threads read the same values or along columns.",
    .claim_ids = "kern-shared-mem",
    .sides = {"global memory", "shared memory"},
    .source = best_practices("Shared Memory in Matrix Multiplication"),
    .runs = Runs::cuda,
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "no figure",
                    .except = "kernel:transpose/n:512 kernel:transpose/n:2048"},
    .delta = 0.02,
});

}  // namespace microbench::memory_kern_shared_mem
