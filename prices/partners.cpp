#include "prices/partners.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/core/slot.hpp"
#include "harness/cuda/check.hpp"
#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/place.hpp"
#include "harness/libtorch/process_group.hpp"
#include "harness/libtorch/rank_main.hpp"
#include "harness/libtorch/torch_runtime.hpp"
#include "harness/libtorch/versions.hpp"
#include "harness/machine/heap.hpp"
#include "harness/machine/numa.hpp"
#include "harness/support/channel.hpp"
#include "harness/support/process_loader.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <malloc.h>

namespace prices {
namespace {

using harness::Group;

/// A collective with its tensors on one rank.
class Part {
 public:
  Part(const Group& group, const Exchange& exchange, const harness::Device& device)
      : group_(group), what_(exchange.what), ranks_(group->getSize()) {
    const auto options = at::TensorOptions().device(harness::torch_device(device));
    const auto each = exchange.bytes / static_cast<std::int64_t>(sizeof(float)) / ranks_;
    whole_ = at::zeros({ranks_, each}, options);
    flat_ = whole_.view(-1);
    own_ = at::zeros({each}, options);
  }

  void call() {
    std::vector<at::Tensor> one{whole_};
    switch (what_) {
      case Collective::all_reduce:
        group_->allreduce(one)->wait();
        break;
      case Collective::broadcast:
        group_->broadcast(one)->wait();
        break;
      case Collective::all_gather:
        harness::all_gather(*group_, flat_, own_)->wait();
        break;
      case Collective::reduce_scatter:
        harness::reduce_scatter(*group_, own_, flat_)->wait();
        break;
      case Collective::barrier:
        group_->barrier()->wait();
        break;
    }
  }

  /// Rank r brings along r + 1. Leaves zeros behind.
  void call_and_check() {
    whole_.fill_(group_->getRank() + 1);
    own_.fill_(group_->getRank() + 1);
    call();
    if (!is_right()) throw std::runtime_error(fmt::format("the {} has a wrong result", to_string(what_)));
    whole_.zero_();
    own_.zero_();
  }

 private:
  bool is_right() const {
    const auto sum = ranks_ * (ranks_ + 1) / 2;
    switch (what_) {
      case Collective::all_reduce:
        return whole_.eq(sum).all().item<bool>();
      case Collective::broadcast:
        return whole_.eq(1).all().item<bool>();
      case Collective::all_gather:
        return whole_.eq(at::arange(1, ranks_ + 1, whole_.options()).unsqueeze(1)).all().item<bool>();
      case Collective::reduce_scatter:
        return own_.eq(sum).all().item<bool>();
      case Collective::barrier:
        break;
    }
    return true;
  }

  Group group_;
  Collective what_;
  std::int64_t ranks_;
  at::Tensor
      whole_;  // a row for each rank. Zeros while calls are timed: another sum would grow with each call
  at::Tensor flat_;  // its numbers: Gloo divides the first axis
  at::Tensor own_;   // what is a rank's of it
};

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

Meeting meeting_of(int number, int size, const Device& device, int file) {
  return {.file = fmt::format("/proc/self/fd/{}", file),
          .number = number,
          .size = size,
          .device = device,
          .patience = patience};
}

/// This rank's part; the others take theirs. Seconds of the calls. One call before them is not timed, since
/// it makes what the others find, and all ranks begin together. Throws std::runtime_error for a wrong result.
double take_part(const Group& group, const Exchange& exchange, const harness::Device& device) {
  Part part(group, exchange, device);
  if (exchange.checked != 0) part.call_and_check();
  const auto drain = [&] {
    if (device.is_cuda()) harness::check(cudaDeviceSynchronize());
  };
  part.call();
  group->barrier()->wait();
  drain();
  return harness::host_seconds([&] {
    for (std::int64_t i = 0; i < exchange.calls; ++i) part.call();
    drain();
  });
}

void serve(int number, int size, const Device& device) {
  move_to(share_of(cpus_of_this_thread(), number, size));
  TorchRuntime torch(1);
  torch.stream_for(device);
  Group group;
  serve_rank_0<Exchange>(
      device, [&] { group = join(meeting_of(number, size, device, memory_number)); },
      [&](const Exchange& exchange) {
        return Reply{.end = End::done, .seconds = take_part(group, exchange, device)};
      });
}

std::unique_ptr<OtherRank> start(int number, int size, const Device& device, const Fd& meeting) {
  const std::vector<std::string> arguments{"--prices",           "--rank",          std::to_string(number),
                                           std::to_string(size), to_string(device), std::to_string(getpid())};
  return std::make_unique<RankProcess>(patience, start_process({"/proc/self/exe", arguments}, meeting));
}

}  // namespace

Partners::Partners(const Device& first, int size)
    : device_(first),
      meeting_(nameless_file("tuneproof-prices")),
      cpus_(share_of(cpus_of_this_thread(), 0, size)),
      others_(rank_names(size), first, patience) {
  require_devices(first, size);
  for (int number = 1; number < size; ++number)
    others_.add(start(number, size, device_of(first, number), meeting_));
  const OneRanksThreads here(cpus_);
  others_.together({}, [&] {
    auto meeting = meeting_of(0, size, device_, meeting_.get());
    meeting.watch = [this] { return others_.somebody_spoke(); };
    group_ = join(meeting);
  });
}

double Partners::run(const Exchange& exchange) {
  const OneRanksThreads here(cpus_);
  const FreedMemoryStays stays;
  double slowest = 0;
  others_.together(as_text(exchange), [&] { slowest = take_part(group_, exchange, device_); });
  for (const auto& reply : others_.replies()) slowest = std::max(slowest, reply.seconds);
  return slowest;
}

int partner_main(std::span<const std::string_view> words) {
  live_as_rank([&] {
    if (words.size() != 4) throw std::runtime_error("--rank takes a number, the size, a device and a parent");
    if (is_child_of(words[3])) serve(number_in(words[0]), number_in(words[1]), parse_device(words[2]));
  });
}

}  // namespace prices
