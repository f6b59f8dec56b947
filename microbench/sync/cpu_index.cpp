// Send an index that was made on the host yourself, pinned and without a wait, before you index with it.
//
// Question: 50 times, rows of a device tensor are taken by an index that lies on the host. The index is 8
// KiB. What is the wait for those bytes, and how often does it come?
//
// `x[index]` takes an index on the host for a tensor on the device, and says nothing of what it does: it
// sends the index first, from ordinary memory, and the host waits for it behind everything that was queued,
// in PyTorch 2.15 as before. An index in pinned memory that you send with non_blocking is queued like any
// kernel. A mask on the host no longer waits: since pull request 156384 (2025) PyTorch turns it into an index
// on the host, in pinned memory, and only queues the copy. Before, it waited like an index. A mask on the
// device is another case: there the host must ask how many rows it selects (sync/dynamic_shape_ops).
//
// When it does not matter: where the index was made on the device, as it should be where it follows from what
// lies there; where the host waits right afterward anyway. On the CPU nothing is sent. What it costs: a
// pinned buffer may be written again only when its copy has run, so keep one for each step in flight.
//
// A row measures 50 selections of 1,024 of 65,536 rows of 16 numbers, each with a kernel before it.
//
// Answer: It comes in each of the 50: the host waits until the device has come that far, and the device then
// idles until the next kernel is queued. The 8 KiB themselves are little. A mask on the host waits as often
// before pull request 156384, and not since. The row shows how much it is on your GPU.

#include "microbench/host_time.hpp"
#include "microbench/tip.hpp"
#include "microbench/values.hpp"

namespace microbench::sync_cpu_index {

enum By : std::int64_t { numbers, mask };
constexpr Axis axes[] = {
    {.name = "by",
     .about = "what lies on the host. numbers: of the rows; mask: true where a row is taken",
     .labels = {"numbers", "mask"}}};
constexpr int loop = 50;
constexpr std::int64_t rows = 65'536;
constexpr std::int64_t every = 64;  // one row in so many is taken

struct State {
  explicit State(const Setup& setup)
      : x(normal_values(setup, {rows, 16})),
        scaled(at::empty_like(x)),
        mask(at::arange(rows, at::kLong).remainder(every).eq(0)),
        index(mask.nonzero().squeeze(1)) {
    for (int i = 0; i < loop; ++i)
      pinned.push_back(at::empty_like(index, index.options().pinned_memory(true)));
  }
  void select_by_host(std::int64_t by) {
    for (int i = 0; i < loop; ++i) {
      at::mul_out(scaled, x, x);
      taken = scaled.index({by == By::mask ? mask : index});
    }
  }
  void select_by_sent(std::int64_t by) {
    for (const auto& sent : pinned) {
      at::mul_out(scaled, x, x);
      sent.copy_(by == By::mask ? mask.nonzero().squeeze(1) : index);
      taken = scaled.index({sent.to(x.device(), at::kLong, /*non_blocking=*/true)});
    }
  }
  at::Tensor x, scaled, mask, index, taken;
  std::vector<at::Tensor> pinned;  // one for each step in flight
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup);
  const auto& stream = *setup.stream;
  const auto naive = [s, by = point["by"]] { s->select_by_host(by); };
  const auto optimized = [s, by = point["by"]] { s->select_by_sent(by); };
  return {
      .naive = naive,
      .optimized =
          [optimized, &stream] {
            optimized();
            stream.synchronize();  // the pinned indices are written again in the next run
          },
      .clear = [s] { s->taken = at::full_like(s->x, -1); },
      .answer = [s](Form) { return numbers_of(s->taken); },
      .figures = [naive, optimized]() -> std::vector<Figure> { return {host_kept(naive, optimized)}; },
  };
}

extern constexpr Step step = checked({
    .id = "sync/cpu_index",
    .claim = "Indexing a device tensor by an index on the host waits each time; a pinned index does not.",
    .sides = {"index on the host", "sent without a wait"},
    .source = {"PyTorch", "https://github.com/pytorch/pytorch/pull/156384", "pull request 156384"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
});

}  // namespace microbench::sync_cpu_index
