#include "harness/libtorch/rank_main.hpp"

#include "harness/core/wall_clock.hpp"
#include "harness/cuda/check.hpp"
#include "harness/libtorch/message.hpp"
#include "harness/libtorch/place.hpp"
#include "harness/libtorch/process_group.hpp"
#include "harness/libtorch/rank_life.hpp"
#include "harness/libtorch/seat.hpp"
#include "harness/libtorch/torch_runtime.hpp"
#include "harness/machine/numa.hpp"
#include "harness/run/find_row.hpp"
#include "harness/run/job_place.hpp"
#include "harness/support/channel.hpp"

#include <fmt/format.h>

#include <cstring>

namespace harness::inline libtorch {
namespace {

/// As rank 0's worker has it.
Setup setup_of(const run::Task& task) {
  Setup setup;
  setup.seed = task.data_seed;
  setup.round = task.round.value_or(0);
  setup.options = task.options;
  setup.loader = task.loader;
  return setup;
}

Meeting meeting_of(const RankCall& call, const Device& device) {
  Meeting meeting{.number = call.number, .size = call.size, .device = device, .patience = call.patience};
  if (call.meeting.empty())
    meeting.file = fmt::format("/proc/self/fd/{}", memory_number);
  else
    meet_at(meeting, run::meeting_from_json(call.meeting), call.team);
  return meeting;
}

/// One rank's sets, and what is done with them.
class Member {
 public:
  Member(const RankCall& call, Steps steps)
      : found_(run::find_row(steps, call.task.rows.at(0).name, call.task.device.index)),
        setup_(setup_of(call.task)) {
    const auto cpus = cpus_of_this_thread();
    move_to(share_of(cpus, call.share.number, call.share.size));
    if (!call.meeting.empty()) require_devices(found_.device, 1);  // rank 0 has looked on its own node only
    setup_.device = found_.device;
    setup_.stream = torch_.stream_for(found_.device);
    auto group = join(meeting_of(call, found_.device));
    seated_.emplace(setup_, std::make_shared<const Rank>(call.number, call.size, std::move(group), cpus));
  }

  Reply carry_out(const Request& request) {
    if (request.act == Act::prepare) {
      sets_.push_back(found_.step->prepare(setup_, found_.point));
      return {.end = End::done};
    }
    const auto& set = sets_.at(static_cast<std::size_t>(request.set));
    const auto& form = request.form == Form::naive ? set.naive : set.optimized;
    Reply reply{.end = End::done};
    switch (request.act) {
      case Act::prepare:
        break;
      case Act::clear:
        set.clear();
        break;
      case Act::before_slot:
        set.before_slot(request.form);
        break;
      case Act::warm_up:
        set.warm_up ? set.warm_up(request.form) : form();
        break;
      case Act::answer:
        reply.answer = digest_of(set.answer(request.form));
        break;
      case Act::figures:
        set.figures();
        break;
      case Act::run: {
        const auto cpu_before = cpu_seconds();
        reply.seconds = host_seconds([&] {
          form();
          if (found_.device.is_cuda()) check(cudaDeviceSynchronize());
        });
        reply.cpu_seconds = cpu_seconds() - cpu_before;
        break;
      }
    }
    return reply;
  }

 private:
  run::StepAt found_;
  TorchRuntime torch_{1};
  Setup setup_;
  std::optional<Seated> seated_;
  std::vector<Trial> sets_;
};

void serve(const RankCall& call, Steps steps) {
  std::unique_ptr<Member> member;
  serve_rank_0<Request>(
      call.task.device, [&] { member = std::make_unique<Member>(call, steps); },
      [&](const Request& request) { return member->carry_out(request); });
}

}  // namespace

bool is_rank_call(int argc, char** argv) { return argc > 1 && std::strcmp(argv[1], "--rank") == 0; }

int rank_main(int argc, char** argv, Steps steps) {
  live_as_rank([&] {
    if (argc != 4) throw std::runtime_error("--rank takes the parent and a call");
    if (is_child_of(argv[2])) serve(call_from_json(argv[3]), steps);
  });
}

}  // namespace harness::inline libtorch
