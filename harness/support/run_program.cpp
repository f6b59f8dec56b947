#include "harness/support/run_program.hpp"

#include "harness/core/setup.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace harness::inline support {
namespace {

std::vector<char*> raw(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (auto& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

pid_t start(const Command& command, const Pipe& input, const Pipe& output) {
  std::vector<std::string> arguments{command.program.string()};
  arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
  auto environment = command.environment;  // first: getenv takes the first of two
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.read_end.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.write_end.get(), STDOUT_FILENO);
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

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return;  // it does not read; how it ends says why
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::string read_all(int fd) {
  std::string all;
  std::array<char, 4096> piece{};
  for (;;) {
    const auto n = ::read(fd, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return all;
    all.append(piece.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace

Finished run_program(const Command& command, std::string_view input) {
  Pipe to, from;
  // A pipe takes 64 KiB at once: nobody waits here, and nothing is written to a program that has ended.
  write_all(to.write_end.get(), input);
  to.write_end.close();
  const pid_t pid = start(command, to, from);
  from.write_end.close();
  Finished finished;
  finished.output = read_all(from.read_end.get());
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  finished.exit = WIFSIGNALED(status) ? Exit{0, WTERMSIG(status)} : Exit{WEXITSTATUS(status), 0};
  return finished;
}

}  // namespace harness::inline support
