// Keep the whole data set on the device instead of sending each batch.
//
// Question: A batch of 1,024 rows of 256 features is one MiB. Gathered on the host and sent, or gathered on
// the device from data that are there already: what does the difference amount to in an epoch?
//
// A loop usually gathers a batch on the host, row by row, and sends it. Each byte is then read and written by
// the processor, and crosses the link, in every epoch again. If the data set fits beside the model, it can be
// sent once. What crosses the link for a batch are the numbers of its rows, 8 KiB here, and the device
// gathers them at the speed of its own memory.
//
// What it costs: the device's memory, for good. When it does not work: where data do not fit (the source went
// back to sending batches after it had run out of memory), and where samples are augmented anew in each epoch
// by a processor. When it does not matter: where a loader makes and sends batches in the time of a step.
//
// A row measures an epoch of 16 batches, each of which is added up on the device. `memory:pinned` gathers
// into pinned memory and does not wait for the copy.
//
// Answer: The gather on the host and the link: 1 MiB a batch against 8 KiB of row numbers, 16 times an
// epoch. On the device the gather is a kernel at memory speed. So nearly all of the way of the data is
// saved, and nothing of the step.

#include "microbench/tip.hpp"
#include "microbench/transfer/tensors.hpp"

namespace microbench::transfer_dataset_resident {

constexpr std::int64_t batches = 16;
constexpr std::int64_t width = 256;
constexpr Axis axes[] = {
    {.name = "rows", .about = "of a batch", .values = {64, 1024, 16384}, .quick = {1024}}, host_memory_axis};

struct State {
  State(const Setup& setup, std::int64_t rows, bool pins)
      : device(torch_device(setup.device)),
        host(random_values({batches * rows, width}, setup.seed)),
        resident(host.to(device)),
        order(at::randperm(batches * rows, host_generator(setup.seed), at::TensorOptions().dtype(at::kLong))
                  .chunk(batches)),
        sums(at::zeros({batches}, resident.options())),
        pinned(pins) {}

  /// One batch after the other; its sum is what remains of it.
  template <class Fetch>
  void epoch(const Fetch& fetch) {
    for (std::int64_t i = 0; i < batches; ++i)
      sums[i].copy_(fetch(order[static_cast<std::size_t>(i)]).square().sum());
  }
  at::Tensor sent(const at::Tensor& rows) const {
    const auto batch = at::empty({rows.numel(), width}, host.options().pinned_memory(pinned));
    auto out = batch;
    at::index_select_out(out, host, 0, rows);
    return batch.to(device, at::kFloat, /*non_blocking=*/pinned);
  }
  at::Tensor gathered(const at::Tensor& rows) const { return resident.index_select(0, rows.to(device)); }

  at::Device device;
  at::Tensor host, resident;
  std::vector<at::Tensor> order;
  at::Tensor sums;
  bool pinned;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto rows = point["rows"];
  require_device_memory(static_cast<std::size_t>(3 * batches * rows * width) * sizeof(float));
  const auto s = std::make_shared<State>(setup, rows, point["memory"] != 0);
  const auto naive = [s] { s->epoch([s](const at::Tensor& numbers) { return s->sent(numbers); }); };
  const auto optimized = [s] { s->epoch([s](const at::Tensor& numbers) { return s->gathered(numbers); }); };
  const auto device = setup.device;
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->sums.fill_(-1); },
      .answer = [s](Form) { return numbers_of(s->sums); },
      .figures = [naive, optimized, device]() -> std::vector<Figure> {
        return {sent_to_device(device, naive, optimized)};
      },
  };
}

extern constexpr Step step = checked({
    .id = "transfer/dataset_resident",
    .claim = "Batches gathered from a data set on the device are there sooner than batches that are sent.",
    .claim_ids = "xfer-dataset-resident",
    .sides = {"sent", "resident"},
    .source = {.title = "xiaohan2012/stgym",
               .url = "https://github.com/xiaohan2012/stgym",
               .where = "commit 94d4ac7, which went back to sending batches where memory ran out"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "memory:pageable"},
});

}  // namespace microbench::transfer_dataset_resident
