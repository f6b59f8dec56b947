// Redraw a progress bar ten times a second instead of in each step.
//
// Question: A bar 50 characters wide is drawn and flushed in each of 500 short steps. How much of the loop's
// time is that?
//
// To draw a bar, a program makes a line of text, writes it after a carriage return, and flushes, since
// without a line break nothing would appear. That is a call into the system for each step, and the terminal's
// program wakes up to draw it. Nobody reads more than a few lines a second: good bars look at the clock
// first.
//
// When it does not matter: where a step takes a tenth of a second or more; then there is nothing to save.
//
// A row measures 500 steps of a small training. The bar goes to a pipe that another thread empties, as a
// terminal would. The first side draws it in each step, the second if a tenth of a second has passed, and at
// the end. The last line is the same.
//
// Answer: Each drawing is a call into the system of a few microseconds, so 500 are a few milliseconds if the
// terminal keeps up: 5.7 of 46.8 ms, 12 %, on two cores of an EPYC (commit 03cee4c). On a slow terminal it is
// more. Drawn ten times a second, it is a few drawings.

#include "harness/support/fd.hpp"

#include "microbench/loop/output_file.hpp"
#include "microbench/loop/small_training.hpp"
#include "microbench/tip.hpp"

#include <fmt/format.h>

namespace microbench::loop_progress_bar {

using Clock = std::chrono::steady_clock;

constexpr int steps = 500;

std::string bar(int done) {
  constexpr std::size_t width = 50;
  const auto full = width * static_cast<std::size_t>(done) / steps;
  return fmt::format("\r{:3} % |{}{}| {}/{}", 100 * done / steps, std::string(full, '#'),
                     std::string(width - full, ' '), done, steps);
}

struct State {
  explicit State(const Setup& setup) : training(setup, 64) {}
  template <class Draws>
  void train(const Draws& draws) {
    training.restart();
    for (int i = 1; i <= steps; ++i) {
      training.step();
      if (i == steps || draws()) screen.write(bar(i));
    }
  }
  SmallTraining training;
  Screen screen;
};

void draw_now_and_then(State& s) {
  constexpr std::chrono::milliseconds pause{100};
  auto next = Clock::now() + pause;
  s.train([&] {
    const auto now = Clock::now();
    if (now < next) return false;
    next = now + pause;
    return true;
  });
}

Trial prepare(Setup& setup, const Point&) {
  const auto s = std::make_shared<State>(setup);
  return {
      .naive = [s] { s->train([] { return true; }); },
      .optimized = [s] { draw_now_and_then(*s); },
      .clear = [s] { s->screen.last().clear(); },
      .answer = [s](Form) -> Answer {
        const auto bytes = std::as_bytes(std::span(s->screen.last()));
        return std::vector<std::byte>(bytes.begin(), bytes.end());
      },
  };
}

extern constexpr Step step = checked({
    .id = "loop/progress_bar",
    .claim = "A progress bar that is drawn ten times a second shortens a loop that drew it in each step.",
    .sides = {"each step", "ten times a second"},
    .source = {.title = "tqdm",
               .url = "https://tqdm.github.io/docs/tqdm/",
               .where = "mininterval, 0.1 s by default"},
    .runs = Runs::host,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .row_seconds = 10,
});

}  // namespace microbench::loop_progress_bar
