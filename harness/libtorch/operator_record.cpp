#include "harness/libtorch/operator_record.hpp"

#include <ATen/record_function.h>

#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

namespace harness::inline libtorch {
namespace {

/// Operators that give a tensor other memory or another shape do nothing the second time, or fail.
bool changes_its_input(const std::string& name) {
  static const std::set<std::string> names{"aten::set_",       "aten::resize_",  "aten::resize_as_",
                                           "aten::detach_",    "aten::squeeze_", "aten::unsqueeze_",
                                           "aten::transpose_", "aten::t_",       "aten::as_strided_"};
  return names.contains(name);
}

/// One recording of the calling thread. Callbacks are plain functions, so it is reached through the thread.
class Recorder {
 public:
  explicit Recorder(std::int64_t most_bytes)
      : copies_(most_bytes),
        callback_(at::addThreadLocalCallback(
            at::RecordFunctionCallback(begin, end).needsInputs(true).scopes({at::RecordScope::FUNCTION}))) {
    recorder = this;
  }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder() {
    at::removeCallback(callback_);
    recorder = nullptr;
  }

  OperatorRecord take() { return std::move(record_); }

 private:
  static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) {
    if (recorder == nullptr || only_calls_others(function)) return nullptr;
    if (recorder->depth_++ == 0) recorder->add(function);
    return nullptr;
  }
  static void end(const at::RecordFunction& function, at::ObserverContext*) {
    if (recorder != nullptr && !only_calls_others(function)) --recorder->depth_;
  }

  /// Ranges, such as a node of the backward pass, are not operators. The whole backward pass is one to the
  /// dispatcher, but its graph is gone the second time.
  static bool only_calls_others(const at::RecordFunction& function) {
    const auto name = function.operator_name();
    return !name || name->name == "aten::_backward";
  }

  void add(const at::RecordFunction& function) {
    const auto name = function.operator_name();
    const at::DisableRecordFunctionGuard unseen;
    const auto op = c10::Dispatcher::singleton().findSchema(*name);
    if (!op || changes_its_input(name->name) || function.inputs().size() != op->schema().arguments().size())
      record_.push_back({.work = name->name,
                         .settings = settings_now(),
                         .reason = name->name + " cannot be run again by itself"});
    else
      record_.push_back(operator_call(*op, function.inputs(), copies_));
  }

  static thread_local Recorder* recorder;

  InputCopies copies_;
  OperatorRecord record_;
  int depth_ = 0;
  at::CallbackHandle callback_;
};

thread_local Recorder* Recorder::recorder = nullptr;

}  // namespace

OperatorRecord record_operators(const std::function<void()>& work, std::int64_t most_bytes) {
  Recorder recorder(most_bytes);
  work();
  return recorder.take();
}

OperatorSequence calls_without(const OperatorRecord& from, const OperatorRecord& other) {
  std::map<std::string_view, int> both;
  for (const auto& call : other) ++both[call.work];
  OperatorSequence left;
  for (const auto& call : from) {
    auto& times = both[call.work];
    if (times > 0)
      --times;
    else
      left.push_back(&call);
  }
  return left;
}

OperatorSequence repeatable(OperatorSequence calls) {
  std::erase_if(calls, [](const OperatorCall* call) { return !call->reason.empty(); });
  return calls;
}

}  // namespace harness::inline libtorch
