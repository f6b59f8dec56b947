#include "harness/ranks/rank_life.hpp"

#include "harness/core/fault.hpp"
#include "harness/core/parse_number.hpp"
#include "harness/libtorch/torch_runtime.hpp"
#include "harness/machine/heap.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <sys/prctl.h>
#include <unistd.h>

namespace harness::ranks {

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
    fmt::print(stderr, "rank: {}\n", host_fault(error, {}).sentence);
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
