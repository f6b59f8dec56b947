#include "harness/ranks/rank_life.hpp"

#include "harness/core/fault.hpp"
#include "harness/core/parse_number.hpp"
#include "harness/libtorch/torch_runtime.hpp"
#include "harness/machine/heap.hpp"
#include "harness/support/field.hpp"
#include "harness/support/terminal.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <sys/prctl.h>
#include <unistd.h>

namespace harness::ranks {

std::string call_to_json(const RankCall& call) {
  const Json json{{"number", call.number},
                  {"size", call.size},
                  {"share", {call.share.number, call.share.size}},
                  {"patience_ms", call.patience.count()},
                  {"meeting", call.meeting},
                  {"team", call.team},
                  {"task", run::task_to_json(call.task)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

RankCall call_from_json(std::string_view text) {
  constexpr int most = std::numeric_limits<int>::max();
  const auto document = parse_json(text, "rank");
  const Field json(document, "rank");
  RankCall call;
  call.number = static_cast<int>(json["number"].integer(0, most));
  call.size = static_cast<int>(json["size"].integer(1, most));
  const auto share = json["share"].entries();
  if (share.size() != 2) json["share"].reject("expected two numbers");
  call.share.number = static_cast<int>(share[0].integer(0, most));
  call.share.size = static_cast<int>(share[1].integer(1, most));
  call.patience = std::chrono::milliseconds(json["patience_ms"].integer());
  call.meeting = json["meeting"].text();
  call.team = json["team"].text();
  call.task = run::task_from_json(json["task"].text());
  return call;
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
  return loader::send_message(socket, reply) && reply.end == End::done;
}

}  // namespace harness::ranks
