// What a captured graph silently holds on to: the host's values and the addresses of its tensors.
//
// Question: The learning rate changes between two replays. Does the graph notice, and does anything report
// it?
//
// A capture notes down launches with their arguments as they are at that moment. Whatever the host does
// during the capture happens once and never again: a factor that it passes by value, a counter that it keeps,
// a branch that it takes are at every replay what they were. And a tensor is an address: a variable that is
// given another tensor afterward means nothing to the graph, which goes on reading the old one. Nothing
// fails, nothing is reported, and the results are those of an earlier batch.
//
// When it does no harm: for what never changes, and for what changes in place, as weights do. The cures for
// the rest: keep what changes in device memory, where the replayed kernel finds its present value (learning
// rates, step counters, lengths, masks instead of branches), and copy every new batch into the tensor that
// was captured. The copy is the price; `launch/graph_static_copy` measures its ways.
//
// A row counts how often each side's result was wrong. The times say little: both sides capture again in
// every run, which no program should do.
//
// Answer: No to both: the replay uses the number of the capture, and nothing reports it. Keep the learning
// rate in a tensor on the device and change that one in place.

#include "microbench/launch/capture_scene.hpp"
#include "microbench/tip.hpp"

namespace microbench::launch_graph_frozen_values {

constexpr std::string_view changes[] = {"factor", "batch"};
constexpr Axis axes[] = {case_axis(
    "changes", "what changes between capture and launch: factor: a number of the host; batch: the input",
    changes)};

Trial prepare(Setup& setup, const Point& point) {
  const bool new_factor = point["changes"] == 0;
  const auto s = std::make_shared<CaptureScene>(setup);
  return {
      .naive =
          [s, new_factor] {
            float factor = 1;
            auto input = s->in;
            const GraphExec graph(Graph(s->stream, [&] { s->scale(input, factor); }));
            if (new_factor)
              factor = 2;
            else
              input = s->b;
            graph.launch(s->stream);
          },
      .optimized =
          [s, new_factor] {
            const GraphExec graph(Graph(s->stream, [&] { s->scale_by_factor(); }));
            if (new_factor)
              s->factor.fill_(2);
            else
              s->in.copy_(s->b);
            graph.launch(s->stream);
          },
      .clear = [s] { s->start_again(); },
      .answer = [s](Form) { return numbers_of(s->out); },
      .truth = [s, new_factor] { return numbers_of(new_factor ? s->a * 2 : s->b); },
  };
}

extern constexpr Step step = checked({
    .id = "launch/graph_frozen_values",
    .claim =
        "A graph goes on with the host's values and the tensors of its capture; new ones must be copied in.",
    .claim_ids = "graph-forbidden-sync graph-static-copy",
    .source = capture_constraints,
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .naive_may_be_wrong = true,
});

}  // namespace microbench::launch_graph_frozen_values
