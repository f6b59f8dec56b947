// Copy a part of a matrix with one call of cudaMemcpy2D, not row by row.
//
// Question: How many times faster are 512 rows of 16 bytes as one 2D copy than row by row, and how many times
// faster are rows of 64 KiB?
//
// A block of columns of a matrix is many short pieces at equal distances. Copied row by row, each row is a
// transfer with its own command and start (transfer/size_curve shows what that costs). cudaMemcpy2D takes the
// width, the number of rows and the two distances, and the copy engine walks the rows by itself: one command
// for the whole block.
//
// Rows of a few bytes can still be slow, because the engine still moves them one by one and a packet on the
// link then carries little. The third way is `pack`: the processor gathers the rows in one contiguous block
// of pinned memory, which is sent in one go; it pays for narrow rows, whose bytes are few, and costs an extra
// pass over wide ones. (If the rows are wanted as a matrix of their own there, nothing is left to do: the
// block that arrives is one.)
//
// When it does not matter: for rows so wide that their starts are lost in their bytes.
//
// Source rows lie twice their width apart, in pinned memory; on the device they end up close together. A row
// of the table times 512 rows of the matrix until all have arrived.
//
// Answer: By a large factor for rows of 16 bytes, since 512 commands become one (no figure is published); by
// hardly any for rows of 64 KiB, since their bytes take longer than the starts. Narrow rows may still be slow
// as one 2D copy: then packing them is the cure.

#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::transfer_2d_copy {

constexpr std::size_t rows = 512;
enum Cure : std::int64_t { memcpy2d, pack };
constexpr Axis axes[] = {
    {.name = "width",
     .about = "of a row",
     .values = {16, 1 << 10, 64 << 10},
     .quick = {1 << 10},
     .unit = Unit::bytes},
    {.name = "cure",
     .about = "memcpy2d: cudaMemcpy2DAsync; pack: the host gathers the rows, then one copy",
     .quick = {memcpy2d},
     .labels = {"memcpy2d", "pack"}}};

struct State {
  explicit State(std::size_t of_row)
      : width(of_row), pitch(2 * of_row), matrix(rows * pitch), packed(rows * width), block(rows * width) {}
  std::size_t width, pitch;
  PinnedBuffer matrix, packed;
  DeviceBuffer block;
};

/// The rows one behind the other in `packed`.
void gather(const State& s) {
  for (std::size_t row = 0; row < rows; ++row)
    std::memcpy(s.packed.data() + row * s.width, s.matrix.data() + row * s.pitch, s.width);
}

Trial prepare(Setup& setup, const Point& point) {
  const auto& stream = *setup.stream;
  const auto s = std::make_shared<State>(static_cast<std::size_t>(point["width"]));
  fill_pattern(s->matrix.bytes(), setup.seed);

  const auto send = [&stream](std::byte* to, const std::byte* from, std::size_t size) {
    check(cudaMemcpyAsync(to, from, size, cudaMemcpyHostToDevice, stream.get()));
  };
  return {
      .naive =
          [s, send, &stream] {
            for (std::size_t row = 0; row < rows; ++row)
              send(s->block.data() + row * s->width, s->matrix.data() + row * s->pitch, s->width);
            stream.synchronize();
          },
      .optimized =
          [s, send, packs = point["cure"] == pack, &stream] {
            if (packs) {
              gather(*s);
              send(s->block.data(), s->packed.data(), s->packed.size());
            } else {
              check(cudaMemcpy2DAsync(s->block.data(), s->width, s->matrix.data(), s->pitch, s->width, rows,
                                      cudaMemcpyHostToDevice, stream.get()));
            }
            stream.synchronize();
          },
      .clear = [s, &stream] { scribble(s->block, stream); },
      .answer = [s, &stream](Form) -> Answer { return read_back(s->block, stream); },
      .bytes_moved = s->block.size(),
  };
}

extern constexpr Step step = checked({
    .id = "transfer/2d_copy",
    .claim = "One 2D copy of a part of a matrix is faster than a copy for each of its rows.",
    .claim_ids = "xfer-2d-copy",
    .sides = {"row by row", "one 2D copy"},
    .source = transfer_post("Batching Small Transfers"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "cure:memcpy2d"},
});

}  // namespace microbench::transfer_2d_copy
