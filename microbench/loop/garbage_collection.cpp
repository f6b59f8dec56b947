// Decide yourself when Python collects garbage.
//
// Question: A loop in Python makes 20,000 samples of small objects in each epoch. What share of its time
// goes into looking for garbage that is not there?
//
// Python frees an object when nothing refers to it anymore. Only cycles stay, and for these the collector
// walks over objects: over the young ones after every 700 or 2,000 that were made and kept (the version
// decides), over all of them now and then. (Python 3.14.0 to 3.14.4 walked over a part of the old ones each
// time instead; 3.14.5 took that back for the memory it needed.) A data set that is a list of dictionaries is
// walked again and again, and nothing in it is garbage. `gc.disable()` with a `gc.collect(1)` every 50 steps
// chooses the moment, which also keeps the ranks of a distributed training in step. `gc.freeze()` takes what
// is there now out of all later walks.
//
// When it does not matter: where a sample is one tensor or array, which is one object, whose numbers the
// collector does not look at, and in C++, which has no collector. What it costs: cycles live longer, so
// memory grows where many are made.
//
// A row measures an epoch of a loop in Python, beside 200,000 samples that stay: it makes its list of
// samples, and batches of 32 of them. The first side leaves the collector as Python sets it.
//
// Answer: The row says how much here: with 200,000 objects that stay, each walk over all of them finds
// nothing. The published gain is 1.5 % of an iteration (512 GPUs), where the ranks stay in step because all
// of them collect at one moment.

#include "microbench/loop/gc_script.hpp"
#include "microbench/python_side.hpp"
#include "microbench/tip.hpp"

namespace microbench::loop_garbage_collection {

constexpr Axis axes[] = {
    {.name = "how",
     .about = "manual: gc.disable(), and gc.collect(1) every 50 steps; frozen: gc.freeze() before the loop",
     .quick = {0},
     .labels = {"manual", "frozen"}}};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = python_side(setup, "loop/garbage_collection", gc_script());
  const std::string how = axes[0].text(point["how"]);
  return {
      .naive = [s] { s->seen = s->python.ask("epoch"); },
      .optimized = [s] { s->seen = s->python.ask("epoch"); },
      .clear = [s] { s->seen.clear(); },
      .answer = [s](Form) -> Answer { return s->seen_bytes(); },
      .before_slot = [s, how](Form form) { s->python.ask(form == Form::naive ? "automatic" : how); },
  };
}

extern constexpr Step step = checked({
    .id = "loop/garbage_collection",
    .claim = "A loop in Python that collects garbage by hand is shorter than one that leaves it to Python.",
    .sides = {"automatic", "by hand"},
    .source = {.title = "PyTorch, torchtitan",
               .url = "https://github.com/pytorch/torchtitan/pull/148",
               .where = "control over Python garbage collection"},
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "1.5 % per iteration on 512 GPUs, since ranks stay in step",
                    .on_cpu = Outcome::helps},
    .row_seconds = 20,
});

}  // namespace microbench::loop_garbage_collection
