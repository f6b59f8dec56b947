// Carry gradients from the device to Gloo through pinned memory.
//
// Question: Gloo exchanges tensors of the host. 32 MiB of gradients lie on your GPU: how much of the
// exchange is the way to the host and back, and how much of that does pinned memory save?
//
// NCCL moves gradients from device to device. Where it cannot be used, as on Windows or between GPUs of two
// makers, Gloo exchanges them over the host. Each byte then crosses the bus twice. A copy to pageable memory
// goes through a pinned buffer of the driver, piece by piece, and the CPU copies each piece once more; a copy
// to your own pinned buffer goes there at once (see transfer/pinned_d2h). LibTorch's Gloo does the same
// inside when it is given tensors of a device.
//
// When it does not matter: if the exchange between the ranks takes much longer than the bus, as over
// Ethernet. What it costs: memory that the system cannot page out, as much as the gradients.
//
// A row is one exchange: gradients to the host, one all-reduce by Gloo, and the means back to the device. The
// first side copies to a pageable tensor, the second side to a pinned one.
//
// Answer: The way there and back is 64 MiB over the bus; from and to ordinary memory the CPU copies each
// byte once more. Pinned memory saves that part and nothing of Gloo's own exchange, which over Ethernet is
// the longer one.

#include "microbench/parallel/parallel_training.hpp"

namespace microbench::parallel_pinned_gather {

using namespace harness;

constexpr std::int64_t values = 8 << 20;

struct Exchange {
  explicit Exchange(Setup& setup)
      : rank(rank_of(setup)),
        gradient(at::empty({values}, at::TensorOptions().device(torch_device(setup.device)))),
        mean(at::empty_like(gradient)),
        pageable(at::empty({values})),
        pinned(at::empty({values}, at::TensorOptions().pinned_memory(true))) {
    gradient.fill_(rank->number() + 1);
  }
  void through(const at::Tensor& host) const {
    host.copy_(gradient);
    std::vector<at::Tensor> one{host};
    rank->group()->allreduce(one)->wait();
    mean.copy_(host.div_(rank->size()));
  }
  std::shared_ptr<const Rank> rank;
  at::Tensor gradient, mean, pageable, pinned;
};

Trial prepare(Setup& setup, const Point&) {
  const auto s = std::make_shared<const Exchange>(setup);
  return {.naive = [s] { s->through(s->pageable); },
          .optimized = [s] { s->through(s->pinned); },
          .clear = [s] { s->mean.fill_(-1); },
          .answer = [s](Form) { return numbers_of(s->mean); },
          .bytes_moved = 2 * values * sizeof(float)};
}

extern constexpr Step step = checked({
    .id = "parallel/pinned_gather",
    .claim =
        "Gradients of a device are exchanged by Gloo faster through pinned memory than through pageable.",
    .sides = {"pageable", "pinned"},
    .source = pinning_tutorial("Asynchronous and synchronous memory transfers"),
    .runs = Runs::cuda,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .row_seconds = 10,
});

}  // namespace microbench::parallel_pinned_gather
