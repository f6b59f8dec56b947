#include "harness/watch/measured_tips.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/parent.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/spawn.hpp"
#include "harness/trace/resemblance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <unistd.h>
#include <utility>

namespace harness::watch {

std::filesystem::path measure_tips(const catalogue::Program& program, const std::vector<std::string>& steps,
                                   const trace::Diagnosis& diagnosis, const std::string& within,
                                   const std::filesystem::path& folder) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  auto file = folder / fmt::format("tips.{}.json", milliseconds);
  make_folders_of(file);  // without a trace of ours there is none
  std::vector<std::string> words{"run"};
  const bool on_device = diagnosis.device_activity;
  for (const auto& id : steps) {
    const auto step = std::ranges::find(program.catalogue.steps, id, &catalogue::Step::id);
    const auto* row =
        trace::most_alike(*step, on_device ? Device::Kind::cuda : Device::Kind::cpu, diagnosis.program);
    if (row != nullptr) words.push_back(row->name);
  }
  words.insert(words.end(),
               {"--device", on_device ? "auto" : "cpu", "--budget", within, "--json", file.string()});
  // Standard output may be somebody's.
  wait_for_end(
      spawn(again(program.self, std::move(words)), {.descriptors = {{STDOUT_FILENO, STDERR_FILENO}}}));
  if (!std::filesystem::exists(file)) throw BadInput("--measure: the tips could not be measured");
  return file;
}

}  // namespace harness::watch
