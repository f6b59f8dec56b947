#include "harness/libtorch/other_ranks.hpp"

#include "harness/core/same_answer.hpp"
#include "harness/libtorch/torch_runtime.hpp"
#include "harness/support/channel.hpp"

#include <fmt/format.h>

#include <csignal>
#include <fstream>
#include <poll.h>

namespace harness::inline libtorch {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// How near to the cause a rank is, the nearest first.
enum class Guilt { died, threw, silent, lost_another, none };

struct Finding {
  Guilt guilt = Guilt::none;
  std::string sentence;
};

bool says(std::string_view reason, std::string_view words) { return reason.find(words) != reason.npos; }

/// Gloo's and NCCL's words for a peer that is gone or late.
bool speaks_of_another(std::string_view reason) {
  return says(reason, "gloo/") || says(reason, "NCCL") || says(reason, "not all ranks came");
}

Finding look_at(const std::string& name, const Reply& reply) {
  const std::string why = reply.why;
  if (reply.end == End::done || reply.end == End::open) return {};
  if (reply.end == End::died) return {Guilt::died, name + " " + why};
  if (reply.end == End::silent) return {Guilt::silent, name + " " + why};
  return {speaks_of_another(why) ? Guilt::lost_another : Guilt::threw, name + ": " + why};
}

/// What a row may well end with, on one process too.
bool is_no_trouble(const std::exception& error) {
  return dynamic_cast<const Skip*>(&error) != nullptr || dynamic_cast<const BadInput*>(&error) != nullptr ||
         dynamic_cast<const Disagreement*>(&error) != nullptr;
}

}  // namespace

std::string who_broke_it(std::span<const std::string> names, std::span<const Reply> replies,
                         const std::string& own_reason) {
  std::vector<Finding> findings;
  for (std::size_t i = 1; i < replies.size(); ++i) findings.push_back(look_at(names[i], replies[i]));
  const auto own = fmt::format("{}: {}", names[0], own_reason);
  if (!own_reason.empty() && !speaks_of_another(own_reason)) findings.push_back({Guilt::threw, own});
  const auto first = std::ranges::min_element(findings, {}, &Finding::guilt);
  return first == findings.end() || first->guilt == Guilt::none ? own : first->sentence;
}

std::vector<std::string> rank_names(int size) {
  std::vector<std::string> names;
  for (int rank = 0; rank < size; ++rank) names.push_back(fmt::format("rank {}", rank));
  return names;
}

OtherRanks::OtherRanks(std::vector<std::string> names, const Device& device, milliseconds patience)
    : names_(std::move(names)), device_(device), patience_(patience), replies_(names_.size()) {}

void OtherRanks::together(std::string_view message, const std::function<void()>& own) {
  if (!broken_.empty()) throw std::runtime_error(broken_);
  for (auto& reply : replies_) reply.end = End::open;
  // Who is gone is noticed where its reply is awaited.
  if (!message.empty())
    for (const auto& other : others_) other->ask(message);
  try {
    own();
  } catch (const std::exception& error) {
    if (!is_no_trouble(error)) give_up(fault_of(error, device_).sentence);
    leave(error.what());
    throw;
  }
  for (std::size_t i = 0; i < others_.size(); ++i) await(i);
}

bool OtherRanks::somebody_spoke() const {
  return std::ranges::any_of(others_, [](const auto& other) { return other->has_news(steady_clock::now()); });
}

void OtherRanks::await(std::size_t other) {
  auto& reply = replies_[other + 1];
  reply = others_[other]->answer(steady_clock::now() + patience_);
  if (reply.end != End::done) give_up("");
}

void OtherRanks::leave(const std::string& reason) {
  broken_ = reason;
  others_.clear();  // what waits for them in this process then ends at once
}

void OtherRanks::give_up(const std::string& own_reason) {
  constexpr milliseconds grace{1000};
  const auto until = steady_clock::now() + grace;
  for (std::size_t i = 0; i < others_.size(); ++i)
    if (replies_[i + 1].end == End::open) replies_[i + 1] = others_[i]->answer(until);
  if (const auto skipped = std::ranges::find(replies_, End::skipped, &Reply::end);
      skipped != replies_.end()) {
    leave(skipped->why);
    throw Skip(broken_);
  }
  leave(who_broke_it(names_, replies_, own_reason));
  throw std::runtime_error(broken_);
}

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
