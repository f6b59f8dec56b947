// What programs ask of a CUDA device: a copy, a kernel, many launches, a gather.
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"
#include "harness/libtorch/answer.hpp"

#include "microbench/selftest/pairs.hpp"

#include <ATen/ATen.h>

namespace microbench::selftest_device {

using namespace harness;

enum Operation : std::int64_t { copy, kernel, launches, gather, timed_kernel };
constexpr Axis axes[] = {
    {.name = "op",
     .about = "copy: 16 MiB of pinned memory to the device; kernel: 16 M values; launches: 100 "
              "small kernels; gather: 64 K rows; timed_kernel: the kernel, timed by events",
     .labels = {"copy", "kernel", "launches", "gather", "timed_kernel"}}};
constexpr std::size_t bytes = std::size_t{16} << 20;
constexpr std::int64_t rows = 65536;
constexpr std::int64_t columns = 256;

struct State {
  const Stream* stream = nullptr;
  PinnedBuffer from{bytes};
  DeviceBuffer to{bytes};
  at::Tensor x, small, places, out;
};

std::shared_ptr<State> state_on(const Setup& setup) {
  const auto s = std::make_shared<State>();
  const auto options = at::TensorOptions().device(torch_device(setup.device)).dtype(at::kFloat);
  s->stream = setup.stream;
  s->x = at::full({rows, columns}, 1.5F, options);
  s->small = at::full({128}, 1.5F, options);
  s->places = (at::arange(rows, options.dtype(at::kLong)) * 2654435761) % rows;
  s->out = at::empty_like(s->x);
  return s;
}

void run(State& s, std::int64_t operation) {
  if (operation == copy)
    return check(cudaMemcpyAsync(s.to.data(), s.from.data(), bytes, cudaMemcpyHostToDevice, s.stream->get()));
  if (operation == gather) {
    at::index_select_out(s.out, s.x, 0, s.places);
    return;
  }
  if (operation != launches) {
    at::mul_out(s.out, s.x, s.x);
    return;
  }
  for (int i = 0; i < 100; ++i) s.small.neg_();
}

Answer answer_of(const State& s, std::int64_t operation) {
  if (operation == launches) return numbers_of(s.small);
  if (operation != copy) return numbers_of(s.out.slice(0, 0, 16));
  std::vector<std::byte> seen(4096);
  check(cudaMemcpy(seen.data(), s.to.data(), seen.size(), cudaMemcpyDeviceToHost));
  return seen;
}

Trial prepare(Setup& setup, const Point& point) {
  const auto operation = point["op"];
  const auto s = state_on(setup);
  auto trial = equal_forms([s, operation] { run(*s, operation); },
                           [s] {
                             check(cudaMemsetAsync(s->to.data(), 0xff, bytes, s->stream->get()));
                             s->small.fill_(1.5F);
                             s->out.fill_(-1);
                           },
                           [s, operation] { return answer_of(*s, operation); });
  if (operation == timed_kernel) trial.timer = Timer::event;
  return trial;
}

extern constexpr EqualPair pair{
    .id = "selftest/device", .axes = axes, .prepare = prepare, .runs = Runs::cuda};

}  // namespace microbench::selftest_device
