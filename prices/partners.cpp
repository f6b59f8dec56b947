#include "prices/partners.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/libtorch/session.hpp"
#include "harness/loader/channel.hpp"
#include "harness/loader/start_process.hpp"
#include "harness/machine/heap.hpp"
#include "harness/machine/numa.hpp"
#include "harness/ranks/blame.hpp"
#include "harness/ranks/devices.hpp"
#include "harness/ranks/group.hpp"
#include "harness/ranks/place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <malloc.h>
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <unistd.h>

namespace prices {
namespace {

using namespace harness;
using ranks::End;
using ranks::Reply;

constexpr std::chrono::milliseconds patience{60'000};

/// Ranks keep what they free, as those of a training do. Rank 0 is also the process of all other rows, which
/// are measured with glibc's own limits.
class FreedMemoryStays {
 public:
  FreedMemoryStays() { keep_freed_memory(); }
  FreedMemoryStays(const FreedMemoryStays&) = delete;
  FreedMemoryStays& operator=(const FreedMemoryStays&) = delete;
  ~FreedMemoryStays() {
    constexpr int glibcs_maps = 65536;
    constexpr int glibcs_trim = 128 * 1024;
    mallopt(M_MMAP_MAX, glibcs_maps);
    mallopt(M_TRIM_THRESHOLD, glibcs_trim);
    malloc_trim(0);
  }
};

/// What it did, or why it could not.
template <class Work>
Reply reply_of(const Work& work) {
  Reply reply{.end = End::done};
  try {
    reply.seconds = work();
  } catch (const std::exception& error) {
    reply = {.end = End::failed};
    const std::string why = error.what();
    std::memcpy(reply.why, why.data(), std::min(why.size(), sizeof reply.why - 1));
  }
  return reply;
}

Device device_of(Device first, int rank) {
  first.index += rank;
  return first;
}

int number_in(std::string_view word) {
  const auto number = parse_number<int>(word);
  if (!number) throw std::runtime_error(fmt::format("'{}' is no number of a rank's command line", word));
  return *number;
}

/// Until rank 0 lets go of the socket, or an exchange fails: others then wait in a call that will never be
/// made, and only a closed connection tells them.
void serve(int number, int size, const Device& device) {
  move_to(ranks::share_of(cpus_of_this_thread(), number, size));
  TorchSession torch(1);
  torch.stream_for(device);
  const Fd socket(loader::socket_number);
  ranks::Meeting meeting;
  meeting.file = fmt::format("/proc/self/fd/{}", loader::memory_number);
  meeting.number = number;
  meeting.size = size;
  meeting.device = device;
  meeting.patience = patience;
  const auto group = ranks::join(meeting);
  for (Exchange exchange; loader::receive_message(socket, exchange);) {
    const auto reply = reply_of([&] { return take_part(group, exchange, device); });
    if (!loader::send_message(socket, reply) || reply.end != End::done) return;
  }
}

}  // namespace

Partners::Partners(const Device& first, int size)
    : device_(first),
      meeting_(nameless_file("tuneproof-prices")),
      cpus_(ranks::share_of(cpus_of_this_thread(), 0, size)),
      replies_(static_cast<std::size_t>(size)) {
  ranks::require_devices(first, size);
  for (int number = 1; number < size; ++number)
    others_.push_back(std::make_unique<ranks::RankProcess>(
        number, patience,
        loader::start_process({"/proc/self/exe",
                               {"--prices", "--rank", std::to_string(number), std::to_string(size),
                                to_string(device_of(first, number)), std::to_string(getpid())}},
                              meeting_)));
  const ranks::OneRanksThreads here(cpus_);
  const auto watch = [this] {
    return std::ranges::any_of(others_, [](const auto& other) { return other->has_news({}); });
  };
  try {
    ranks::Meeting meeting;
    meeting.file = fmt::format("/proc/self/fd/{}", meeting_.get());
    meeting.size = size;
    meeting.device = device_;
    meeting.patience = patience;
    meeting.watch = watch;
    group_ = ranks::join(meeting);
  } catch (const std::exception& error) {
    give_up(error.what());
  }
}

double Partners::run(const Exchange& exchange) {
  const ranks::OneRanksThreads here(cpus_);
  const FreedMemoryStays stays;
  std::ranges::fill(replies_, Reply{});
  for (const auto& other : others_) loader::send_message(other->socket(), exchange);
  const auto own = reply_of([&] { return take_part(group_, exchange, device_); });
  if (own.end != End::done) give_up(own.why);
  double slowest = own.seconds;
  for (std::size_t i = 0; i < others_.size(); ++i) {
    auto& reply = replies_[i + 1];
    reply = others_[i]->answer(std::chrono::steady_clock::now() + patience);
    if (reply.end != End::done) give_up("");
    slowest = std::max(slowest, reply.seconds);
  }
  return slowest;
}

void Partners::give_up(const std::string& own_reason) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  std::vector<std::string> names{"rank 0"};
  for (std::size_t i = 0; i < others_.size(); ++i) {
    names.push_back(others_[i]->name());
    if (replies_[i + 1].end == End::open) replies_[i + 1] = others_[i]->answer(until);
  }
  throw std::runtime_error(ranks::who_broke_it(names, replies_, own_reason));
}

int partner_main(std::span<const std::string_view> words) {
  // The parent's death ends a rank even in the middle of a collective.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NAME, "rank");
  keep_freed_memory();
  int code = 0;
  try {
    if (words.size() != 4) throw std::runtime_error("--rank takes a number, the size, a device and a parent");
    if (getppid() == number_in(words[3]))
      serve(number_in(words[0]), number_in(words[1]), parse_device(words[2]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "rank: {}\n", error.what());
    code = 1;
  }
  std::fflush(nullptr);
  std::_Exit(code);  // Gloo's threads may still wait for others that will not come
}

}  // namespace prices
