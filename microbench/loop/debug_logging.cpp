// Make a message only if somebody wants it.
//
// Question: Each step logs its tensors at debug level, and the level is set to "warning". What is still paid
// for?
//
// A logger that gets a finished message throws it away when the level is too low, but the message was
// made: values were read, numbers turned into text, strings joined. A logger that gets a way to make it, by
// arguments or a function, asks for the level first and does nothing more. Printing the norm of each gradient
// is a wait for the device for each of them.
//
// When it does not matter: for messages made of what is at hand anyway.
//
// A row measures 50 steps, each with a message on the norms of three matrices, at a level that is off. The
// first side makes the message and hands it over, the second hands over a function.
//
// Answer: Everything but the writing: the norms are computed and read, which waits for the device, and text
// is made of them, and then the logger throws it away. Hand over a function and none of it happens.

#include "microbench/loop/small_training.hpp"
#include "microbench/tip.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace microbench::loop_debug_logging {

constexpr std::int64_t smallest = 64;
constexpr Axis axes[] = {
    {.name = "width", .about = "of the layers", .values = {smallest, 512}, .quick = {smallest}}};
constexpr int steps = 50;

enum class Level { debug, warning };

/// Keeps what is at its level or above it.
struct Logger {
  Level level = Level::warning;
  std::vector<std::string> kept;
  void log(Level at, const std::string& message) {
    if (at >= level) kept.push_back(message);
  }
  template <class Make>
  void log_made(Level at, const Make& make) {
    if (at >= level) kept.push_back(make());
  }
};

struct State {
  State(const Setup& setup, std::int64_t width) : training(setup, width) {}

  std::string message(int step) const {
    std::vector<float> norms;
    for (const auto& weight : training.state()) norms.push_back(weight.norm().item<float>());
    return fmt::format("step {}: norms {:.4f}", step, fmt::join(norms, ", "));
  }
  template <class Log>
  void train(const Log& log) {
    training.restart();
    for (int i = 0; i < steps; ++i) {
      loss = training.step();
      log(i);
    }
  }

  SmallTraining training;
  Logger logger;
  at::Tensor loss;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup, point["width"]);
  return {
      .naive = [s] { s->train([s](int i) { s->logger.log(Level::debug, s->message(i)); }); },
      .optimized =
          [s] { s->train([s](int i) { s->logger.log_made(Level::debug, [&] { return s->message(i); }); }); },
      .clear = [s] { s->loss = at::full({1}, -1.0F); },
      .answer = [s](Form) { return numbers_of(s->loss); },
  };
}

constexpr RowCost costs[] = {{"width:512", 19}};

extern constexpr Step step = checked({
    .id = "loop/debug_logging",
    .claim = "Debug messages that are made only where the level is on shorten a loop whose level is off.",
    .sides = {"always made", "if wanted"},
    .source = {.title = "Python, Logging HOWTO",
               .url = "https://docs.python.org/3/howto/logging.html",
               .where = "Optimization"},
    .axes = axes,
    .prepare = prepare,
    .expectation =
        {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps, .about = "width:64"},
    .other_costs = costs,
});

}  // namespace microbench::loop_debug_logging
