// Bring the next batch to the device on a second stream while the current one is trained.
//
// Question: What share of an epoch can copies on a second stream save at most, and at `width:4096`?
//
// A loop that copies a batch and then trains on it keeps copy engine and multiprocessors waiting for each
// other, even with pinned memory: in one stream the next copy waits for the whole training step. On its own
// stream the next batch arrives during the step, and the copy's time disappears as long as it is the shorter
// of the two.
//
// Two waits keep it right, both on the device. The training waits for the event after its batch's copy; a
// copy waits for the event after the last step that read the same buffer.
//
// When it does not matter: where copying is a small part of a step (`width:4096`: long products), since no
// more than the copy can be hidden; where the host fills the pinned buffers too slowly. To fetch further
// ahead (`depth`) only helps against steps or copies of unequal length.
//
// A row trains two layers for 16 batches of 16 MiB that lie in pinned memory, always on the timed stream.
//
// Answer: The copy's share of an epoch, up to half where copy and step take equally long. At `width:4096`
// the step is far longer than the copy, so little. On the H200 here (commit 7400cad, width 1024) it was 37
// %.

#include "microbench/overlap/side_streams.hpp"
#include "microbench/overlap/torch_work.hpp"
#include "microbench/tip.hpp"

namespace microbench::overlap_prefetch_batch {

constexpr Axis axes[] = {
    {.name = "width", .about = "of the hidden layer", .values = {512, 1024, 4096}, .quick = {1024}},
    {.name = "depth", .about = "batches that are fetched ahead", .values = {1, 3}, .quick = {1}}};
constexpr std::size_t batches = 16;
constexpr std::int64_t batch = 4096;
constexpr std::int64_t features = 1024;

struct State {
  State(std::int64_t width, std::size_t depth, at::Device device)
      : net(batch, features, width, device), copied(depth + 1), trained(depth + 1) {
    const auto options = at::TensorOptions().device(device).dtype(at::kFloat);
    for (std::size_t i = 0; i < batches; ++i)
      host.push_back(at::full({batch, features}, static_cast<double>(i + 1) / 16, at::kFloat).pin_memory());
    for (std::size_t i = 0; i <= depth; ++i) ring.push_back(at::empty({batch, features}, options));
  }
  void copy(std::size_t i, const Stream& stream) const {
    check(cudaMemcpyAsync(ring[i % ring.size()].data_ptr(), host[i].data_ptr(), host[i].nbytes(),
                          cudaMemcpyHostToDevice, stream.get()));
  }
  /// Copies behind the step that last used the buffer.
  void fetch(std::size_t i) const {
    trained[i % ring.size()].hold(side[0]);
    copy(i, side[0]);
    copied[i % ring.size()].record(side[0]);
  }
  TwoLayers net;
  SideStreams side{1};
  std::vector<Event> copied, trained;
  std::vector<at::Tensor> host, ring;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto depth = static_cast<std::size_t>(point["depth"]);
  const auto& stream = *setup.stream;
  require_device_memory(std::size_t{512} << 20);
  const auto s = std::make_shared<State>(point["width"], depth, torch_device(setup.device));

  return {
      .naive =
          [s, &stream] {
            for (std::size_t i = 0; i < batches; ++i) {
              s->copy(i, stream);
              s->net.train(s->ring[i % s->ring.size()]);
            }
          },
      .optimized =
          [s, &stream, depth] {
            s->side.fork(stream);
            for (std::size_t i = 0; i < depth; ++i) s->fetch(i);
            for (std::size_t i = 0; i < batches; ++i) {
              if (i + depth < batches) s->fetch(i + depth);
              s->copied[i % s->ring.size()].hold(stream);
              s->net.train(s->ring[i % s->ring.size()]);
              s->trained[i % s->ring.size()].record(stream);
            }
            s->side.join(stream);
          },
      .clear = [s] { s->net.start_over(); },
      .answer = [s](Form) { return numbers_of(s->net.w2); },
      .timer = Timer::event,
  };
}

extern constexpr Step step = checked({
    .id = "overlap/prefetch_batch",
    .claim = "Copying the next batch on a second stream while this one is trained hides the copy's time.",
    .claim_ids = "ovl-prefetch-batch",
    .sides = {"same stream", "second stream"},
    .source = cuda_semantics("Use pinned memory buffers"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "width:1024"},
    .tolerance = {.relative = 1e-5, .why = "a product's sums may be split otherwise from call to call"},
    .suite = Suite::quick,
});

}  // namespace microbench::overlap_prefetch_batch
