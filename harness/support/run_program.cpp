#include "harness/support/run_program.hpp"

#include "harness/support/spawn.hpp"

#include <array>
#include <cerrno>
#include <sys/wait.h>
#include <unistd.h>

namespace harness::inline support {
namespace {

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
  static_cast<void>(write_all(to.write_end.get(), input));  // where it fails, how the program ends says why
  to.write_end.close();
  const pid_t pid = spawn_named(command, {.descriptors = {{STDIN_FILENO, to.read_end.get()},
                                                          {STDOUT_FILENO, from.write_end.get()},
                                                          {STDERR_FILENO}},
                                          .on_path = true});
  from.write_end.close();
  Finished finished;
  finished.output = read_all(from.read_end.get());
  finished.exit = wait_for_end(pid);
  return finished;
}

}  // namespace harness::inline support
