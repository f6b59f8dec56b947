#include "harness/programs/timed_run.hpp"

#include "harness/core/setup.hpp"
#include "harness/programs/last_match.hpp"
#include "harness/support/child.hpp"
#include "harness/support/fd.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>

namespace harness::programs {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_questions{500};  // whether a run is to be stopped, or waits

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

Fd input_of(const std::filesystem::path& file) {
  if (std::filesystem::is_fifo(file))
    throw BadInput(fmt::format("--input {}: a pipe can be read only once; name a file", file.string()));
  if (std::filesystem::is_directory(file))
    throw BadInput(fmt::format("--input {}: is a folder; name a file", file.string()));
  Fd input(open(file.empty() ? "/dev/null" : file.c_str(), O_RDONLY | O_CLOEXEC));
  if (input.get() < 0) throw BadInput(fmt::format("--input {}: {}", file.string(), std::strerror(errno)));
  return moved_up(std::move(input));
}

/// True if the kernel has stopped the child: a group in the background may neither read the terminal nor
/// change it. It keeps the terminal all the same, since sudo knows by it who has given the password.
bool waits_for_terminal(pid_t child) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(child), &info, WSTOPPED | WNOHANG) == 0 && info.si_pid == child &&
         (info.si_status == SIGTTIN || info.si_status == SIGTTOU);
}

/// What the command says, many lines at a time. A progress bar's carriage return ends a line, too.
class Listener {
 public:
  Listener(const RunOrder& order, TimedRun& run) : order_(order), run_(run) {}

  /// Takes what is there without waiting, a part of it where that is much; false once nobody can say more.
  bool read(int fd) {
    const auto before = said_.size();
    said_.resize(before + most_at_once);
    const auto n = ::read(fd, said_.data() + before, most_at_once);
    said_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    const auto end = said_.find_last_of("\r\n");
    const bool unbroken = end == std::string::npos && said_.size() >= longest_line;
    hear(unbroken ? said_.size() : end + 1);  // 0 where no line has ended
    return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
  }

  /// What is left in the pipe when the command has ended.
  void finish(int fd) {
    pollfd ready{fd, POLLIN, 0};
    while (fd >= 0 && poll(&ready, 1, 0) > 0 && read(fd)) continue;
    hear(said_.size());
  }

 private:
  static constexpr std::size_t most_at_once = std::size_t{1} << 16;  // what a pipe holds

  void hear(std::size_t size) {
    const auto lines = std::string_view(said_).substr(0, size);
    if (const auto last = last_line(lines); !last.empty()) run_.last_line = last;
    if (order_.heard && size > 0) order_.heard(lines);
    said_.erase(0, size);
  }

  const RunOrder& order_;
  TimedRun& run_;
  std::string said_;  // of which the last line has not ended
};

/// A command that has been started.
class Started {
 public:
  explicit Started(const RunOrder& order) : others_(children_of_ours()) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const auto input = input_of(order.input);
    Pipe said;
    sigset_t none;
    sigemptyset(&none);
    const SpawnOptions options{
        .descriptors = {{STDIN_FILENO, input.get()},
                        {STDOUT_FILENO, order.heard ? said.write_end.get() : -1},
                        {STDERR_FILENO, order.may_leave_processes ? STDERR_FILENO : said.write_end.get()}},
        .closed_from = STDERR_FILENO + 1,
        .group = SpawnOptions::Group::its_own,
        .blocked = none,
        .default_signals = true,
        .on_path = true};
    begin_ = steady_clock::now();
    pid_ = spawn_named(order.command, options);
    ended_ = Fd(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
    said_ = std::move(said.read_end);
    set_nonblocking(said_.get());
  }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;
  ~Started() {
    if (pid_ <= 0) return;
    end_group();
    wait_for_end(pid_);
    end_strays(others_);
  }

  /// Listens until it has ended, the time is up, or a signal has come.
  void follow(const RunOrder& order, SignalWatch& signals, Listener& listener, TimedRun& run) {
    std::array<pollfd, 3> watched{
        pollfd{ended_.get(), POLLIN, 0}, {signals.fd(), POLLIN, 0}, {said_.get(), POLLIN, 0}};
    auto asked = begin_;
    for (;;) {
      const auto now = steady_clock::now();
      const auto left = std::min<Seconds>(begin_ + order.timeout - now, order.end - now);
      const auto wait = std::clamp(left.count() * 1000 + 1, 0.0, 600.0);
      poll(watched.data(), watched.size(), static_cast<int>(wait));
      run.seconds = Seconds(steady_clock::now() - begin_).count();
      if (watched[1].revents != 0) {  // first: what ends both of us is no failure of the command
        const auto signal = signals.take();
        if (signal && !(order.outlasts && order.outlasts(*signal))) {
          run.signal = signal;
          return end_group();
        }
      }
      if (watched[0].revents != 0) return;
      if (left.count() <= 0) {
        run.timed_out = true;
        return end_group();
      }
      if (steady_clock::now() - asked > between_questions) {
        asked = steady_clock::now();
        run.asked_terminal = waits_for_terminal(pid_);
        run.stopped = order.stop && order.stop();
        if (run.asked_terminal || run.stopped) return end_group();
      }
      if (watched[2].revents != 0 && !listener.read(said_.get())) watched[2].fd = -1;
    }
  }

  /// Takes leave of it, and of all that it has started.
  void end(const RunOrder& order, Listener& listener, TimedRun& run) {
    if (!order.may_leave_processes) end_group();
    int status = 0;
    rusage usage{};
    while (wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) continue;
    pid_ = -1;
    run.exit = exit_of(status);
    run.cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    run.peak_bytes = static_cast<double>(usage.ru_maxrss) * 1024;
    run.switches = usage.ru_nivcsw;
    if (!order.may_leave_processes) end_strays(others_);
    listener.finish(said_.get());
  }

 private:
  void end_group() const { ::kill(-pid_, SIGKILL); }

  std::set<pid_t> others_;  // children that this process had before
  pid_t pid_ = -1;
  Fd ended_, said_;
  steady_clock::time_point begin_;
};

}  // namespace

TimedRun run_timed(const RunOrder& order, SignalWatch& signals) {
  TimedRun run;
  Listener listener(order, run);
  Started command(order);
  command.follow(order, signals, listener, run);
  command.end(order, listener, run);
  return run;
}

std::string why_failed(const TimedRun& run, const std::string& timeout) {
  if (run.timed_out) return fmt::format("it took longer than {} (--timeout)", timeout);
  if (run.asked_terminal)
    return "it asked the terminal for input, which nobody answers here: let it read a file (--input), or "
           "give it what it asks for before";
  if (run.exit == Exit{}) return {};
  const auto said = run.last_line.empty() ? std::string() : "; it said: " + printable(run.last_line);
  return "it " + to_string(run.exit) + said;
}

bool came_to_end(const TimedRun& run) {
  constexpr int not_executable = 126, not_found = 127, killed = 128, signals = 64;
  const auto code = run.exit.code;
  const bool of_shell =
      code == not_executable || code == not_found || (code > killed && code <= killed + signals);
  return !run.timed_out && !run.asked_terminal && run.exit.signal == 0 && !of_shell;
}

}  // namespace harness::programs
