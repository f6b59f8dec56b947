// Let event files be flushed now and then instead of after each record.
//
// Question: TensorBoard's writer flushes every two minutes. What if every scalar is flushed, or even synced
// to disk?
//
// A record of a scalar has some 60 bytes. Kept in a buffer, a thousand of them are one call into the system.
// Flushed, each is a call of a microsecond or two. Synced, each waits until the disk has it, which takes from
// tens of microseconds to milliseconds.
//
// When it does not matter: where a step takes milliseconds and a record is only flushed. What a late flush
// costs: what a reader sees lags behind, and a killed process takes with it what was still in the buffer.
//
// A row measures 200 steps of a small training with three scalars in each; `each` is what the first side does
// after every record. The second writes the buffer once, at the end. The file is the same.
//
// Answer: Flushed, each scalar is a call of a microsecond or two: little beside a step of milliseconds.
// Synced, each waits for the disk, from tens of microseconds to milliseconds, three times a step: that can
// be nearly all of the loop's time.

#include "harness/results/event_records.hpp"

#include "microbench/loop/output_file.hpp"
#include "microbench/loop/small_training.hpp"
#include "microbench/tip.hpp"

namespace microbench::loop_event_file_flush {

enum class Each : std::int64_t { flushed, synced };
constexpr Axis axes[] = {
    {.name = "each",
     .about = "what the first side does after every record: a call that writes it, or a wait for the disk as "
              "well",
     .quick = {0},
     .labels = {"flushed", "synced"}}};
constexpr int steps = 200;

struct State {
  explicit State(const Setup& setup) : training(setup, 64) {}

  /// Three scalars, as a loop logs them: the loss is read once, at the end, in both forms.
  template <class Put>
  void train(const Put& put) {
    constexpr double second = 1.8e9;  // any time: what counts is that it is the same
    training.restart();
    file.empty();
    for (int i = 0; i < steps; ++i) {
      training.step();
      for (const auto* tag : {"rate", "epoch", "samples"})
        put(results::scalar_record({second, i}, tag, static_cast<float>(i)));
    }
  }

  SmallTraining training;
  OutputFile file;
};

void write_each(State& s, Each each) {
  s.train([&](const std::string& record) {
    s.file.write(record);
    if (each == Each::synced) s.file.sync();
  });
}

void write_once(State& s, Each each) {
  std::string buffer;
  s.train([&](const std::string& record) { buffer += record; });
  s.file.write(buffer);
  if (each == Each::synced) s.file.sync();
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup);
  const auto each = static_cast<Each>(point["each"]);
  return {
      .naive = [s, each] { write_each(*s, each); },
      .optimized = [s, each] { write_once(*s, each); },
      .clear = [s] { s->file.empty(); },
      .answer = [s](Form) -> Answer { return s->file.bytes(); },
  };
}

constexpr RowCost costs[] = {{"each:synced", 16}};

extern constexpr Step step = checked({
    .id = "loop/event_file_flush",
    .claim = "Event files that are flushed at the end shorten a loop that flushed each record.",
    .sides = {"each record", "at the end"},
    .source = {.title = "PyTorch, torch.utils.tensorboard",
               .url = "https://docs.pytorch.org/docs/stable/tensorboard.html",
               .where = "SummaryWriter: max_queue 10, flush_secs 120"},
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "no figure",
                    .on_cpu = Outcome::helps,
                    .about = "each:synced"},
    .other_costs = costs,
});

}  // namespace microbench::loop_event_file_flush
