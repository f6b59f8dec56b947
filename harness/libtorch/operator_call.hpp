// One call of an operator, kept so that it can be run again: its name, copies of its inputs, its settings.
#pragma once

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace harness::inline libtorch {

/// Settings of the thread and the process that change what an operator does.
struct OperatorSettings {
  bool gradients = true;
  bool inference = false;
  std::optional<c10::ScalarType> autocast;  // on the CPU
  int threads = 1;
  at::Float32MatmulPrecision precision = at::Float32MatmulPrecision::HIGHEST;
  bool operator==(const OperatorSettings&) const = default;
};

/// A tensor that a call writes to, and what was in it before.
struct WrittenInput {
  at::Tensor copy;
  at::Tensor before;
};

/// One outermost call, with copies of its tensors: layout, type and values are those of the call. Tensors of
/// the same layout and type may share one copy, unless they hold whole numbers, which may be indices.
struct OperatorCall {
  /// Operator, shapes, strides, types, settings: calls with the same text do the same work.
  std::string work = {};
  std::optional<c10::OperatorHandle> op = std::nullopt;
  torch::jit::Stack inputs = {};
  std::vector<WrittenInput> written = {};
  OperatorSettings settings;
  std::string reason = {};  // why it cannot be run again by itself; then it has no inputs
};

OperatorSettings settings_now();
/// Of the calling thread and the process, but for inference mode, which is a guard.
void apply(const OperatorSettings& settings);

/// Copies of the inputs of calls, which keep strides, values and whether a gradient is asked for. All of them
/// together take at most `most_bytes`.
class InputCopies {
 public:
  explicit InputCopies(std::int64_t most_bytes) : left_(most_bytes) {}

  /// A copy that the operator writes to is the call's own and asks for no gradient; it is noted in `written`,
  /// beside what was in it. Throws std::invalid_argument, with the reason, for what cannot be copied.
  c10::IValue of(const c10::IValue& value, std::vector<WrittenInput>* written);

 private:
  at::Tensor of(const at::Tensor& tensor, std::vector<WrittenInput>* written);
  at::Tensor copied(const at::Tensor& tensor, bool with_gradient);
  at::Tensor sparse_copy(const at::Tensor& tensor);
  void take(std::int64_t bytes);

  std::int64_t left_;
  std::map<std::string, at::Tensor> shared_;
};

/// The call of `op` that is about to happen on this thread; with the reason where an input cannot be copied.
OperatorCall operator_call(const c10::OperatorHandle& op, at::ArrayRef<const c10::IValue> inputs,
                           InputCopies& copies);

}  // namespace harness::inline libtorch
