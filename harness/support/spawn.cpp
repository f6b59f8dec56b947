#include "harness/support/spawn.hpp"

#include "harness/core/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace harness::inline support {
namespace {

class FileActions {
 public:
  explicit FileActions(const SpawnOptions& wanted) {
    posix_spawn_file_actions_init(&raw_);
    for (const auto& [number, ours] : wanted.descriptors)
      ours < 0 ? posix_spawn_file_actions_addopen(&raw_, number, "/dev/null", O_RDWR, 0)
               : posix_spawn_file_actions_adddup2(&raw_, ours, number);
    if (wanted.closed_from) posix_spawn_file_actions_addclosefrom_np(&raw_, *wanted.closed_from);
  }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { posix_spawn_file_actions_destroy(&raw_); }
  const posix_spawn_file_actions_t* get() const { return &raw_; }

 private:
  posix_spawn_file_actions_t raw_{};
};

class Attributes {
 public:
  explicit Attributes(const SpawnOptions& wanted) {
    posix_spawnattr_init(&raw_);
    using Group = SpawnOptions::Group;
    int flags = 0;
    if (wanted.group == Group::its_own) flags |= POSIX_SPAWN_SETPGROUP;
    if (wanted.group == Group::its_own_session) flags |= POSIX_SPAWN_SETSID;
    if (wanted.blocked) {
      flags |= POSIX_SPAWN_SETSIGMASK;
      posix_spawnattr_setsigmask(&raw_, &*wanted.blocked);
    }
    flags |= POSIX_SPAWN_SETSIGDEF;
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGXFSZ);  // that only programs of ours ignore: require_surroundings
    if (wanted.default_signals)
      for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) sigaddset(&ending, signal);
    posix_spawnattr_setsigdefault(&raw_, &ending);
    posix_spawnattr_setflags(&raw_, static_cast<short>(flags));
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { posix_spawnattr_destroy(&raw_); }
  const posix_spawnattr_t* get() const { return &raw_; }

 private:
  posix_spawnattr_t raw_{};
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (auto& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> words_of(const Command& command) {
  std::vector<std::string> words{command.program.string()};
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  return words;
}

std::string_view name_of(std::string_view variable) { return variable.substr(0, variable.find('=')); }

std::vector<std::string> environment_with(const std::vector<std::string>& given) {
  auto all = given;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (std::ranges::find(given, name_of(*entry), name_of) == given.end()) all.emplace_back(*entry);
  return all;
}

}  // namespace

std::string to_string(const Exit& exit) {
  if (exit.signal == 0) return fmt::format("exited with {}", exit.code);
  const char* name = sigdescr_np(exit.signal);
  return fmt::format("was killed by signal {} ({})", exit.signal, name != nullptr ? name : "unknown");
}

Exit exit_of(int status) {
  return WIFSIGNALED(status) ? Exit{0, WTERMSIG(status)} : Exit{WEXITSTATUS(status), 0};
}

bool ends_by(pid_t child, std::chrono::steady_clock::time_point time) {
  for (;;) {
    siginfo_t info{};
    const auto asked = waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
    if (info.si_pid == child || (asked != 0 && errno != EINTR)) return true;
    if (std::chrono::steady_clock::now() > time) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

Exit wait_for_end(pid_t child) {
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return exit_of(status);
}

pid_t spawn(const Command& command, const SpawnOptions& options) {
  const FileActions actions(options);
  const Attributes attributes(options);
  auto words = words_of(command);
  auto environment = environment_with(command.environment);
  pid_t pid = -1;
  const auto start = options.on_path ? posix_spawnp : posix_spawn;
  const int error = start(&pid, words.front().c_str(), actions.get(), attributes.get(),
                          pointers(words).data(), pointers(environment).data());
  if (error != 0)
    throw std::system_error(error, std::generic_category(), words.front() + ": cannot be started");
  return pid;
}

pid_t spawn_named(const Command& command, const SpawnOptions& options) {
  try {
    return spawn(command, options);
  } catch (const std::system_error& error) {
    throw BadInput(error.what());
  }
}

void become(const Command& command) {
  auto words = words_of(command);
  auto environment = environment_with(command.environment);
  execve(words.front().c_str(), pointers(words).data(), pointers(environment).data());
  throw BadInput(words.front() + ": cannot be started: " + std::generic_category().message(errno));
}

}  // namespace harness::inline support
