#include "harness/programs/announcer.hpp"

#include <fmt/format.h>

namespace harness::programs {

std::vector<std::string> Announcer::news(const Notes& notes, double now) {
  std::vector<std::string> sentences;
  for (; packing_ < notes.packing.size() && now - notes.packing[packing_].time > packing_seconds; ++packing_)
    if (const auto& packing = notes.packing[packing_]; !packing.done)
      sentences.push_back(fmt::format("the program waits while the profiler packs {}",
                                      steps_text(packing.first, packing.steps)));
  for (; traces_ < notes.traces.size(); ++traces_) {
    const auto& trace = notes.traces[traces_];
    sentences.push_back(fmt::format("{}: {}; the diagnosis follows when the program ends",
                                    steps_text(trace.first, trace.steps), trace.file.string()));
  }
  if (!no_step_ && notes.torch && !notes.stepped && now - *notes.torch > patience_seconds) {
    no_step_ = true;
    sentences.emplace_back(
        "a minute after torch was imported no step was seen: no optimizer has stepped, and without one no "
        "DataLoader given a batch and no backward pass ended; the watch goes on");
  }
  return sentences;
}

std::string steps_text(std::int64_t first, std::int64_t steps) {
  return steps == 1 ? fmt::format("step {}", first) : fmt::format("steps {} to {}", first, first + steps - 1);
}

}  // namespace harness::programs
