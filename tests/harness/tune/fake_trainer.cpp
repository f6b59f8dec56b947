// A worker that misbehaves on request: what it does is the value of the setting "act".
#include "harness/run/training.hpp"

#include <csignal>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>
#include <unistd.h>

namespace {

using namespace harness::run;

void put(const std::string& text) {
  if (write(3, text.data(), text.size()) < 0) _exit(9);
}

[[noreturn]] void hang() {
  for (;;) pause();
}

}  // namespace

int main() {
  const auto order = order_from_json(std::string{std::istreambuf_iterator<char>(std::cin), {}});
  const auto act = order.settings.at("act");
  if (act == "segfault") {
    std::signal(SIGSEGV, SIG_DFL);
    std::raise(SIGSEGV);
  }
  if (act == "exit") {
    std::fputs("tuneproof-worker: no room\n", stderr);
    return 1;
  }
  if (act == "nonsense") put("{]\n");
  if (act == "hang") hang();
  if (act == "bad_input")
    put(training_event_to_json(NotTrained{NotTrained::Why::bad_input, "--text: no file"}));
  if (act == "impossible")
    put(training_event_to_json(NotTrained{NotTrained::Why::impossible, "no compiler"}));
  for (int part = 1; part <= training_parts; ++part) put(training_event_to_json(PartTrained{part, 1e-3}));
  if (act == "hang_late") hang();
  put(training_event_to_json(
      Trained{.seconds_per_sample = 1e-3, .peak_bytes = 5e6, .loss = 1.5, .samples = order.amount}));
  return 0;
}
