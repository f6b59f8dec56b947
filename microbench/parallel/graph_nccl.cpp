// Capture the exchange of gradients in a CUDA graph, together with the kernels around it.
//
// Question: 32 exchanges of 64 KiB, each behind a small kernel. How much of their time on your GPUs is the
// host's, which queues them one after the other?
//
// NCCL's exchange is a kernel on every device, and the kernels of all ranks wait for each other. The host of
// each rank queues its own, and a host that is late lets all devices wait: the ranks drift apart by what
// their processes happen to do. A graph is queued in one call. Its kernels follow each other without the
// host, so neither launch times nor the differences between hosts count.
//
// When it does not matter: if exchanges are large, and the host is far ahead of the device. What it costs:
// all that a graph does (see launch/graph_small_batch): fixed shapes and addresses. NCCL needs version 2.9.6.
//
// A row is 32 times a pass over a tensor of 64 KiB and its average over the ranks: queued each time, then
// captured once and replayed.
//
// Answer: The calls of 32 kernels and 32 exchanges, and the differences between hosts, for which all ranks
// wait. The source's graphs gave 1.12 to 1.7 times the speed, of which this is a part. With exchanges of 64
// KiB the host's share is large, with large ones small.

#include "harness/libtorch/torch_graph.hpp"

#include "microbench/parallel/parallel_training.hpp"

namespace microbench::parallel_graph_nccl {

using namespace harness;

constexpr std::int64_t values = 16 << 10;
constexpr int exchanges = 32;

struct State {
  explicit State(Setup& setup)
      : rank(rank_of(setup)),
        sum(at::zeros({values}, at::TensorOptions().device(torch_device(setup.device)))) {}
  /// Each adds 1 to the mean of all ranks.
  void pass() const {
    for (int i = 0; i < exchanges; ++i) {
      sum.add_(1);
      std::vector<at::Tensor> one{sum};
      rank->group()->allreduce(one)->wait();
      sum.div_(rank->size());
    }
  }
  std::shared_ptr<const Rank> rank;
  at::Tensor sum;
  std::unique_ptr<at::cuda::CUDAGraph> graph;
};

Trial prepare(Setup& setup, const Point&) {
  const auto s = std::make_shared<State>(setup);
  s->graph = captured([s] { s->pass(); }, [s] { s->pass(); });
  return {.naive = [s] { s->pass(); },
          .optimized = [s] { s->graph->replay(); },
          .clear = [s] { s->sum.fill_(0); },
          .answer = [s](Form) { return numbers_of(s->sum); }};
}

extern constexpr Step step = checked({
    .id = "parallel/graph_nccl",
    .claim = "Small exchanges between devices take less time as a CUDA graph than queued one by one.",
    .claim_ids = "dist-graph-nccl",
    .sides = {"queued", "graph"},
    .source = {.title = "Accelerating PyTorch with CUDA Graphs",
               .url = "https://pytorch.org/blog/accelerating-pytorch-with-cuda-graphs/",
               .where = "NCCL support for CUDA graphs"},
    .runs = Runs::cuda,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "1.12 to 1.7 times the speed, of which this is a part"},
});

}  // namespace microbench::parallel_graph_nccl
