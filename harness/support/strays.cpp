#include "harness/support/strays.hpp"

#include <csignal>
#include <fstream>
#include <sys/wait.h>
#include <system_error>
#include <thread>

namespace harness::inline support {
namespace {

constexpr std::chrono::milliseconds between_looks{2};  // at a process that is to end

/// What a child has left behind: as its nearest reaper we inherit it when the child ends. Not the `others`,
/// which are nothing to us: a shell that becomes this program leaves us its jobs. (This program has one child
/// at a time.)
std::set<pid_t> strays_beside(const std::set<pid_t>& others) {
  auto all = children_of_ours();
  std::erase_if(all, [&](pid_t child) { return others.contains(child); });
  return all;
}

}  // namespace

std::set<pid_t> children_of_ours() {
  std::set<pid_t> all;
  std::error_code ignored;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child = 0; children >> child;) all.insert(child);
  }
  return all;
}

/// Again and again, since a stray that ends leaves us what it has started itself.
void end_strays(const std::set<pid_t>& others) {
  const auto until = std::chrono::steady_clock::now() + time_to_be_gone;
  for (auto strays = strays_beside(others); !strays.empty() && std::chrono::steady_clock::now() < until;
       strays = strays_beside(others)) {
    for (const auto stray : strays) ::kill(stray, SIGKILL);
    std::this_thread::sleep_for(between_looks);
    for (const auto stray : strays) waitpid(stray, nullptr, WNOHANG);
  }
}

}  // namespace harness::inline support
