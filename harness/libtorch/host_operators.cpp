#include "harness/libtorch/host_operators.hpp"

#include <ATen/ATen.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace harness::inline libtorch {
namespace {

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

std::shared_ptr<const void> watch_host_operators(std::function<void(const HostOperator&)> seen) {
  return std::make_shared<Watcher>(std::move(seen));
}

}  // namespace harness::inline libtorch
