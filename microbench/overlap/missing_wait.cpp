// Make a second stream wait for what it reads, and tell the allocator that it is reading.
//
// Question: A tensor is read on another stream without a wait. In how many of 20 tries is the sum wrong here?
//
// Streams are not ordered among themselves, and LibTorch does not order them either. Two mistakes follow,
// and nothing reports either. `mistake:no_wait`: a tensor is filled on the current stream and read on
// another one; the reader sees what lay there before. To fix this, record an event after the filling and
// let the reader's stream wait for it. `mistake:no_record`: the reader waits, but the tensor goes out of
// scope while it still reads. The caching allocator gives the block to the next tensor of the stream that
// it came from, which overwrites it. The cure is recordStream, which tells the allocator who else uses the
// block; it then keeps the block until the host finds that the other stream has passed, so a host far ahead
// needs more memory. The second cure needs no more memory: keep the tensor until its own stream has been
// made to wait for the reader. PyTorch's own exchanges (c10d) have done so since 2.8.
//
// When it does not show: both mistakes are races, and on an idle device the right answer mostly comes out,
// until the device has more to do. So here a kernel of one millisecond stands in the way, before the filling
// or before the reading. A row says how often either side was wrong, and what both take until the device has
// finished: the slow kernel is part of either time, and the cure adds the reading after it, or nothing.
//
// Nothing goes out of bounds: a block that was given away still belongs to the allocator.
//
// Answer: In all or nearly all of them here, because a kernel of a millisecond stands before the filling or
// the reading. In your program, perhaps in one of a thousand: that makes it dangerous.

#include "microbench/overlap/delay.hpp"
#include "microbench/overlap/side_streams.hpp"
#include "microbench/tip.hpp"

#include <c10/cuda/CUDAGuard.h>

namespace microbench::overlap_missing_wait {

constexpr Axis axes[] = {{.name = "mistake",
                          .about = "no_wait: the reader's stream does not wait; no_record: nor the allocator",
                          .labels = {"no_wait", "no_record"}}};
constexpr std::int64_t n = 1 << 20;
constexpr float right = 1, poison = 2;

struct State {
  State(Setup& setup, const at::TensorOptions& options)
      : slow(setup, 1e-3),
        x(at::empty({n}, options)),
        seen(at::empty({n}, options)),
        reader(c10::cuda::getStreamFromExternal(side[0].get(), x.device().index())) {}
  void read(const at::Tensor& from) const {
    const c10::cuda::CUDAStreamGuard guard(reader);
    seen.copy_(from);
  }
  SideStreams side{1};
  Delay slow;
  Event filled;
  at::Tensor x, seen;
  c10::cuda::CUDAStream reader;
};

void fill_and_read(const State& s, const Stream& stream, bool wait) {
  s.x.fill_(poison);  // what the run before left there would be right
  s.side.fork(stream);
  s.slow.queue(stream);
  s.x.fill_(right);
  s.filled.record(stream);
  if (wait) s.filled.hold(s.side[0]);
  s.read(s.x);
  s.side.join(stream);
}

void read_and_drop(const State& s, const Stream& stream, bool record) {
  auto x = at::full({n}, right, s.x.options());
  s.side.fork(stream);  // the reader waits for the filling in both forms
  s.slow.queue(s.side[0]);
  s.read(x);
  if (record) x.record_stream(s.reader);
  x.reset();
  const auto next = at::full({n}, poison, s.x.options());
  s.side.join(stream);
}

Trial prepare(Setup& setup, const Point& point) {
  const auto& stream = *setup.stream;
  const auto options = at::TensorOptions().device(torch_device(setup.device)).dtype(at::kFloat);
  const auto s = std::make_shared<State>(setup, options);
  const auto run = point["mistake"] == 0 ? fill_and_read : read_and_drop;

  return {
      .naive = [s, &stream, run] { run(*s, stream, false); },
      .optimized = [s, &stream, run] { run(*s, stream, true); },
      .clear = [s] { s->seen.fill_(-1); },
      .answer = [s](Form) { return numbers_of(s->seen); },
      .truth = []() -> Answer { return std::vector<float>(static_cast<std::size_t>(n), right); },
  };
}

extern constexpr Step step = checked({
    .id = "overlap/missing_wait",
    .claim = "Without a wait, or dropped without recordStream, a tensor is read wrong on a second stream.",
    .claim_ids = "ovl-missing-wait",
    .sides = {"without", "with"},
    .source = cuda_semantics("CUDA streams"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .naive_may_be_wrong = true,
});

}  // namespace microbench::overlap_missing_wait
