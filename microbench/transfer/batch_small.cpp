// Pack many small pieces into one block and copy that, instead of copying piece by piece.
//
// Question: 4096 pieces of 64 bytes are packed first, by the processor. Does packing cost more than the
// copies that it saves, and at 4 KiB a piece?
//
// Every transfer has a price that does not depend on its length: the call, the command to the copy engine,
// its start and its end. For a piece of a few bytes this is all there is, and the link is idle most of the
// time. Laid one after the other in one block of pinned memory, the same bytes are one command. The processor
// packs small pieces at the speed of its caches; on the device each piece is then a view into the block (take
// care that a view starts where its type may start).
//
// When it does not matter: for pieces so large that the link is busy anyway (transfer/size_curve shows from
// which size on); packing is then one more pass over all bytes.
//
// `way` tells what is timed against a copy for each piece. `pack` packs in the run and then copies. `packed`
// finds the block packed, because the code that made the pieces put them there. `batch_call` leaves them
// where they are and hands the list to cudaMemcpyBatchAsync, one call of CUDA for all of them. `gather`
// leaves them there too, and a kernel reads them over the link, as transfer/zero_copy_once does. A kernel has
// many reads on their way at once, so it wins where pieces are small and many; the copy engine keeps the
// multiprocessors free and wins with large ones. On an A30 a gather ran at 0.5 to 4.5 times the speed of
// batch_call, depending on size and number (vllm/issues/57555). Your device decides where the two meet.
//
// On the host a copy is a call of memcpy, and the same question can be asked of it: `packed` is one long copy
// instead of 4096 short ones from all over the place, `pack` does the short ones and the long one after them.
//
// Answer: No: packing 64 bytes is a copy in the cache, tens of nanoseconds, while a transfer costs
// microseconds to start, 4,096 times: 10.8 ms became 51.9 us on an H200 (commit c3d44b4). At 4 KiB a piece
// packing is a pass over 16 MiB, which costs more; the calls saved still outweigh it where a start takes
// longer than copying 4 KiB in memory. On the host nothing has to start, so packing in the run only adds a
// pass.

#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"
#include "microbench/transfer/pieces.hpp"

namespace microbench::transfer_batch_small {

enum Way : std::int64_t { pack, packed, batch_call, gather };
constexpr Axis axes[] = {
    {.name = "bytes",
     .about = "of each of 4096 pieces",
     .values = {64, 4096},
     .quick = {64},
     .unit = Unit::bytes},
    {.name = "way",
     .about = "pack: packed in the run; packed: packed before; batch_call: cudaMemcpyBatchAsync; gather: a "
              "kernel reads them where they lie",
     .quick = {pack, packed},
     .labels = {"pack", "packed", "batch_call", "gather"}}};

bool takes(const Point& point, const Device& device) {
  return device.is_cuda() || (point["way"] < batch_call && point["bytes"] <= 64);
}

Trial prepare(Setup& setup, const Point& point) {
  const auto bytes = static_cast<std::size_t>(point["bytes"]);
  const auto way = point["way"];
  const auto s = std::make_shared<Pieces>(setup, 4096, bytes);
  if (way == packed) s->pack();
  const auto by_kernel = way == gather ? std::function<void()>(s->gather()) : nullptr;

  return {
      .naive =
          [s] {
            for (std::size_t i = 0; i < s->sources.size(); ++i)
              s->copy(s->targets[i], s->sources[i], s->sizes[i]);
            s->wait();
          },
      .optimized =
          [s, way, by_kernel] {
            if (way == pack) s->pack();
            if (way == batch_call)
              s->copy_by_one_call();
            else if (way == gather)
              by_kernel();
            else
              s->copy(s->out.data_ptr(), s->packed.data_ptr(), s->total());
            s->wait();
          },
      .clear = [s] { s->out.fill_(0xA5); },
      .answer = [s](Form) { return numbers_of(s->out); },
      .bytes_moved = s->total(),
  };
}

extern constexpr Step step = checked({
    .id = "transfer/batch_small",
    .claim = "Many small pieces arrive sooner in one packed transfer, even when the packing counts.",
    .claim_ids = "xfer-batch-small",
    .sides = {"pieces", "packed"},
    .source = transfer_post("Batching Small Transfers"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "no figure",
                    .on_cpu = Outcome::depends,
                    .about = "way:pack way:packed way:batch_call"},
});

}  // namespace microbench::transfer_batch_small
