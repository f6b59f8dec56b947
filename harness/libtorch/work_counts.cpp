#include "harness/libtorch/work_counts.hpp"

#include "harness/libtorch/torch_runtime.hpp"
#include "harness/libtorch/versions.hpp"

#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <torch/csrc/profiler/orchestration/observer.h>

#include <atomic>
#include <mutex>
#include <set>
#include <unordered_map>

namespace harness::inline libtorch {
namespace {

/// Reached through the thread's debug information, which autograd takes along to its threads.
class Tally final : public c10::MemoryReportingInfoBase {
 public:
  bool memoryProfilingEnabled() const override { return true; }
  void reportMemoryUsage(void* /*block*/, std::int64_t size, std::size_t /*total*/, std::size_t /*reserved*/,
                         c10::Device /*device*/) override {
    if (size <= 0) return;  // given back
    ++allocations_;
    bytes_ += size;
  }

  void add_operator() { ++operators_; }
  void add_number() { ++numbers_; }
  void add_copy(const at::Tensor& to, const at::Tensor& from) {
    if (!from.defined() || from.layout() != at::kStrided) return;  // other layouts have no size in bytes
    const auto bytes = static_cast<std::int64_t>(from.nbytes());
    if (to.is_cpu() == from.is_cpu())
      within_ += bytes;
    else
      (from.is_cpu() ? to_device_ : from_device_) += bytes;
  }
  WorkCounts counts() const {
    return {operators_, allocations_, bytes_, to_device_, from_device_, within_, numbers_};
  }

 private:
  std::atomic<std::int64_t> operators_ = 0;
  std::atomic<std::int64_t> allocations_ = 0;
  std::atomic<std::int64_t> bytes_ = 0;
  std::atomic<std::int64_t> to_device_ = 0;
  std::atomic<std::int64_t> from_device_ = 0;
  std::atomic<std::int64_t> within_ = 0;
  std::atomic<std::int64_t> numbers_ = 0;
};

// No constants from LibTorch 2.13 on.
const auto place = c10::DebugInfoKind::PROFILER_STATE;

std::unique_ptr<at::ObserverContext> note(const at::RecordFunction& function) {
  auto* const tally = dynamic_cast<Tally*>(c10::ThreadLocalDebugInfo::get(place));
  if (tally == nullptr || !function.operator_name()) return nullptr;  // ranges have no such name
  tally->add_operator();
  const std::string_view name = function.name();
  if (name == "aten::_local_scalar_dense") tally->add_number();
  if (name != "aten::copy_") return nullptr;
  const auto inputs = function.inputs();
  if (inputs.size() >= 2 && inputs[0].isTensor() && inputs[1].isTensor())
    tally->add_copy(inputs[0].toTensor(), inputs[1].toTensor());
  return nullptr;
}

/// Whether a profiler was on while an operator ran.
class Seen final : public c10::DebugInfoBase {
 public:
  std::atomic<bool> profiler = false;
};

const auto place_of_seen = c10::DebugInfoKind::TEST_INFO;

std::unique_ptr<at::ObserverContext> look(const at::RecordFunction&) {
  auto* const seen = dynamic_cast<Seen*>(c10::ThreadLocalDebugInfo::get(place_of_seen));
  if (seen != nullptr && (c10::ThreadLocalDebugInfo::get(place) != nullptr ||
                          profiles_all_threads<torch::profiler::impl::ProfilerStateBase>()))
    seen->profiler = true;
  return nullptr;
}

const auto place_of_known = c10::DebugInfoKind::TEST_INFO_2;

/// Marks a thread whose operators count_calls() sees: autograd takes it along to its threads.
class Known final : public c10::DebugInfoBase {};

/// Static, since a callback on a thread that nobody knows reaches no object.
std::atomic<bool>& others_called() {
  static std::atomic<bool> called = false;
  return called;
}

std::unique_ptr<at::ObserverContext> notice(const at::RecordFunction&) {
  if (c10::ThreadLocalDebugInfo::get(place_of_known) == nullptr) others_called() = true;
  return nullptr;
}

using Callback = std::unique_ptr<at::ObserverContext> (*)(const at::RecordFunction&);

at::RecordFunctionCallback of_operators(Callback callback) {
  return at::RecordFunctionCallback(callback).scopes({at::RecordScope::FUNCTION});
}

at::CallbackHandle on_this_thread(Callback callback) {
  return at::addThreadLocalCallback(of_operators(callback).needsInputs(true));
}

class Listening {
 public:
  explicit Listening(at::CallbackHandle callback) : callback_(callback) {}
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  ~Listening() { at::removeCallback(callback_); }

 private:
  at::CallbackHandle callback_;
};

struct Open : at::ObserverContext {
  bool counts = false;
  bool hides = true;               // what it calls is part of it
  std::set<const void*> storages;  // of the inputs
  std::int64_t bytes = 0;
};

void visit(const c10::IValue& value, const std::function<void(const at::Tensor&)>& take) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) take(value.toTensor());
  } else if (value.isTensorList()) {
    for (const auto& tensor : value.toTensorVector())
      if (tensor.defined()) take(tensor);
  }
}

bool is_device_argument(const c10::IValue& value) { return value.isDevice() && value.toDevice().is_cuda(); }

/// What an operator of device tensors calls is the device's business; a copy's is partly the host's.
bool may_work_on_the_host(std::string_view name) {
  constexpr std::array copies{"aten::to", "aten::_to_copy", "aten::copy_", "aten::cpu", "aten::cuda"};
  return std::ranges::count(copies, name) > 0;
}

