// `.to(device)` of a tensor that is there already copies nothing: a control, not a tip.
//
// Question: A profile shows thousands of `aten::to` on tensors that are there already. How much does removing
// them save?
//
// Code that runs on either device is full of `.to(device)`, and a profile that shows thousands of `aten::to`
// invites one to remove them. But `.to()` looks first: where device and type are right it gives back the very
// same tensor, without memory, without a copy, without a kernel. What remains is a call through LibTorch's
// dispatcher, a fraction of a microsecond on the host. Copies that do show up have another reason: the tensor
// was somewhere else, mostly because it had been made on the host (transfer/create_on_device).
//
// When it does matter: `n:1024` has so little work in each iteration that the dispatch can be seen. The
// source speaks of copies, and of these rows nothing is expected; nor of `n:4194304` on a device that adds
// so fast that the host, and with it the dispatch, sets the pace. The figure gives the price of one call.
//
// The second side is the same loop without the calls. The sides add in place, through what `.to()` gives
// back: if it had been a copy, the sums would be missing from the tensor and the sides would disagree. So
// `failed` in this row would mean that the claim is wrong.
//
// Answer: Nothing that can be measured: a call through the dispatcher, a fraction of a microsecond each.
// Look for tensors that were made on the wrong side instead.

#include "harness/core/slot.hpp"

#include "microbench/tip.hpp"

namespace microbench::transfer_to_noop {

constexpr int loop = 10;
constexpr std::int64_t sizes[] = {1024, 1 << 22};
constexpr Axis axes[] = {
    {.name = "n", .about = "values in the tensor, which each iteration reads and writes", .values = sizes}};

double nanoseconds_of_a_call(const at::Tensor& tensor, at::Device device) {
  constexpr int calls = 10'000;
  const auto seconds = host_seconds([&] {
    for (int i = 0; i < calls; ++i) tensor.to(device, at::kFloat);
  });
  return 1e9 * seconds / calls;
}

Trial prepare(Setup& setup, const Point& point) {
  const auto device = torch_device(setup.device);
  const auto sum = std::make_shared<at::Tensor>(
      at::zeros({point["n"]}, at::TensorOptions().dtype(at::kFloat).device(device)));

  return {
      .naive =
          [sum, device] {
            for (int i = 0; i < loop; ++i) sum->to(device, at::kFloat).add_(1);
          },
      .optimized =
          [sum] {
            for (int i = 0; i < loop; ++i) sum->add_(1);
          },
      .clear = [sum] { sum->zero_(); },
      .answer = [sum](Form) { return numbers_of(sum->narrow(0, 0, sizes[0])); },
      .figures = [sum, device]() -> std::vector<Figure> {
        return {{"one call of .to()", "ns", nanoseconds_of_a_call(*sum, device), 0}};
      },
  };
}

extern constexpr Step step = checked({
    .id = "transfer/to_noop",
    .claim = ".to(device) on a tensor that is there already makes no copy and costs next to nothing.",
    .claim_ids = "xfer-to-noop",
    .sides = {".to()", "no call"},
    .source = {.title = "PyTorch, torch.Tensor.to",
               .url = "https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html",
               .where = "If the self Tensor already has the correct dtype and device"},
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::no_effect,
                    .published = "no figure",
                    .on_cpu = Outcome::no_effect,
                    .about = "n:4194304",
                    .except = "device:cuda"},
});

}  // namespace microbench::transfer_to_noop
