// Do not send buffers around in every step if no step changes them.
//
// Question: A network with 64 frozen batch normalizations of 256 channels. What does it cost that their
// statistics go from rank 0 to the others before every forward pass?
//
// Buffers are what a model holds beside its parameters: a batch normalization's running mean and variance, a
// mask, a table of positions. No gradient keeps them equal. DistributedDataParallel therefore copies rank 0's
// buffers to all ranks before each forward pass (`broadcast_buffers=True`): it joins them into one tensor,
// broadcasts that, and copies it apart. The forward pass cannot begin before the tensor has arrived, so none
// of the broadcast is hidden.
//
// When it does not matter: if the model has no buffers, as most transformers. When it is needed: if each rank
// changes its buffers by its own samples and evaluation should use the same on all; once before the
// evaluation is enough for that. If statistics are frozen, as in fine-tuning, `broadcast_buffers=False`
// changes nothing but the time.
//
// A row is a forward and a backward pass on each rank through 8 layers of 128 by 128 and one all-reduce of
// their gradients. The first side first broadcasts 128 buffers of 256 numbers, by the function that
// DistributedDataParallel calls.
//
// Answer: 128 small buffers joined, one broadcast and the copies apart, before each forward pass, with
// nothing to hide it: the price of a message and of some hundred copies in each step. For frozen statistics
// it buys nothing.

#include "microbench/parallel/parallel_training.hpp"

#include <torch/csrc/distributed/c10d/comm.hpp>

namespace microbench::parallel_broadcast_buffers {

using namespace harness;
using namespace parallel;

std::vector<at::Tensor> frozen_statistics(const Device& device) {
  constexpr int normalisations = 64;
  constexpr std::int64_t channels = 256;
  std::vector<at::Tensor> all;
  for (int i = 0; i < 2 * normalisations; ++i)
    all.push_back(at::ones({channels}, at::TensorOptions().device(torch_device(device))));
  return all;
}

Trial prepare(Setup& setup, const Point&) {
  const auto s = std::make_shared<const Training>(setup, NetShape{.width = 128});
  const auto pass = [s](Form form) {
    s->loss(form).backward();
    average_flat(*s->rank, s->of(form).gradients());
  };
  const auto broadcast = [s, buffers = frozen_statistics(setup.device)] {
    constexpr std::size_t ddps_default = 250 * DdpOptions::mib;
    c10d::broadcast_coalesced(s->rank->group(), buffers, ddps_default);
  };
  return training_trial(
      s,
      [broadcast, pass] {
        broadcast();
        pass(Form::naive);
      },
      [pass] { pass(Form::optimized); });
}

extern constexpr Step step = checked({
    .id = "parallel/broadcast_buffers",
    .claim = "Steps whose buffers nobody changes are faster without a broadcast of the buffers.",
    .sides = {"broadcast", "not sent"},
    .source = ddp_api("broadcast_buffers"),
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .tolerance = single_sums,
    .row_seconds = 15,
});

}  // namespace microbench::parallel_broadcast_buffers
