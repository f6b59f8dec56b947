#include "harness/worker/parent_pipe.hpp"

#include "harness/support/parent.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <system_error>

namespace harness::worker {

bool keep_events_to_ourselves() {
  if (fcntl(event_fd, F_SETFD, FD_CLOEXEC) == 0) return true;
  std::fputs("tuneproof-worker: only tuneproof starts this program; run tuneproof instead\n", stderr);
  return false;
}

void tell_parent(const std::string& line) {
  std::string_view rest = line;
  while (!rest.empty()) {
    const auto n = ::write(event_fd, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw std::system_error(errno, std::generic_category(), "descriptor 3");
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
}

void die_with_parent(int& argc, char** argv) {
  if (argc <= 2 || std::string_view(argv[argc - 2]) != "--parent") return;
  end_with_parent(std::atoi(argv[argc - 1]));
  argc -= 2;
}

void leave() {
  std::fflush(nullptr);
  std::_Exit(0);
}

}  // namespace harness::worker
