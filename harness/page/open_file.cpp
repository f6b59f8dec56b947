#include "harness/page/open_file.hpp"

#include "harness/core/setup.hpp"

#include <fmt/format.h>

#include <array>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <system_error>
#include <unistd.h>

namespace harness::page {
namespace {

/// In a session of its own, without our terminal: closing that must not close a browser.
int start(std::array<char*, 3> words) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t files;
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, words[0], &files, &attributes, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

void open_file(const std::filesystem::path& file) {
  std::string program = "xdg-open";
  auto path = std::filesystem::absolute(file).string();
  if (const int error = start({program.data(), path.data(), nullptr}); error != 0)
    throw BadInput(fmt::format("{} is written, but {} cannot show it: {}", file.string(), program,
                               std::generic_category().message(error)));
}

}  // namespace harness::page
