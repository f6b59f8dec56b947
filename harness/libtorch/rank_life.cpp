#include "harness/libtorch/rank_life.hpp"

#include "harness/core/fault.hpp"
#include "harness/core/parse_number.hpp"
#include "harness/libtorch/torch_runtime.hpp"
#include "harness/machine/heap.hpp"
#include "harness/support/json_members.hpp"
#include "harness/support/terminal.hpp"

#include <csignal>
#include <cstdlib>
#include <limits>
#include <sys/prctl.h>

namespace harness::inline libtorch {

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
