// What rank 0 and the others say to each other over a socket: what to do next, and what came of it.
#pragma once

#include "harness/core/step.hpp"

namespace harness::inline libtorch {

enum class Act : std::int32_t { prepare, clear, before_slot, warm_up, run, answer, figures };

/// To a rank: do this with that set.
struct Request {
  Act act = Act::prepare;
  Form form = Form::naive;
  std::int64_t set = 0;
};

/// `open`: no reply yet. Of its last two a rank says nothing: it has died, or does not speak in time.
enum class End : std::int64_t { open, done, skipped, failed, died, silent };

/// From a rank: the request is done, or why it could not be; it then leaves.
struct Reply {
  End end = End::open;
  double seconds = 0;        // of a run, by this rank's own clock
  double cpu_seconds = 0;    // of a run, all threads of this rank
  std::uint64_t answer = 0;  // digest_of() what this rank has computed
  char why[480] = {};
};

/// A request or a reply, as it lies in memory: all nodes of a job have the same kind of processor.
template <class Message>
std::string as_text(const Message& message) {
  return {reinterpret_cast<const char*>(&message), sizeof message};
}

/// One with a reason, of which as much is kept as fits.
Reply reply_of(End end, std::string_view why);

/// The same number for the same bits. 0 of an empty answer: the rank has no say.
std::uint64_t digest_of(const Answer& answer);

}  // namespace harness::inline libtorch
