#include "harness/watch/measured_tips.hpp"

#include "harness/core/setup.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace harness::watch {
namespace {

/// Our descriptors, but for standard output, which is our standard error. The exit status is that of wait().
int run_to_stderr(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = -1;
  const int failed = posix_spawn(&child, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = -1;
  if (failed == 0)
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  return status;
}

}  // namespace

std::filesystem::path measure_tips(const catalogue::Program& program, const std::vector<std::string>& steps,
                                   bool on_device, const std::filesystem::path& folder) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  auto file = folder / fmt::format("tips.{}.json", milliseconds);
  std::vector<std::string> words{program.self.string(), "run"};
  words.insert(words.end(), steps.begin(), steps.end());
  words.insert(words.end(), {"--device", on_device ? "auto" : "cpu", "--json", file.string()});
  run_to_stderr(std::move(words));
  if (!std::filesystem::exists(file)) throw BadInput("--measure: the tips could not be measured");
  return file;
}

}  // namespace harness::watch
