// Two callables of another language as a step: what Python's tuneproof.compare() measures. Its functions call
// back.
#include "app/own_program.hpp"
#include "app/tuneproof.hpp"
#include <cstring>

namespace {

using namespace harness;

enum class Call { prepare, naive, optimized, clear };

/// Plain C, filled in by python/tuneproof/_pair.py: the two files change together.
struct Pair {
  const char* id;
  const char* claim;
  double tolerance;
  const char* tolerance_why;
  const char* worker;  // a program that takes a worker's arguments
  /// 0: fine; else `message` holds a sentence of at most `size` bytes.
  int (*call)(int what, char* message, std::size_t size);
  /// The same; `data` is `size` bytes, or `size` numbers where `numbers` is 1, until the next call.
  int (*answer)(int form, const void** data, std::size_t* size, int* numbers, char* message,
                std::size_t room);
};

/// What the step's functions call: a Prepare is a plain function, and a process measures one pair.
Pair& pair_of_process() {
  static Pair pair{};
  return pair;
}

using Message = std::array<char, 1000>;

void call(Call what) {
  Message message{};
  if (pair_of_process().call(static_cast<int>(what), message.data(), message.size()) != 0)
    throw std::runtime_error(message.data());
}

Answer answer_of(Form form) {
  Message message{};
  const void* data = nullptr;
  std::size_t size = 0;
  int numbers = 0;
  if (pair_of_process().answer(form == Form::naive ? 0 : 1, &data, &size, &numbers, message.data(),
                               message.size()) != 0)
    throw std::runtime_error(message.data());
  if (numbers != 0) {
    const std::span all(static_cast<const float*>(data), size);
    return std::vector<float>(all.begin(), all.end());
  }
  const std::span all(static_cast<const std::byte*>(data), size);
  return std::vector<std::byte>(all.begin(), all.end());
}

Trial prepare(Setup&, const Point&) {
  call(Call::prepare);
  return {.naive = [] { call(Call::naive); },
          .optimized = [] { call(Call::optimized); },
          .clear = [] { call(Call::clear); },
          .answer = answer_of};
}

}  // namespace

/// The commands of a program whose one step is the pair.
extern "C" [[gnu::visibility("default")]] int tuneproof_pair(int argc, char** argv, const Pair* pair) {
  pair_of_process() = *pair;
  const Step step{.id = pair->id,
                  .claim = pair->claim,
                  .source = {.title = "your own", .url = "", .where = "not published"},
                  .runs = Runs::host,
                  .prepare = prepare,
                  .expectation = {.outcome = Outcome::depends, .published = "no figure"},
                  .tolerance = {.relative = pair->tolerance, .why = pair->tolerance_why},
                  .suite = Suite::quick};
  const Step* const steps[] = {&step};
  return app::program_on(worker::host_ground(), argc, argv, steps, {.worker = pair->worker});
}
