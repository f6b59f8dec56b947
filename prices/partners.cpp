#include "prices/partners.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/libtorch/torch_runtime.hpp"
#include "harness/loader/channel.hpp"
#include "harness/loader/start_process.hpp"
#include "harness/machine/heap.hpp"
#include "harness/machine/numa.hpp"
#include "harness/ranks/devices.hpp"
#include "harness/ranks/place.hpp"
#include "harness/ranks/process_group.hpp"
#include "harness/ranks/rank_life.hpp"
#include "harness/ranks/rank_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <malloc.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace prices {
namespace {

using namespace harness;

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

Device device_of(Device first, int rank) {
  first.index += rank;
  return first;
}

int number_in(std::string_view word) {
  const auto number = parse_number<int>(word);
  if (!number) throw std::runtime_error(fmt::format("'{}' is no number of a rank's command line", word));
  return *number;
}

ranks::Meeting meeting_of(int number, int size, const Device& device, int file) {
  return {.file = fmt::format("/proc/self/fd/{}", file),
          .number = number,
          .size = size,
          .device = device,
          .patience = patience};
}

void serve(int number, int size, const Device& device) {
  move_to(ranks::share_of(cpus_of_this_thread(), number, size));
  TorchRuntime torch(1);
  torch.stream_for(device);
  ranks::Group group;
  ranks::serve_rank_0<Exchange>(
      device, [&] { group = ranks::join(meeting_of(number, size, device, loader::memory_number)); },
      [&](const Exchange& exchange) {
        return ranks::Reply{.end = ranks::End::done, .seconds = take_part(group, exchange, device)};
      });
}

std::unique_ptr<ranks::OtherRank> start(int number, int size, const Device& device, const Fd& meeting) {
  const std::vector<std::string> arguments{"--prices",           "--rank",          std::to_string(number),
                                           std::to_string(size), to_string(device), std::to_string(getpid())};
  return std::make_unique<ranks::RankProcess>(patience,
                                              loader::start_process({"/proc/self/exe", arguments}, meeting));
}

}  // namespace

Partners::Partners(const Device& first, int size)
    : device_(first),
      meeting_(nameless_file("tuneproof-prices")),
      cpus_(ranks::share_of(cpus_of_this_thread(), 0, size)),
      others_(ranks::rank_names(size), first, patience) {
  ranks::require_devices(first, size);
  for (int number = 1; number < size; ++number)
    others_.add(start(number, size, device_of(first, number), meeting_));
  const ranks::OneRanksThreads here(cpus_);
  others_.together({}, [&] {
    auto meeting = meeting_of(0, size, device_, meeting_.get());
    meeting.watch = [this] { return others_.somebody_spoke(); };
    group_ = ranks::join(meeting);
  });
}

double Partners::run(const Exchange& exchange) {
  const ranks::OneRanksThreads here(cpus_);
  const FreedMemoryStays stays;
  double slowest = 0;
  others_.together(ranks::as_text(exchange), [&] { slowest = take_part(group_, exchange, device_); });
  for (const auto& reply : others_.replies()) slowest = std::max(slowest, reply.seconds);
  return slowest;
}

int partner_main(std::span<const std::string_view> words) {
  ranks::live_as_rank([&] {
    if (words.size() != 4) throw std::runtime_error("--rank takes a number, the size, a device and a parent");
    if (ranks::is_child_of(words[3])) serve(number_in(words[0]), number_in(words[1]), parse_device(words[2]));
  });
}

}  // namespace prices
