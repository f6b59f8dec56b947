#include "harness/support/parent.hpp"

#include "harness/support/terminal.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <sys/prctl.h>
#include <unistd.h>
#include <utility>

namespace harness::inline support {
namespace {

constexpr std::string_view parent_option = "--parent";

}  // namespace

void end_with_parent(pid_t parent, int signal) {
  prctl(PR_SET_PDEATHSIG, signal);
  if (getppid() == parent) return;  // else it ended before the line above, or never was it
  tell(fmt::format("process {} is not, or no longer, the parent of this one; --parent is for tuneproof alone",
                   parent));
  std::_Exit(1);
}

Command again(const std::filesystem::path& self, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {std::string(parent_option), std::to_string(getpid())});
  return {self, std::move(arguments)};
}

void take_parent(int& argc, char**& argv) {
  if (argc < 3 || argv[1] != parent_option) return;
  end_with_parent(std::atoi(argv[2]), SIGTERM);
  argv[2] = argv[0];
  argv += 2;
  argc -= 2;
}

}  // namespace harness::inline support
