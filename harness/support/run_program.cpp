#include "harness/support/run_program.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/spawn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <optional>
#include <poll.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace harness::inline support {
namespace {

using std::chrono::steady_clock;

/// Waits until the descriptor can be read; false where that takes too long.
bool is_ready(int fd, steady_clock::time_point end) {
  pollfd ready{fd, POLLIN, 0};
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - steady_clock::now());
    const auto time =
        std::clamp<std::chrono::milliseconds::rep>(left.count(), 0, std::numeric_limits<int>::max());
    const auto found = ::poll(&ready, 1, static_cast<int>(time));
    if (found >= 0 || errno != EINTR) return found > 0;
  }
}

/// All that comes; nothing where the end does not come in time.
std::optional<std::string> read_all(int fd, steady_clock::time_point end) {
  std::string all;
  std::array<char, 4096> piece{};
  while (is_ready(fd, end)) {
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
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const auto file = std::filesystem::path(folder) / name; std::filesystem::is_regular_file(file))
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
  auto output = read_all(from.read_end.get(), steady_clock::now() + most);
  if (!output) kill(pid, SIGKILL);
  const auto exit = wait_for_end(pid);
  if (!output)
    throw BadInput(fmt::format("{}: did not end within {:.0f} s", command.program.string(),
                               std::chrono::duration<double>(most).count()));
  return {exit, std::move(*output)};
}

}  // namespace harness::inline support