class Watcher {
 public:
  explicit Watcher(std::function<void(const HostOperator&)> seen)
      : seen_(std::move(seen)),
        callback_(at::addThreadLocalCallback(at::RecordFunctionCallback(begin, end)
                                                 .needsInputs(true)
                                                 .needsOutputs(true)
                                                 .scopes({at::RecordScope::FUNCTION}))) {
    watcher = this;
  }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher() {
    at::removeCallback(callback_);
    watcher = nullptr;
  }

 private:
  static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) {
    auto open = std::make_unique<Open>();
    if (watcher == nullptr) return open;
    if (watcher->hidden_ == 0) look_at(function, *open);
    if (open->hides) ++watcher->hidden_;
    return open;
  }

  static void look_at(const at::RecordFunction& function, Open& open) {
    bool host = function.operator_name().has_value();
    for (const auto& input : function.inputs()) {
      host = host && !is_device_argument(input);
      visit(input, [&](const at::Tensor& tensor) {
        host = host && tensor.device().is_cpu();
        if (host && tensor.has_storage() && open.storages.insert(tensor.storage().data()).second)
          open.bytes += static_cast<std::int64_t>(tensor.nbytes());
      });
    }
    open.counts = host;
    open.hides = host || !may_work_on_the_host(function.name());
  }

  static void end(const at::RecordFunction& function, at::ObserverContext* context) {
    if (watcher == nullptr || context == nullptr) return;
    const auto& open = static_cast<const Open&>(*context);
    if (open.hides) --watcher->hidden_;
    if (open.counts) watcher->report(function, open);
  }

  void report(const at::RecordFunction& function, const Open& open) const {
    HostOperator done{.name = function.name()};
    std::int64_t in_place = 0;
    bool views = false;
    for (const auto& output : function.outputs())
      visit(output, [&](const at::Tensor& tensor) {
        if (!tensor.device().is_cpu() || !tensor.has_storage()) return;
        const bool old = open.storages.contains(tensor.storage().data());
        (old ? in_place : done.fresh) += static_cast<std::int64_t>(tensor.nbytes());
        views = views || old;
      });
    if (done.name.starts_with("aten::empty"))
      done.fresh = 0;  // nothing is touched yet
    else if (done.name.ends_with('_'))
      done.bytes = open.bytes + in_place;
    else if (!views)
      done.bytes = open.bytes + done.fresh;
    seen_(done);
  }

  static thread_local Watcher* watcher;

  std::function<void(const HostOperator&)> seen_;
  int hidden_ = 0;  // operators inside of one that is counted, or that is the device's
  at::CallbackHandle callback_;
};

thread_local Watcher* Watcher::watcher = nullptr;

}  // namespace

bool profiles_itself(const std::function<void()>& work) {
  const auto seen = std::make_shared<Seen>();
  const c10::DebugInfoGuard reached(place_of_seen, seen);
  const Listening listening(on_this_thread(look));
  work();
  return seen->profiler;
}

bool other_threads_call(const std::function<void()>& work) {
  const c10::DebugInfoGuard known(place_of_known, std::make_shared<Known>());
  others_called() = false;
  const Listening listening(at::addGlobalCallback(of_operators(notice)));
  work();
  return others_called();
}

WorkCounts count_calls(const std::function<void()>& work) {
  const auto tally = std::make_shared<Tally>();
  const Quiet quiet;
  const c10::DebugInfoGuard reached(place, tally);
  const Listening listening(on_this_thread(note));
  work();
  return tally->counts();
}

std::shared_ptr<const void> watch_host_operators(std::function<void(const HostOperator&)> seen) {
  return std::make_shared<Watcher>(std::move(seen));
}

namespace {

/// Hears of every block that LibTorch's allocators hand out and take back. Autograd runs a device's backward
/// pass on a thread of its own and takes its listener along, hence the lock.
class Watch final : public c10::MemoryReportingInfoBase {
 public:
  bool memoryProfilingEnabled() const override { return true; }

  void reportMemoryUsage(void* block, std::int64_t size, std::size_t total, std::size_t /*reserved*/,
                         c10::Device device) override {
    const std::scoped_lock lock(mutex_);
    if (device.is_cpu())
      on_host(block, size);
    else
      on_device(device.index(), size, static_cast<std::int64_t>(total));
    std::int64_t held = host_;
    for (const auto& [index, bytes] : devices_) held += bytes.now - bytes.start;
    peak_ = std::max(peak_, held);
  }

  double peak() const {
    const std::scoped_lock lock(mutex_);
    return static_cast<double>(peak_);
  }

 private:
  struct Held {
    std::int64_t start = 0;
    std::int64_t now = 0;
  };

  /// LibTorch's own total of the host counts from whenever something first listened: kept by block instead.
  void on_host(void* block, std::int64_t size) {
    if (const auto known = blocks_.find(block); known != blocks_.end()) {
      host_ -= known->second;  // given back now, or unheard of before
      blocks_.erase(known);
    }
    if (size <= 0) return;
    blocks_.emplace(block, size);
    host_ += size;
  }

  /// The device's allocator knows its total after this block, and so before the first.
  void on_device(int index, std::int64_t size, std::int64_t total) {
    devices_.try_emplace(index, Held{total - size, total}).first->second.now = total;
  }

  mutable std::mutex mutex_;
  std::unordered_map<void*, std::int64_t> blocks_;
  std::map<int, Held> devices_;
  std::int64_t host_ = 0;
  std::int64_t peak_ = 0;
};

}  // namespace

double peak_bytes(const std::function<void()>& run) {
  const auto watch = std::make_shared<Watch>();
  {
    const Quiet quiet;
    const c10::DebugInfoGuard listening(c10::DebugInfoKind::PROFILER_STATE, watch);
    run();
  }
  return watch->peak();
}

}  // namespace harness::inline libtorch
