#include "harness/watch/announcer.hpp"

#include <fmt/format.h>

namespace harness::watch {

std::vector<std::string> Announcer::news(const Notes& notes, double now) {
  std::vector<std::string> sentences;
  for (; traces_ < notes.traces.size(); ++traces_) {
    const auto& trace = notes.traces[traces_];
    sentences.push_back(fmt::format("{}: {}; the diagnosis follows when the program ends", steps_text(trace),
                                    trace.file.string()));
  }
  if (!no_step_ && notes.torch && !notes.stepped && now - *notes.torch > patience_seconds) {
    no_step_ = true;
    sentences.emplace_back(
        "a minute after torch was imported neither an optimizer has stepped nor, without an optimizer, a "
        "DataLoader given a batch; the watch goes on");
  }
  return sentences;
}

std::string steps_text(const KeptTrace& trace) {
  if (trace.steps == 1) return fmt::format("step {}", trace.first);
  return fmt::format("steps {} to {}", trace.first, trace.first + trace.steps - 1);
}

}  // namespace harness::watch
