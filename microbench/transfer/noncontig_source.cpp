// Copy contiguous tensors between host and device; a strided slice is gathered by the processor first.
//
// Question: Half of the columns of a matrix are copied: as a slice, or sent whole and sliced afterward.
// Which is faster, though it sends twice the bytes?
//
// A transfer is one block of bytes. A tensor whose values lie apart (every other column, the left half of
// each row) is not such a block. So LibTorch first has the processor make a contiguous copy on the host,
// value by value or row by row, in new memory, and sends that copy. The call looks like any other `.to()`.
// The cure is to have the values contiguous where they are made or loaded, once, and not at every transfer;
// or (`whole`) to send everything, gaps included, and slice on the device, whose memory is far quicker.
//
// When it does not matter: for a transposed tensor. Its values fill a block without gaps, only in another
// order: LibTorch sends the block as it is and keeps the order in the strides (`transposed`, where nothing is
// expected). Nor does it matter where slices are small, or copied rarely.
//
// `pattern` is the first side's source; the second side sends the same values, contiguous since before the
// run. On the host the same call, set to copy, has the same choice between one block and a walk with gaps.
// `to(..., copy)` takes new memory for the result on both sides.
//
// Answer: Usually sent whole: the processor gathers a slice row by row into new memory, while the link takes
// twice the bytes at full speed and the device slices at memory speed. Best is to have the columns
// contiguous from the start.

#include "microbench/tip.hpp"
#include "microbench/transfer/tensors.hpp"

namespace microbench::transfer_noncontig_source {

enum Pattern : std::int64_t { sliced, block, transposed, whole };
constexpr std::int64_t sizes[] = {512, 2048};
constexpr Axis axes[] = {
    {.name = "n", .about = "rows and columns that are sent", .values = sizes, .quick = {512}},
    {.name = "pattern",
     .about = "sliced: every other column; block: the left half; transposed: rows and columns swapped; "
              "whole: every other column against all of them, sliced on the device",
     .quick = {sliced, transposed},
     .labels = {"sliced", "block", "transposed", "whole"}}};

at::Tensor every_other_column(const at::Tensor& matrix) {
  return matrix.slice(/*dim=*/1, /*start=*/0, /*end=*/matrix.size(1), /*step=*/2);
}

struct State {
  at::Tensor apart, together, out;
};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() ||
         (point["n"] == sizes[0] && point["pattern"] != block && point["pattern"] != whole);
}

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["n"];
  const auto pattern = point["pattern"];
  const auto device = torch_device(setup.device);
  const auto wide = random_values({n, 2 * n}, setup.seed);
  const auto s = std::make_shared<State>();
  s->apart = pattern == transposed ? wide.narrow(1, 0, n).contiguous().t()
             : pattern == block    ? wide.narrow(1, 0, n)
                                   : every_other_column(wide);
  s->together = pattern == whole ? wide : s->apart.contiguous();

  const auto send = [device](const at::Tensor& source) {
    return source.to(device, at::kFloat, /*non_blocking=*/false, /*copy=*/true);
  };
  return {
      .naive = [s, send] { s->out = send(s->apart); },
      .optimized =
          [s, send, slice = pattern == whole] {
            const auto sent = send(s->together);
            s->out = slice ? every_other_column(sent) : sent;
          },
      .clear = [s] { s->out = at::full_like(s->apart, -1); },
      .answer = [s](Form) { return numbers_of(s->out); },
      .bytes_moved = static_cast<std::size_t>(n * n) * sizeof(float),
  };
}

extern constexpr Step step = checked({
    .id = "transfer/noncontig_source",
    .claim = "A contiguous source is copied faster than a strided slice, which needs a temporary.",
    .claim_ids = "xfer-noncontig-source",
    .sides = {"strided", "contiguous"},
    .source = {.title = "PyTorch, aten/src/ATen/native/cuda/Copy.cu",
               .url = "https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/cuda/Copy.cu",
               .where = "copy_requires_temporaries"},
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "pattern:sliced"},
});

}  // namespace microbench::transfer_noncontig_source
