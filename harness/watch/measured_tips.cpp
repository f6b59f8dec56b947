#include "harness/watch/measured_tips.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/spawn.hpp"

#include <fmt/format.h>

#include <chrono>
#include <unistd.h>
#include <utility>

namespace harness::watch {

std::filesystem::path measure_tips(const catalogue::Program& program, const std::vector<std::string>& steps,
                                   bool on_device, const std::filesystem::path& folder) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  auto file = folder / fmt::format("tips.{}.json", milliseconds);
  std::vector<std::string> words{"run"};
  words.insert(words.end(), steps.begin(), steps.end());
  words.insert(words.end(), {"--device", on_device ? "auto" : "cpu", "--json", file.string()});
  // Standard output may be somebody's.
  wait_for_end(spawn({program.self, std::move(words)}, {.descriptors = {{STDOUT_FILENO, STDERR_FILENO}}}));
  if (!std::filesystem::exists(file)) throw BadInput("--measure: the tips could not be measured");
  return file;
}

}  // namespace harness::watch
