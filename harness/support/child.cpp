#include "harness/support/child.hpp"

#include "harness/core/setup.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace harness::inline support {
namespace {

constexpr int event_fd = 3;
constexpr int memory_fd = 4;
constexpr std::chrono::milliseconds patience{5000};  // for a child to read
constexpr std::chrono::milliseconds glance{2};       // between two looks at a process that is to end

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&raw_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { posix_spawn_file_actions_destroy(&raw_); }
  void put(int from, int to) { posix_spawn_file_actions_adddup2(&raw_, from, to); }
  const posix_spawn_file_actions_t* get() const { return &raw_; }

 private:
  posix_spawn_file_actions_t raw_;
};

/// A group of its own, so that Ctrl-C reaches only us and we can end the child with all it started; signals
/// as a fresh program expects them.
class Attributes {
 public:
  Attributes() {
    posix_spawnattr_init(&raw_);
    sigset_t set;
    sigemptyset(&set);
    posix_spawnattr_setsigmask(&raw_, &set);
    for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&set, s);
    posix_spawnattr_setsigdefault(&raw_, &set);
    posix_spawnattr_setpgroup(&raw_, 0);
    posix_spawnattr_setflags(&raw_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { posix_spawnattr_destroy(&raw_); }
  const posix_spawnattr_t* get() const { return &raw_; }

 private:
  posix_spawnattr_t raw_;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (auto& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// Ours, with the additions first: getenv takes the first of two.
std::vector<std::string> environment_with(const std::vector<std::string>& additions) {
  auto all = additions;
  for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
  return all;
}

std::set<pid_t> children_of_ours() {
  std::set<pid_t> all;
  std::error_code ignored;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child = 0; children >> child;) all.insert(child);
  }
  return all;
}

/// What a child has left behind: as its nearest reaper we inherit it when the child ends. Not the `others`,
/// which are nothing to us: a shell that becomes this program leaves us its jobs. (This program has one child
/// at a time.)
std::set<pid_t> strays_beside(const std::set<pid_t>& others) {
  auto all = children_of_ours();
  std::erase_if(all, [&](pid_t child) { return others.contains(child); });
  return all;
}

/// Again and again, since a stray that ends leaves us what it has started itself.
void end_strays(const std::set<pid_t>& others) {
  const auto until = std::chrono::steady_clock::now() + time_to_be_gone;
  for (auto strays = strays_beside(others); !strays.empty() && std::chrono::steady_clock::now() < until;
       strays = strays_beside(others)) {
    for (const auto stray : strays) ::kill(stray, SIGKILL);
    std::this_thread::sleep_for(glance);
    for (const auto stray : strays) waitpid(stray, nullptr, WNOHANG);
  }
}

}  // namespace

std::string to_string(const Exit& exit) {
  if (exit.signal == 0) return "exited with " + std::to_string(exit.code);
  const char* name = sigdescr_np(exit.signal);
  return fmt::format("was killed by signal {} ({})", exit.signal, name != nullptr ? name : "unknown");
}

Child::Child(const Command& command) : others_(children_of_ours()) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  Pipe input, said, events;
  FileActions actions;
  actions.put(input.read_end.get(), STDIN_FILENO);
  actions.put(said.write_end.get(), STDOUT_FILENO);
  actions.put(said.write_end.get(), STDERR_FILENO);
  actions.put(events.write_end.get(), event_fd);
  if (command.memory >= 0) actions.put(command.memory, memory_fd);
  const Attributes attributes;
  std::vector<std::string> arguments{command.program.string()};
  arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
  auto environment = environment_with(command.environment);
  const int error = posix_spawn(&pid_, command.program.c_str(), actions.get(), attributes.get(),
                                pointers(arguments).data(), pointers(environment).data());
  if (error != 0) {
    pid_ = -1;
    throw BadInput(command.program.string() +
                   ": cannot be started: " + std::generic_category().message(error));
  }
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
  exit_ = WIFSIGNALED(status) ? Exit{0, WTERMSIG(status)} : Exit{WEXITSTATUS(status), 0};
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

}  // namespace harness::inline support
