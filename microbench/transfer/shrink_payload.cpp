// Send fewer bytes: narrower types where the values fit into them.
//
// Question: Half of the bytes cross the link in half of the time. Is it still a gain if the processor must
// first convert the values in each run?
//
// A link has a rate, and past a few hundred KiB a transfer takes as long as its bytes take at that rate. Half
// of the bytes is half of the time, and nothing else does as much for a transfer that cannot be hidden.
// LibTorch makes indices of 64 bits and features of 32 by default; ids below 2^31, about two billion, fit
// into 32 bits, and pixels or normalized features often into 16. `embedding`, `index_select` and indexing
// take either width, `gather` and `scatter` since PyTorch 2.8; `cross_entropy` wants its labels in 64 bits,
// to which the device can widen them.
//
// What it costs is range and precision: check that the values fit. Here they do (whole numbers below 2000,
// which FP16 holds exactly), so that both sides must agree to the last bit.
//
// When it does not matter: for small tensors, and where the transfer is hidden behind work anyway. The same
// question can be asked of a copy within the host, whose memory has a rate too. Host memory is pinned where
// there is a device, and both sides wait for their copy.
//
// `conversion` says when it is done. `before` finds the values narrow already, because they were loaded or
// stored like that. `in_run` converts them on the host in each run, which reads and writes all of them with
// the processor and may cost more than the link saves. That is the argument for storing them narrow; the
// source speaks of fewer bytes only, so nothing is expected of these rows.
//
// Answer: Not by itself: the host reads and writes all values to convert them, which may take longer than
// the link saves. Stored narrow (`conversion:before`) half the bytes is half the time.

#include "microbench/tip.hpp"
#include "microbench/transfer/tensors.hpp"

namespace microbench::transfer_shrink_payload {

enum Types : std::int64_t { int64_to_int32, fp32_to_fp16 };
enum Conversion : std::int64_t { before, in_run };
constexpr std::int64_t sizes[] = {1 << 20, 1 << 23};
constexpr Axis axes[] = {
    {.name = "n", .about = "values", .values = sizes, .quick = {1 << 20}},
    {.name = "types",
     .about = "wide and narrow",
     .quick = {int64_to_int32},
     .labels = {"int64_to_int32", "fp32_to_fp16"}},
    {.name = "conversion",
     .about = "before: the values are narrow already; in_run: the host converts them in each run",
     .labels = {"before", "in_run"}}};

/// The same values wide and narrow, on the host and where they are wanted.
struct State {
  at::Tensor wide, narrow, wide_there, narrow_there;
};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || (point["types"] == int64_to_int32 && point["n"] == sizes[0]);
}

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["n"];
  const bool integers = point["types"] == int64_to_int32;
  const bool cuda = setup.device.is_cuda();
  if (cuda) require_device_memory(static_cast<std::size_t>(n) * 3 * sizeof(std::int32_t));
  const auto s = std::make_shared<State>();
  s->wide = random_values({n}, setup.seed).mul(2000).floor().to(integers ? at::kLong : at::kFloat);
  s->narrow = s->wide.to(integers ? at::kInt : at::kHalf);
  if (cuda) s->wide = s->wide.pin_memory();
  if (cuda) s->narrow = s->narrow.pin_memory();
  s->wide_there = at::zeros_like(s->wide, at::TensorOptions().device(torch_device(setup.device)));
  s->narrow_there = at::zeros_like(s->narrow, at::TensorOptions().device(torch_device(setup.device)));
  const bool convert = point["conversion"] == in_run;
  if (convert) s->narrow.zero_();

  return {
      .naive = [s] { s->wide_there.copy_(s->wide); },
      .optimized =
          [s, convert] {
            if (convert) s->narrow.copy_(s->wide);
            s->narrow_there.copy_(s->narrow);
          },
      .clear =
          [s] {
            s->wide_there.fill_(-1);
            s->narrow_there.fill_(-1);
          },
      .answer = [s](Form form) { return numbers_of(form == Form::naive ? s->wide_there : s->narrow_there); },
  };
}

extern constexpr Step step = checked({
    .id = "transfer/shrink_payload",
    .claim = "A transfer of narrower values is faster.",
    .claim_ids = "xfer-shrink-payload",
    .sides = {"wide", "narrow"},
    .source = best_practices("Data Transfer Between Host and Device"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "conversion:before"},
});

}  // namespace microbench::transfer_shrink_payload
