#include "harness/support/spawn.hpp"

#include "harness/core/setup.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace harness::inline support {
namespace {

std::vector<char*> raw(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (auto& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

pid_t spawn(const Command& command, const Fd& input, const Fd& output) {
  std::vector<std::string> arguments{command.program.string()};
  arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
  auto environment = command.environment;  // first: getenv takes the first of two
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.get(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, command.program.c_str(), &actions, nullptr, raw(arguments).data(),
                                 raw(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw BadInput(command.program.string() +
                   ": cannot be started: " + std::generic_category().message(error));
  return pid;
}

}  // namespace harness::inline support
