#include "harness/watch/remarks.hpp"

#include "harness/watch/announcer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace harness::watch {
namespace {

namespace fs = std::filesystem;

/// What a trace without a device is good for.
std::string host_only_text(const trace::Diagnosis& diagnosis) {
  if (diagnosis.device_activity || diagnosis.verdict.regime != trace::Regime::unknown) return "";
  return "tuneproof: the program used no GPU in these steps, so what bounds it is not judged; the tables of "
         "the host show where its time went\n";
}

std::string others_text(const Notes& notes, std::size_t diagnosed) {
  if (notes.traces.size() <= diagnosed) return "";
  return fmt::format("tuneproof: {} in all lie in {}; this is the diagnosis of the last\n",
                     fmt::format("{} traces", notes.traces.size()),
                     notes.traces.front().file.parent_path().string());
}

std::string early_text(const Notes& notes, const fs::path& file) {
  const auto* trace = kept_trace(notes, file);
  if (trace == nullptr || !trace->early) return "";
  const auto steps = notes.most_steps ? fmt::format(" after {} steps", *notes.most_steps) : std::string();
  return fmt::format(
      "tuneproof: the program ended{}, before step times had settled: this is the diagnosis of {}, which may "
      "still hold its start\n",
      steps, steps_text(trace->first, trace->steps));
}

}  // namespace

const KeptTrace* kept_trace(const Notes& notes, const fs::path& file) {
  const auto found = std::ranges::find(notes.traces, file, &KeptTrace::file);
  return found == notes.traces.end() ? nullptr : &*found;
}

std::string remarks(const Notes& notes, const std::vector<fs::path>& diagnosed,
                    const trace::Diagnosis& diagnosis) {
  return others_text(notes, diagnosed.size()) + early_text(notes, diagnosed.front()) +
         host_only_text(diagnosis);
}

}  // namespace harness::watch
