#include "harness/ranks/rank_main.hpp"

#include "harness/core/wall_clock.hpp"
#include "harness/cuda/check.hpp"
#include "harness/libtorch/session.hpp"
#include "harness/loader/channel.hpp"
#include "harness/machine/heap.hpp"
#include "harness/machine/numa.hpp"
#include "harness/ranks/group.hpp"
#include "harness/ranks/message.hpp"
#include "harness/ranks/place.hpp"
#include "harness/ranks/seat.hpp"
#include "harness/run/find_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <sys/prctl.h>
#include <unistd.h>

namespace harness::ranks {
namespace {

constexpr int arguments = 7;

struct Parsed {
  RankCall call;
  pid_t parent = 0;
};

Parsed parse(int argc, char** argv) {
  if (argc != arguments)
    throw std::runtime_error("--rank takes a number, the size, milliseconds, the parent and a job");
  return {{std::stoi(argv[2]), std::stoi(argv[3]), std::chrono::milliseconds(std::stoll(argv[4])),
           run::job_from_json(argv[6])},
          std::stoi(argv[5])};
}

/// As rank 0's worker has it.
Setup setup_of(const run::Job& job) {
  Setup setup;
  setup.seed = job.data_seed;
  setup.round = job.round.value_or(0);
  setup.options = job.options;
  setup.loader = job.loader;
  return setup;
}

/// One rank's sets, and what is done with them.
class Member {
 public:
  Member(const RankCall& call, Steps steps)
      : found_(run::find_row(steps, call.job.rows.at(0).name, call.job.device.index)),
        setup_(setup_of(call.job)) {
    const auto cpus = cpus_of_this_thread();
    move_to(share_of(cpus, call.number, call.size));
    setup_.device = found_.device;
    setup_.stream = torch_.stream_for(found_.device);
    auto group = join({.file = fmt::format("/proc/self/fd/{}", loader::memory_number),
                       .number = call.number,
                       .size = call.size,
                       .device = found_.device,
                       .patience = call.patience});
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

  const Device& device() const { return found_.device; }

 private:
  run::StepAt found_;
  TorchSession torch_{1};
  Setup setup_;
  std::optional<Seated> seated_;
  std::vector<Trial> sets_;
};

Reply failure(End end, const std::string& why) {
  Reply reply{.end = end};
  std::memcpy(reply.why, why.data(), std::min(why.size(), sizeof reply.why - 1));
  return reply;
}

/// False where the rank has to leave: others wait in a call that it will never make, and only a closed
/// connection tells them.
template <class Work>
bool answer_with(const Fd& socket, const Device& device, const Work& work) {
  Reply reply;
  try {
    reply = work();
  } catch (const Skip& skip) {
    reply = failure(End::skipped, skip.what());
  } catch (const std::exception& error) {
    const auto fault = fault_of(error, device);
    reply =
        failure(End::failed, fault.out_of_memory ? "ran out of memory: " + fault.sentence : fault.sentence);
  } catch (...) {
    reply = failure(End::failed, "an exception other than std::exception");
  }
  return loader::send_message(socket, reply) && reply.end == End::done;
}

void serve(const RankCall& call, Steps steps) {
  const Fd socket(loader::socket_number);
  std::unique_ptr<Member> member;
  const auto joined = [&] {
    member = std::make_unique<Member>(call, steps);
    return Reply{.end = End::done};
  };
  if (!answer_with(socket, call.job.device, joined)) return;
  Request request;
  while (loader::receive_message(socket, request))
    if (!answer_with(socket, member->device(), [&] { return member->carry_out(request); })) return;
}

}  // namespace

std::vector<std::string> arguments_of(const RankCall& call) {
  return {"--rank",
          std::to_string(call.number),
          std::to_string(call.size),
          std::to_string(call.patience.count()),
          std::to_string(getpid()),
          run::job_to_json(call.job)};
}

bool is_rank_call(int argc, char** argv) { return argc > 1 && std::strcmp(argv[1], "--rank") == 0; }

int rank_main(int argc, char** argv, Steps steps) {
  // The parent's death ends a rank even in the middle of a collective.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NAME, "rank");
  std::signal(SIGINT,
              SIG_IGN);  // Ctrl-C reaches the whole group; what then becomes of us is the parent's to say
  int code = 0;
  try {
    const auto parsed = parse(argc, argv);
    keep_freed_memory();
    if (getppid() == parsed.parent) serve(parsed.call, steps);
  } catch (const std::exception& error) {
    fmt::print(stderr, "rank: {}\n", error.what());
    code = 1;
  }
  std::fflush(nullptr);
  std::_Exit(code);  // Gloo's threads may still wait for others that will not come
}

}  // namespace harness::ranks
