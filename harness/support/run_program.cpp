#include "harness/support/run_program.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/spawn.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <poll.h>
#include <sstream>
#include <system_error>

namespace harness::inline support {
namespace {

using std::chrono::steady_clock;

/// All that comes; nothing where the end does not come in time.
std::optional<std::string> read_all(int fd, steady_clock::time_point end) {
  std::string all;
  std::array<char, 4096> piece{};
  while (is_ready(fd, POLLIN, {end})) {
    const auto n = ::read(fd, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return all;
    all.append(piece.data(), static_cast<std::size_t>(n));
  }
  return std::nullopt;
}

}  // namespace

std::filesystem::path find_program(const std::string& name) {
  const auto* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  std::error_code ignored;  // a folder that may not be looked into holds no program
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const auto file = std::filesystem::path(folder) / name;
        std::filesystem::is_regular_file(file, ignored))
      return file;
  return {};
}

Finished run_program(const Command& command, std::string_view input, std::chrono::milliseconds most) {
  Pipe to, from;
  // A pipe takes 64 KiB at once: nobody waits here, and nothing is written to a program that has ended.
  static_cast<void>(write_all(to.write_end.get(), input));  // where it fails, how the program ends says why
  to.write_end.close();
  const pid_t pid = spawn_named(command, {.descriptors = {{STDIN_FILENO, to.read_end.get()},
                                                          {STDOUT_FILENO, from.write_end.get()},
                                                          {STDERR_FILENO}},
                                          .on_path = true});
  from.write_end.close();
  const auto end = steady_clock::now() + most;
  auto output = read_all(from.read_end.get(), end);
  const bool in_time = output && ends_by(pid, end);
  if (!in_time) kill(pid, SIGKILL);
  const auto exit = wait_for_end(pid);
  if (!in_time)
    throw BadInput(fmt::format("{}: did not end within {:.0f} s", command.program.string(),
                               std::chrono::duration<double>(most).count()));
  return {exit, std::move(*output)};
}

}  // namespace harness::inline support
