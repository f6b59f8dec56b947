// Leave a small step on the device even if the processor would do it sooner: the way there and back costs
// more.
//
// Question: The median of each row of a matrix is a job that suits a processor. How large must the matrix be
// before it pays to fetch it, and does it ever?
//
// A chain runs on the device, and one link in the middle suits it badly: a sort, a search, a number per row.
// The processor may do that link in less time. But it must first have the data: the device finishes what was
// queued, the data cross the link, the processor works while the device idles, the result crosses back. Two
// transfers and a wait stand against a kernel that is slow for a kernel.
//
// When it does pay: where the processor's way is so much shorter that it makes up for both transfers, as with
// algorithms that run in sequence over little data, or where the data are on the host in any case.
//
// A row measures a chain of three links over `rows` rows of 256 values: a product by a number, the median of
// each row, and its subtraction. The first side takes the middle link on the host.
//
// Answer: In this chain hardly ever: both transfers grow with the matrix, as the device's median does, and
// the waits come on top. It pays only where the processor's way is shorter by more than two transfers, or
// where the data are on the host anyway.

#include "microbench/tip.hpp"
#include "microbench/transfer/tensors.hpp"

namespace microbench::transfer_stay_on_device {

constexpr Axis axes[] = {
    {.name = "rows", .about = "of 256 values", .values = {16, 1024, 65536}, .quick = {1024}}};
constexpr std::int64_t columns = 256;

struct State {
  at::Tensor x, out;
};

at::Tensor medians(const at::Tensor& x) { return std::get<0>(x.median(1, /*keepdim=*/true)); }

Trial prepare(Setup& setup, const Point& point) {
  const auto rows = point["rows"];
  require_device_memory(static_cast<std::size_t>(rows * columns) * 4 * sizeof(float));
  const auto s = std::make_shared<State>();
  s->x = random_values({rows, columns}, setup.seed).to(torch_device(setup.device));

  return {
      .naive =
          [s] {
            const auto scaled = s->x.mul(2);
            s->out = scaled.sub(medians(scaled.cpu()).to(s->x.device()));
          },
      .optimized =
          [s] {
            const auto scaled = s->x.mul(2);
            s->out = scaled.sub(medians(scaled));
          },
      .clear = [s] { s->out = at::full_like(s->x, -100); },
      .answer = [s](Form) { return numbers_of(s->out); },
  };
}

extern constexpr Step step = checked({
    .id = "transfer/stay_on_device",
    .claim =
        "Fetching data for a small step on the processor takes longer than leaving the step on the device.",
    .claim_ids = "xfer-gpu-even-if-slow",
    .sides = {"on the host", "on the device"},
    .source = best_practices("10.1 Data Transfer Between Host and Device"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "rows:1024"},
});

}  // namespace microbench::transfer_stay_on_device
