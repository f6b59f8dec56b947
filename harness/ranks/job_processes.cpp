#include "harness/ranks/job_processes.hpp"

#include "harness/core/setup.hpp"
#include "harness/ranks/job_message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

namespace harness::ranks {
namespace {

using std::chrono::milliseconds;

/// A rank that another process of the job has started. That process watches it, and says what becomes of it.
class RankOfJob : public OtherRank {
 public:
  RankOfJob(Store store, const RankCall& call)
      : store_(std::move(store)),
        orders_(orders_of(call.number)),
        replies_(replies_of(call.team, call.number)) {
    send({Order::start, call_to_json(call)});
  }
  ~RankOfJob() override {
    try {
      send({Order::leave});
    } catch (const std::exception&) {  // the store is gone, and that process with it
    }
  }

  void ask(std::string_view message) override { send({Order::request, std::string(message)}); }
  bool has_news(Time until) override {
    const auto left = std::chrono::ceil<milliseconds>(until - std::chrono::steady_clock::now());
    return left.count() > 0 ? comes(store_, replies_, left) : waits(store_, replies_);
  }
  Reply answer(Time until) override {
    constexpr milliseconds way{2000};  // of what that process says when its own patience has ended
    if (!has_news(until + way)) return reply_of(End::silent, "did not answer");
    const auto bytes = store_->queuePop(replies_, false);
    return reply_from({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

 private:
  void send(const JobMessage& message) { store_->queuePush(orders_, to_bytes(message)); }

  Store store_;
  std::string orders_, replies_;
};

}  // namespace

JobProcesses::JobProcesses(const std::string& meeting, milliseconds patience)
    : meeting_(meeting), patience_(patience) {
  const auto place = run::meeting_from_json(meeting);
  const auto whole = reach_store(place.address, place.port, patience);
  if (!whole)
    throw BadInput(fmt::format("nobody listens any more at {}:{}, where this job's processes have met",
                               place.address, place.port));
  store_ = part_of(whole, place.prefix);
  team_ = fmt::format("team/{}", store_->add("teams", 1));
  for (int rank = 0; std::cmp_less(rank, place.nodes.size()); ++rank)
    all_.push_back(whereabouts_from_json(store_->get_to_str(whereabouts_of(rank))));
}

std::string JobProcesses::name_of(int rank) const {
  return fmt::format("rank {} on {}", rank, all_[static_cast<std::size_t>(rank)].node);
}

std::unique_ptr<OtherRank> JobProcesses::start(const RankCall& call) const {
  return std::make_unique<RankOfJob>(store_, call);
}

void JobProcesses::require_started() const {
  const auto until = std::chrono::steady_clock::now() + patience_;
  for (int rank = 1; rank < size(); ++rank) {
    const auto left = std::chrono::ceil<milliseconds>(until - std::chrono::steady_clock::now());
    if (!comes(store_, started_by(team_, rank), left))
      throw BadInput(fmt::format("{} has not answered for {:.3g} s: its process has ended or hangs",
                                 name_of(rank), std::chrono::duration<double>(patience_).count()));
  }
}

}  // namespace harness::ranks
