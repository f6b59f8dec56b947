#include "harness/support/child.hpp"

#include "harness/support/terminal.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>

namespace harness::inline support {
namespace {

constexpr std::chrono::milliseconds patience{5000};  // for a child to read
constexpr std::chrono::milliseconds glance{2};       // between two looks at a process that is to end

}  // namespace

Child::Child(const Command& command) : others_(children_of_ours()) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  Pipe input, said, events;
  const int heard = said.write_end.get();
  std::vector<SpawnOptions::Descriptor> descriptors{{STDIN_FILENO, input.read_end.get()},
                                                    {STDOUT_FILENO, heard},
                                                    {STDERR_FILENO, heard},
                                                    {event_fd, events.write_end.get()}};
  if (command.memory >= 0) descriptors.push_back({memory_fd, command.memory});
  sigset_t none;
  sigemptyset(&none);
  // A group of its own, so that Ctrl-C reaches only us and we can end the child with all it started; signals
  // as a fresh program expects them.
  pid_ = spawn_named(command, {.descriptors = std::move(descriptors),
                               .group = SpawnOptions::Group::its_own,
                               .blocked = none,
                               .default_signals = true});
  input_ = std::move(input.write_end);
  said_ = std::move(said.read_end);
  events_ = std::move(events.read_end);
  set_nonblocking(said_.get());
  set_nonblocking(events_.get());
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      others_(std::move(other.others_)),
      exit_(other.exit_),
      input_(std::move(other.input_)),
      said_(std::move(other.said_)),
      events_(std::move(other.events_)) {}

Child::~Child() {
  if (pid_ > 0) kill();
}

void Child::send(std::string_view text) {
  set_nonblocking(input_.get());
  while (!text.empty()) {
    const auto n = ::write(input_.get(), text.data(), text.size());
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
    if (n > 0 || (n < 0 && errno == EINTR)) continue;
    pollfd ready{input_.get(), POLLOUT, 0};
    if (n < 0 && errno != EAGAIN) break;
    if (::poll(&ready, 1, static_cast<int>(patience.count())) == 0) break;
  }
  input_.close();
}

std::optional<Exit> Child::poll() {
  if (exit_ || pid_ <= 0) return exit_;
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != pid_)
    return std::nullopt;
  // What it has started may live on in its group; once it is reaped, the group's number could be another's.
  ::kill(-pid_, SIGKILL);
  int status = 0;
  waitpid(pid_, &status, 0);
  exit_ = exit_of(status);
  end_strays(others_);
  return exit_;
}

std::optional<Exit> Child::wait(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (!poll() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(glance);
  return exit_;
}

void Child::kill() {
  if (poll()) return;
  ::kill(-pid_, SIGKILL);
  wait(time_to_be_gone);
}

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
