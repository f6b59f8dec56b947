// Exchange gradients in 16 bits instead of 32.
//
// Question: Half the bytes go over the link. Is the exchange twice as fast on yours?
//
// DistributedDataParallel can hand each full bucket to a hook instead of sending it as it is. The hooks of
// PyTorch that compress turn the bucket into FP16 or BF16, divide it by the number of ranks, exchange half
// the bytes, and turn the sum back into FP32. FP16 keeps 11 significant bits of a number and ends at 65504,
// so that large gradients overflow and small ones vanish; BF16 keeps 8 and has FP32's range.
//
// When it hurts: if the link is faster than the processor that converts and adds. Over the loopback the
// kernel moves a gigabyte in less time than a CPU without instructions for 16-bit numbers takes to add two
// arrays of them, one number after the other. When it does not matter: if the exchange hides behind the
// backward pass anyway. Where it should help: between nodes on Ethernet, where a byte costs more than here.
//
// What it costs: digits. The sum of N ranks is rounded N - 1 times on its way around the ring.
//
// A row is a forward and a backward pass on each rank through 8 layers of 512 by 512, 8 MiB of gradients in
// buckets of 1 MiB: as they are, or through the hook of `type`. BF16's hook is written here, since LibTorch
// has only FP16's in C++.
//
// Answer: Not over the loopback: there a CPU without 16-bit arithmetic takes longer to convert and add than
// the kernel takes for the bytes saved. Between nodes it can come near half, where bytes are the price.

#include "microbench/parallel/parallel_training.hpp"

#include <torch/csrc/distributed/c10d/comm.hpp>

namespace microbench::parallel_compress {

using namespace harness;
using namespace parallel;

constexpr Axis axes[] = {{.name = "type", .about = "what gradients are sent as", .labels = {"fp16", "bf16"}}};

/// As LibTorch's FP16CompressCommHook, in BF16.
class Bf16Hook : public c10d::CppCommHookInterface<Group> {
 public:
  using CppCommHookInterface::CppCommHookInterface;
  c10::intrusive_ptr<c10::ivalue::Future> runHook(c10d::GradBucket& bucket) override {
    const auto full = bucket.getBufferRef();
    std::vector<at::Tensor> sent{full.to(at::kBFloat16).div_(state_->getSize())};
    const auto future = state_->allreduce(sent)->getFuture();
    return future->then(
        [full](c10::ivalue::Future& done) {
          full.copy_(done.value().toTensorVector()[0]);
          return c10::IValue(full);
        },
        future->elementType());
  }
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<const Training>(setup, NetShape{});
  const auto hook = [s, fp16 = point["type"] == 0](c10d::Reducer& reducer) {
    if (fp16)
      reducer.register_builtin_comm_hook(c10d::BuiltinCommHookType::FP16_COMPRESS);
    else
      reducer.register_comm_hook(std::make_unique<Bf16Hook>(s->rank->group()));
  };
  constexpr auto bucket = DdpOptions::mib;
  constexpr double half_of_bf16s_step = 0.02;  // twice: of each rank's share, and of their sum
  return ddp_trial(s, s->ddp(Form::naive, {.bucket_bytes = bucket}),
                   s->ddp(Form::optimized, {.bucket_bytes = bucket, .hook = hook}), half_of_bf16s_step);
}

extern constexpr Step step = checked({
    .id = "parallel/compress",
    .claim = "Gradients that are exchanged in 16 bits cost less than gradients in 32.",
    .sides = {"32 bits", "16 bits"},
    .source = {.title = "PyTorch, DDP Communication Hooks",
               .url = "https://docs.pytorch.org/docs/stable/ddp_comm_hooks.html",
               .where = "Default Communication Hooks, fp16_compress_hook and bf16_compress_hook"},
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .tolerance = {.relative = 0.02, .why = "the optimized form rounds gradients to 8 or 11 bits"},
    .row_seconds = 40,
});

}  // namespace microbench::parallel_compress
