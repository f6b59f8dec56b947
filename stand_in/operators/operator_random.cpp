#include "stand_in/operators/operator_random.hpp"

#include "stand_in/runtime.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/enum_tag.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>

#include <cstdint>
#include <mutex>

namespace stand_in::operators {
namespace {

std::optional<std::size_t> generator_argument(const c10::FunctionSchema& schema) {
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    auto type = schema.arguments()[i].type();
    if (const auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
    if (type->kind() == c10::TypeKind::GeneratorType) return i;
  }
  return std::nullopt;
}

/// The host's default generator as it is, put back at the end.
class SavedDefault {
 public:
  SavedDefault() {
    const std::lock_guard<std::mutex> lock(generator_.mutex());
    state_ = generator_.get_state();
  }
  ~SavedDefault() {
    const std::lock_guard<std::mutex> lock(generator_.mutex());
    generator_.set_state(state_);
  }
  SavedDefault(const SavedDefault&) = delete;
  SavedDefault& operator=(const SavedDefault&) = delete;
  void seed(std::uint64_t seed) {
    const std::lock_guard<std::mutex> lock(generator_.mutex());
    generator_.set_current_seed(seed);
  }

 private:
  at::Generator generator_ = at::detail::getDefaultCPUGenerator();
  Tensor state_;
};

void run_seeded(std::optional<std::size_t> argument, std::uint64_t seed, Stack& arguments,
                const std::function<void()>& work) {
  if (argument) {
    arguments[*argument] = at::make_generator<at::CPUGeneratorImpl>(seed);
    return work();
  }
  SavedDefault saved;
  saved.seed(seed);
  work();
}

bool draws(const Call& call) { return call.op->hasTag(at::Tag::nondeterministic_seeded); }

}  // namespace

Random::Random(const Call& call) : draws_(draws(call)), argument_(generator_argument(call.schema())) {
  if (!draws_ && !argument_) return;
  draws_ = true;
  std::optional<at::Generator> given;
  if (argument_ && call.arguments[*argument_].isGenerator()) given = call.arguments[*argument_].toGenerator();
  auto* generator = at::get_generator_or_default<at::CUDAGeneratorImpl>(
      given, at::cuda::detail::getDefaultCUDAGenerator(call.device.index()));
  const std::lock_guard<std::mutex> lock(generator->mutex_);
  state_ = generator->philox_cuda_state(4);
}

void Random::run(Stack& arguments, const std::function<void()>& work) const {
  if (!draws_) return work();
  auto seed = state_.seed_.val;
  auto offset = state_.offset_.val;
  if (state_.captured_) {
    seed = static_cast<std::uint64_t>(*static_cast<const std::int64_t*>(work_side(state_.seed_.ptr)));
    offset = static_cast<std::uint64_t>(*static_cast<const std::int64_t*>(work_side(state_.offset_.ptr))) +
             state_.offset_intragraph_;
  }
  run_seeded(argument_, seed ^ (offset * 0x9E3779B97F4A7C15ULL), arguments, work);
}

void Random::run_without(const Call& call, Stack& arguments, const std::function<void()>& work) {
  const auto argument = generator_argument(call.schema());
  if (!argument && !draws(call)) return work();
  run_seeded(argument, 0, arguments, work);
}

}  // namespace stand_in::operators
