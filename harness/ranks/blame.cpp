#include "harness/ranks/blame.hpp"

#include "harness/loader/channel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <string_view>
#include <vector>

namespace harness::ranks {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// How near to the cause a rank is, the nearest first.
enum class Guilt { died, threw, silent, lost_another, none };

struct Finding {
  Guilt guilt = Guilt::none;
  std::string sentence;
};

bool has_news(const RankProcess& rank, steady_clock::time_point until) {
  const auto left = std::chrono::duration_cast<milliseconds>(until - steady_clock::now()).count();
  pollfd socket{rank.socket().get(), POLLIN, 0};
  return poll(&socket, 1, static_cast<int>(std::max<std::int64_t>(left, 0))) > 0;
}

bool says(std::string_view reason, std::string_view words) { return reason.find(words) != reason.npos; }

/// Gloo's and NCCL's words for a peer that is gone or late.
bool speaks_of_another(std::string_view reason) {
  return says(reason, "gloo/") || says(reason, "NCCL") || says(reason, "not all ranks came");
}

/// True of a process that a signal has stopped: the letter behind the name in /proc/PID/stat.
bool is_stopped(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto name_end = text.rfind(')');
  return name_end != std::string::npos && name_end + 2 < text.size() && text[name_end + 2] == 'T';
}

std::string death_of(RankProcess& rank) {
  const auto how = rank.how_it_ended();
  return says(how, "signal 9") ? how + ", as the kernel does when memory runs out" : how;
}

Finding silence_of(const RankProcess& rank, const std::string& name, milliseconds patience) {
  const auto* stopped = is_stopped(rank.process()) ? "is stopped and " : "";
  const auto seconds = static_cast<double>(patience.count()) / 1000;
  return {Guilt::silent, fmt::format("{} {}did not finish within {:.3g} s", name, stopped, seconds)};
}

Finding look_at(RankProcess& rank, int number, Reply reply, steady_clock::time_point until,
                milliseconds patience) {
  const auto name = fmt::format("rank {} (process {})", number, rank.process());
  if (reply.end == End::open) {
    if (!has_news(rank, until)) return silence_of(rank, name, patience);
    if (!loader::receive_message(rank.socket(), reply)) return {Guilt::died, name + " " + death_of(rank)};
  }
  if (reply.end == End::done) return {};
  const std::string why = reply.why;
  return {speaks_of_another(why) ? Guilt::lost_another : Guilt::threw,
          fmt::format("rank {}: {}", number, why)};
}

}  // namespace

std::string who_broke_it(std::span<RankProcess> others, std::span<const Reply> replies,
                         const std::string& own_reason, milliseconds patience) {
  constexpr milliseconds grace{1000};
  const auto until = steady_clock::now() + grace;
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < others.size(); ++i)
    findings.push_back(look_at(others[i], static_cast<int>(i) + 1, replies[i + 1], until, patience));
  if (!own_reason.empty() && !speaks_of_another(own_reason))
    findings.push_back({Guilt::threw, "rank 0: " + own_reason});
  const auto first = std::ranges::min_element(findings, {}, &Finding::guilt);
  if (first == findings.end() || first->guilt == Guilt::none) return "rank 0: " + own_reason;
  return first->sentence;
}

}  // namespace harness::ranks
