// What a capture refuses: waiting for the device, and copies from memory that is not pinned.
//
// Question: An `.item()` stands within what is being captured. Does it return a stale value, fail, or wait?
//
// While a stream is captured nothing runs: what is queued is only noted down. The host has no result to wait
// for yet, and a synchronization (`.item()`, printing, `.cpu()`, any operator whose result has a size that
// depends on values) makes CUDA refuse the whole capture. LibTorch refuses copies from memory that is not
// pinned, since CUDA would have to read it there and then. These mistakes are the harmless ones: an error
// says so at once. `launch/graph_frozen_values` shows those that nothing reports.
//
// When it does no harm: where the wait comes after the launch and the copy before it, which are the two
// cures. You must still end a refused capture, or every later call on that stream fails. The owner of the
// capture does so here, whichever way the work was left, and the stream goes on as before.
//
// A row counts how often each side was wrong; a graph that was refused leaves no result. The times say
// little: both sides capture again in every run, which no program should do, and an exception takes time.
//
// Answer: It fails: CUDA refuses the capture, since nothing has run and there is no value to read. That is
// the harmless kind of mistake; wait after the replay instead.

#include "microbench/launch/capture_scene.hpp"
#include "microbench/tip.hpp"

namespace microbench::launch_graph_forbidden_sync {

constexpr std::string_view mistakes[] = {"wait", "pageable_copy"};
constexpr Axis axes[] = {case_axis("inside",
                                   "what the naive form does inside the capture: wait: reads a result; "
                                   "pageable_copy: copies from memory that is not pinned",
                                   mistakes)};

Trial prepare(Setup& setup, const Point& point) {
  const bool wait = point["inside"] == 0;
  const auto s = std::make_shared<CaptureScene>(setup);
  const auto naive = [s, wait] {
    s->capture_and_launch([&] {
      if (!wait) s->in.copy_(s->b_on_host, /*non_blocking=*/true);
      s->scale(s->in, 2);
      if (wait) s->read_first();
    });
  };
  const auto optimized = [s, wait] {
    if (!wait) s->in.copy_(s->b_on_host);
    s->capture_and_launch([&] { s->scale(s->in, 2); });
    if (wait) s->read_first();
  };
  const auto refused = [s](const std::function<void()>& form) {
    s->start_again();
    form();
    return s->refused ? 1.0 : 0.0;
  };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->start_again(); },
      .answer = [s](Form) { return numbers_of(s->out); },
      .truth = [s, wait] { return numbers_of((wait ? s->a : s->b) * 2); },
      .figures = [naive, optimized, refused]() -> std::vector<Figure> {
        return {{"captures refused", "of 1", refused(naive), refused(optimized)}};
      },
  };
}

extern constexpr Step step = checked({
    .id = "launch/graph_forbidden_sync",
    .claim = "A capture with a wait or a copy from unpinned memory inside gives no graph.",
    .claim_ids = "graph-forbidden-sync",
    .source = capture_constraints,
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .naive_may_be_wrong = true,
});

}  // namespace microbench::launch_graph_forbidden_sync
