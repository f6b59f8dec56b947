// Add up neighbors by an operator that fits: index_add, or rows whose edges lie together.
//
// Question: 24,000 edges each bring a row of 256 numbers to one of 4,000 nodes. Of a scatter, an index_add, a
// sum by compressed rows and a segment_reduce, which takes a quarter of the time of another, and which is the
// slowest?
//
// Message passing is mostly written with a row for each edge: gather the source's row, then `scatter_add` it
// into the target's. A scatter takes an index for each number, so that the targets are expanded to 256
// columns; it looks all of them up, and can assume nothing of their order. `index_add` takes one index a row
// and adds whole rows. A sampler, or a graph in compressed rows, gives edges that are sorted by target. An
// operator that knows where each target's edges begin then reads the sources' rows itself. It copies no row
// for each edge, forward or backward, and needs no atomics on a GPU. In PyTorch that is `embedding_bag`, or
// the product of a sparse CSR matrix with the features. `segment_reduce` knows the segments too, but reads
// rows that were gathered before.
//
// When it does not matter: where the products around it take most of a layer's time, or rows are of few
// numbers. When it hurts: `by:segment_reduce` on a CPU runs its backward pass on one thread; edges in no
// order must be sorted first, in each step if the graph changes.
//
// A row measures the sum of neighbors and its backward pass, from the features to their gradient: the first
// side by index_select and scatter_add.
//
// Answer: Compressed rows, which copy no row for an edge, take about a quarter of segment_reduce's time, the
// slowest on a CPU: 4.57 and 21.3 ms on two cores of an EPYC (commit 3623156). scatter and index_add lie
// between. In the source a step took a quarter less with sorted segments instead of index_add.

#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::gnn_aggregate {

enum By : std::int64_t { index_add, rows, segment_reduce };
constexpr Axis axes[] = {{.name = "by",
                          .about = "what adds up. rows: embedding_bag, which reads the sources' rows itself",
                          .labels = {"index_add", "rows", "segment_reduce"}}};
constexpr std::int64_t nodes = 4000;
constexpr std::int64_t edges = 24000;
constexpr std::int64_t width = 256;

struct State {
  explicit State(const Setup& setup) : x(normal_values(setup, {nodes, width})) {
    const auto draw = [&](std::uint64_t which) {
      return normal_values(setup, {edges}, which).mul(1e6).to(at::kLong).remainder(nodes);
    };
    sources = draw(1);
    targets = std::get<0>(draw(2).sort());
    degrees = at::bincount(targets, {}, nodes);
    offsets = at::cat({at::zeros({1}, degrees.options()), degrees.cumsum(0)});
    gradient = normal_values(setup, {nodes, width}, 3);
    x.requires_grad_();
  }
  at::Tensor messages() const { return x.index_select(0, sources); }
  at::Tensor zeros() const { return at::zeros({nodes, width}, x.options().requires_grad(false)); }

  at::Tensor scattered() const {
    const auto each = messages();
    return zeros().scatter_add(0, targets.unsqueeze(1).expand_as(each), each);
  }
  at::Tensor added(std::int64_t by) const {
    if (by == index_add) return zeros().index_add(0, targets, messages());
    if (by == segment_reduce) return at::segment_reduce(messages(), "sum", degrees);
    constexpr std::int64_t sum = 0;
    return std::get<0>(at::embedding_bag(x, sources, offsets, /*scale_grad_by_freq=*/false, sum,
                                         /*sparse=*/false, /*per_sample_weights=*/{},
                                         /*include_last_offset=*/true));
  }
  void step(const at::Tensor& sums) {
    x.mutable_grad().reset();
    sums.backward(gradient);
    seen = sums.detach();
  }

  at::Tensor x, sources, targets, degrees, offsets, gradient, seen;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup);
  return {
      .naive = [s] { s->step(s->scattered()); },
      .optimized = [s, by = point["by"]] { s->step(s->added(by)); },
      .clear =
          [s] {
            s->seen = at::full_like(s->gradient, -1);
            s->x.mutable_grad() = at::full_like(s->gradient, -1);
          },
      .answer = [s](Form) -> Answer { return numbers_of(at::stack({s->seen, s->x.grad()})); },
  };
}

extern constexpr Step step = checked({
    .id = "gnn/aggregate",
    .claim = "Adding up neighbors by index_add or by compressed rows is faster than by a scatter.",
    .sides = {"scatter", "another sum"},
    .source = {"deepmd-kit", "https://github.com/deepmodeling/deepmd-kit/pull/4813", "pull request 4813"},
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "0.76 -> 0.56 s a step (index_add -> sorted segments)",
                    .about = "by:rows"},
    .tolerance = {.relative = 1e-5, .why = "rows are added in another order"},
});

}  // namespace microbench::gnn_aggregate
