#include "harness/libtorch/rank_main.hpp"

#include "harness/core/measurement.hpp"
#include "harness/core/parse_number.hpp"
#include "harness/core/slot.hpp"
#include "harness/cuda/check.hpp"
#include "harness/libtorch/process_group.hpp"
#include "harness/libtorch/rank.hpp"
#include "harness/libtorch/torch_runtime.hpp"
#include "harness/machine/heap.hpp"
#include "harness/machine/numa.hpp"
#include "harness/run/job_place.hpp"
#include "harness/run/select.hpp"
#include "harness/support/json_members.hpp"
#include "harness/support/terminal.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <sys/prctl.h>

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

namespace {

constexpr int most_of_an_int = std::numeric_limits<int>::max();

Share share_from(const Field& field) {
  const auto share = field.entries();
  if (share.size() != 2) field.reject("expected two numbers");
  return {.number = static_cast<int>(share[0].integer(0, most_of_an_int)),
          .size = static_cast<int>(share[1].integer(1, most_of_an_int))};
}

constexpr auto call_members = [](auto& each, auto& call) {
  each("number", call.number, whole(0, most_of_an_int));
  each("size", call.size, whole(1, most_of_an_int));
  each("share", call.share,
       Way{[](const Share& share) { return Json{share.number, share.size}; }, share_from});
  each("patience_ms", call.patience,
       Way{[](std::chrono::milliseconds patience) { return patience.count(); },
           [](const Field& field) { return std::chrono::milliseconds(field.integer()); }});
  each("meeting", call.meeting);
  each("team", call.team);
  each("task", call.task,
       Way{run::task_to_json, [](const Field& field) { return run::task_from_json(field.text()); }});
};

}  // namespace

std::string call_to_json(const RankCall& call) { return one_line(json_by(call_members, call)); }

RankCall call_from_json(std::string_view text) {
  const auto document = parse_json(text, "rank");
  return read_by<RankCall>(call_members, Field(document, "rank"));
}

std::vector<std::string> arguments_of(const RankCall& call) {
  return {"--rank", std::to_string(getpid()), call_to_json(call)};
}

void live_as_rank(const std::function<void()>& life) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NAME, "rank");
  // Ctrl-C reaches the whole group; what then becomes of us is the parent's to say.
  std::signal(SIGINT, SIG_IGN);
  keep_freed_memory();
  int code = 0;
  try {
    life();
  } catch (const std::exception& error) {
    tell_lines("rank: " + host_fault(error, {}).sentence + "\n");
    code = 1;
  }
  std::fflush(nullptr);
  std::_Exit(code);  // Gloo's threads may still wait for others that will not come
}

bool is_child_of(std::string_view process) { return parse_number<pid_t>(process) == getppid(); }

bool answer_with(const Fd& socket, const Device& device, const std::function<Reply()>& work) {
  Reply reply;
  try {
    reply = work();
  } catch (const Skip& skip) {
    reply = reply_of(End::skipped, skip.what());
  } catch (const std::exception& error) {
    const auto fault = fault_of(error, device);
    reply = reply_of(End::failed, (fault.out_of_memory ? "ran out of memory: " : "") + fault.sentence);
  } catch (...) {
    reply = reply_of(End::failed, "an exception other than std::exception");
  }
  return send_message(socket, reply) && reply.end == End::done;
}

}  // namespace harness::inline libtorch
