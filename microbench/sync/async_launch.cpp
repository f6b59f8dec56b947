// A call that starts work on the device returns at once; do not wait for each.
//
// Question: How long does the call for a product of 4096 x 4096 matrices take, if the host does not wait for
// the product?
//
// A matrix product on the device is a call that puts a kernel into a queue. It returns after some
// microseconds, and the host may go on: queue the next product, read a file, prepare an index. Nothing waits
// until the host asks for a value. If you time such a call without waiting, you measure the queueing; if you
// wait after every call, the queue stays empty: host and device then work in turns.
//
// When it does not matter: where the host has nothing else to do and the products are long, since the device
// is busy either way; in the smallest products, where launching is as long as the kernel.
//
// A row measures four products with some work of the host after each, on one core, as long as one product
// takes (at least 20 us). The source's product of 20000 x 20000 is left out: one takes seconds on small
// devices. The first side waits for each product before it does its own work. Beside the times stands how
// long one product keeps the host: until it is done, against until the call returns.
//
// Answer: Microseconds: the time to queue it, whatever the size of the product. On the H200 here (commit
// 7400cad) the call for n = 1024 kept the host 18 us, and with its wait 78 us. The first call takes longer.

#include "microbench/host_time.hpp"
#include "microbench/overlap/host_work.hpp"
#include "microbench/tip.hpp"

namespace microbench::sync_async_launch {

constexpr Axis axes[] = {
    {.name = "n", .about = "rows and columns of the matrices", .values = {256, 1024, 4096}, .quick = {1024}}};
constexpr int products = 4;

struct State {
  State(std::int64_t n, const at::TensorOptions& options)
      : a(at::full({n, n}, 0.5, options)), b(at::full({n, n}, 0.25, options)), out(at::empty_like(a)) {}
  void multiply() { at::mm_out(out, a, b); }
  void work_on_host() { host_result = host_work(host_result, host_rounds); }
  at::Tensor a, b, out;
  int host_rounds = 1;
  float host_result = 0;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["n"];
  const auto& stream = *setup.stream;
  require_device_memory(3 * static_cast<std::size_t>(n * n) * sizeof(float));
  const auto options = at::TensorOptions().device(torch_device(setup.device)).dtype(at::kFloat);
  const auto s = std::make_shared<State>(n, options);
  s->host_rounds = setup.calibrated("sync/async_launch/" + std::to_string(n), [&] {
    return host_work_rounds(std::max(20e-6, seconds_on(stream, [&] { s->multiply(); })));
  });

  return {
      .naive =
          [s, &stream] {
            for (int i = 0; i < products; ++i) {
              s->multiply();
              stream.synchronize();
              s->work_on_host();
            }
          },
      .optimized =
          [s] {
            for (int i = 0; i < products; ++i) {
              s->multiply();
              s->work_on_host();
            }
          },
      .clear =
          [s] {
            s->out.fill_(-1);
            s->host_result = 0.25F;
          },
      .answer = [s](Form) -> Answer {
        return numbers_of(at::cat({s->out.cpu().view(-1), at::full({1}, s->host_result, at::kFloat)}));
      },
      .figures = [s, &stream]() -> std::vector<Figure> {
        const auto done = host_microseconds([&] { s->multiply(), stream.synchronize(); });
        const auto returned = host_microseconds([&] { s->multiply(); });
        return {{"host is kept by one product", "us", done, returned}};
      },
  };
}

extern constexpr Step step = checked({
    .id = "sync/async_launch",
    .claim = "A product on the device returns before it is done, so that the host can run ahead.",
    .claim_ids = "sync-async-launch",
    .sides = {"a wait each", "one wait"},
    .source = cuda_semantics("Asynchronous execution"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "back after 0.08 s of 1.8 s (n = 20000; xiaohan2012.github.io)"},
    .suite = Suite::quick,
});

}  // namespace microbench::sync_async_launch
