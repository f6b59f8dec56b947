#include "harness/libtorch/process_group.hpp"

#include "harness/libtorch/nccl.hpp"

#include <fmt/format.h>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include <thread>

namespace harness::inline libtorch {
namespace {

using std::chrono::milliseconds;

/// Waits for other ranks' keys with open eyes: LibTorch's stores wait out their time even when the process
/// that should write the key has died.
class WatchedStore : public c10d::PrefixStore {
 public:
  WatchedStore(c10::intrusive_ptr<c10d::Store> store, std::function<bool()> watch)
      : PrefixStore("watched", std::move(store)), watch_(std::move(watch)) {}
  /// What fetches several keys at once would not wait here.
  bool hasExtendedApi() const override { return false; }
  void wait(const std::vector<std::string>& keys) override { wait(keys, getTimeout()); }
  void wait(const std::vector<std::string>& keys, const milliseconds& timeout) override {
    constexpr milliseconds pause{1};
    const auto end = std::chrono::steady_clock::now() + timeout;
    for (;;) {
      const bool heard = watch_ && watch_();  // before the keys: who has joined has found them all
      if (check(keys)) return;
      if (heard) throw std::runtime_error("not all ranks came");
      if (std::chrono::steady_clock::now() > end)
        throw std::runtime_error(
            fmt::format("not all ranks came within {} s", static_cast<double>(timeout.count()) / 1000));
      std::this_thread::sleep_for(pause);
    }
  }

 private:
  std::function<bool()> watch_;
};

Store store_of(const Meeting& meeting) {
  auto store = meeting.store;
  if (!store) store = c10::make_intrusive<c10d::FileStore>(meeting.file, meeting.size);
  store->setTimeout(meeting.patience);
  return c10::make_intrusive<WatchedStore>(std::move(store), meeting.watch);
}

/// Its sockets listen at one address, wherever the machine's name leads. A peer may have died: to write to it
/// is an error, as in Python, which ignores SIGPIPE too.
c10::intrusive_ptr<c10d::Backend> gloo(const Store& store, const Meeting& meeting) {
  std::signal(SIGPIPE, SIG_IGN);
  auto options = c10d::ProcessGroupGloo::Options::create(meeting.patience);
  options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(meeting.address));
  return c10::make_intrusive<c10d::ProcessGroupGloo>(store, meeting.number, meeting.size, options);
}

/// NCCL warns at the process's end of a group that nobody has ended. To abort needs no other rank: some may
/// be dead.
class EndingGroup final : public c10d::ProcessGroup {
 public:
  using ProcessGroup::ProcessGroup;
  ~EndingGroup() override {
    try {
      abort();
    } catch (const std::exception&) {  // its ranks are gone, and so is what it could say
    }
  }
};

}  // namespace

void meet_at(Meeting& meeting, const run::MeetingPlace& place, const std::string& team) {
  const auto store = reach_store(place.address, place.port, meeting.patience);
  if (!store) throw std::runtime_error("the job's store is gone");
  meeting.store = part_of(store, place.prefix + "/" + team);
  meeting.address = own_address(place.address, place.port);
}

Group join(const Meeting& meeting) {
  const auto store = store_of(meeting);
  c10::intrusive_ptr<c10d::ProcessGroup> group =
      c10::make_intrusive<EndingGroup>(store, meeting.number, meeting.size);
  // Gloo on devices too: it takes what lies on the host.
  group->setBackend(c10::DeviceType::CPU, c10d::ProcessGroup::BackendType::GLOO, gloo(store, meeting));
  if (meeting.device.is_cuda())
    group->setBackend(c10::DeviceType::CUDA, c10d::ProcessGroup::BackendType::NCCL, nccl(store, meeting));
  group->setDefaultBackend(meeting.device.is_cuda() ? c10d::ProcessGroup::BackendType::NCCL
                                                    : c10d::ProcessGroup::BackendType::GLOO);
  group->setGroupName("tuneproof");
  return group;
}

}  // namespace harness::inline libtorch
