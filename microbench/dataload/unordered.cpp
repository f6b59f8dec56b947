// Take batches as they become ready instead of in their order.
//
// Question: One batch in 16 takes 16 times as long. How much of an epoch is waiting for its turn, and how
// much with even batches?
//
// A loader that promises the order holds back every batch that is ready before its turn. LibTorch's
// DataLoader also asks its workers for a new batch only when it hands one out: while the training waits for a
// slow one, the workers finish their requests, and then they idle too. Without the promise the loader hands
// out a ready batch at once and requests a new one; the slow one costs the time of one worker and no more.
//
// What it costs: the order of the batches, and with it the last bits of the weights, differ from run to run,
// so that a run cannot be repeated exactly. A sampler that puts similar samples together loses some of its
// effect, since slow batches come late.
//
// When it does not matter: where batches take equally long (`batches:even`: the same mean, no variance);
// where the training is slower than the slowest batch; without workers.
//
// A row measures epochs of LibTorch's own DataLoader: 64 batches, four threads, its own queue of twice as
// many jobs. Even batches take 0.48 ms to arrive; of the uneven ones one in 16 takes 4 ms and the others 0.25
// ms. The answer is a sum over the batches, which says that each came once, in whatever order.
//
// Answer: A slow batch takes 4 ms instead of 0.25 ms. In order everything behind it waits, and the workers
// idle, too; without order it costs one worker's time. With even batches nobody waits for a turn, and both
// sides take equally long.

#include "microbench/dataload/epoch.hpp"
#include "microbench/dataload/sources.hpp"
#include "microbench/tip.hpp"

#include <torch/data/dataloader.h>
#include <torch/data/datasets/base.h>
#include <torch/data/samplers/sequential.h>

namespace microbench::dataload_unordered {

constexpr Axis axes[] = {
    {.name = "batches",
     .about = "uneven: one in 16 takes 4 ms to arrive, the others 0.25 ms; even: each takes 0.48 ms",
     .labels = {"uneven", "even"}},
};
constexpr std::size_t batches = 64;
constexpr std::size_t batch_bytes = 4 << 10;
constexpr std::size_t workers = 4;

using Bytes = std::vector<std::byte>;

/// A batch source as LibTorch wants it. Copied into each worker.
class Samples : public torch::data::datasets::BatchDataset<Samples, Bytes> {
 public:
  explicit Samples(const BatchSource& source) : source_(source) {}
  Bytes get_batch(c10::ArrayRef<std::size_t> indices) override {
    Bytes batch(batch_bytes);
    source_.produce(static_cast<std::int64_t>(indices[0]), batch);
    return batch;
  }
  std::optional<std::size_t> size() const override { return batches; }

 private:
  BatchSource source_;
};

auto make_loader(const BatchSource& source, bool in_order) {
  auto options = torch::data::DataLoaderOptions(1).workers(workers).enforce_ordering(in_order);
  return torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(Samples(source), options);
}

template <class Loader>
std::uint64_t epoch(Loader& loader) {
  std::uint64_t sum = 0;
  for (const auto& batch : loader) sum += checksum_of(batch);
  return sum;
}

Trial prepare(Setup&, const Point& point) {
  const auto& source = point["batches"] == 0 ? uneven_source : even_source;
  const std::shared_ptr ordered = make_loader(source, true);
  const std::shared_ptr unordered = make_loader(source, false);
  const auto seen = std::make_shared<std::uint64_t>(0);

  return {
      .naive = [seen, ordered] { *seen = epoch(*ordered); },
      .optimized = [seen, unordered] { *seen = epoch(*unordered); },
      .clear = [seen] { *seen = 0; },
      .answer = [seen](Form) { return bytes_of(*seen); },
  };
}

extern constexpr Step step = checked({
    .id = "dataload/unordered",
    .claim = "A DataLoader that need not keep the order of the batches finishes an epoch sooner.",
    .claim_ids = "data-unordered",
    .sides = {"in order", "as ready"},
    .source = {.title = "LibTorch, DataLoaderOptions",
               .url = "https://github.com/pytorch/pytorch/blob/main/torch/csrc/api/include/torch/data/"
                      "dataloader_options.h",
               .where = "enforce_ordering"},
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "batches:uneven"},
});

}  // namespace microbench::dataload_unordered
