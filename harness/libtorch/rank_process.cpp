#include "harness/libtorch/rank_process.hpp"

#include "harness/support/channel.hpp"

#include <fmt/format.h>

#include <csignal>
#include <fstream>
#include <poll.h>

namespace harness::inline libtorch {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// True of a process that a signal has stopped: the letter behind the name in /proc/PID/stat.
bool is_stopped(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto name_end = text.rfind(')');
  return name_end != std::string::npos && name_end + 2 < text.size() && text[name_end + 2] == 'T';
}

}  // namespace

RankProcess::RankProcess(const std::string& executable, const RankCall& call, const Fd& meeting)
    : RankProcess(call.patience, start_process({executable, arguments_of(call)}, meeting)) {}

RankProcess::RankProcess(milliseconds patience, StartedProcess started)
    : patience_(patience), process_(started.process), socket_(std::move(started.socket)) {}

RankProcess::~RankProcess() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);  // it owns nothing that would need a farewell
  how_it_ended(process_);
}

void RankProcess::ask(std::string_view message) { send_bytes(socket_, message); }

bool RankProcess::has_news(Time until) {
  const auto left = std::chrono::ceil<milliseconds>(until - steady_clock::now()).count();
  pollfd socket{socket_.get(), POLLIN, 0};
  return poll(&socket, 1, static_cast<int>(std::max<std::int64_t>(left, 0))) > 0;
}

Reply RankProcess::answer(Time until) {
  Reply reply;
  if (!has_news(until)) return silence();
  if (receive_message(socket_, reply)) return reply;
  const auto process = process_;
  auto how = how_it_ended(process_);
  if (how.find("signal 9") != std::string::npos) how += ", as the kernel does when memory runs out";
  return reply_of(End::died, fmt::format("(process {}) {}", process, how));
}

Reply RankProcess::silence() const {
  const auto* stopped = is_stopped(process_) ? "is stopped and " : "";
  return reply_of(End::silent, fmt::format("(process {}) {}did not finish within {:.3g} s", process_, stopped,
                                           std::chrono::duration<double>(patience_).count()));
}

}  // namespace harness::inline libtorch
