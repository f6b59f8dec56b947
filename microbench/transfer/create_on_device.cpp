// Create a tensor on the device instead of creating it on the host and copying it.
//
// Question: `at::arange(n).to(device)` and `at::arange(n, device)` give the same tensor. By what factor do
// they differ at n = 4194304, and where does the time go?
//
// `at::arange(n).to(device)` has the processor write n values into ordinary memory, has all of them copied to
// pinned memory of the driver and across the link, and makes the program wait for that. The values were
// nothing but a rule. With `device` among its options the same call queues one kernel that writes them where
// they are wanted, at the speed of the device's own memory, and returns at once. This is how index tensors,
// masks, constants and initial states get slow without looking slow: the call reads the same.
//
// When it does not matter: for a handful of values, made once; and on the CPU, where `.to()` of a tensor that
// is there already does nothing (transfer/to_noop) and both sides are the same call. Random numbers are not a
// fair pair, since host and device draw different ones by different methods; these operations have one
// result.
//
// `repeat` does more on the host before the copy (it lays 64 copies of a range one after another), as the
// pooling layer of the suite's case study did.
//
// A row times the call until the values are there. "host kept by the calls" is how long the host was held up.
//
// Answer: On the H200 here (commit 7400cad) by a factor of 79: 4.30 ms -> 54 us. Most of the time goes into
// writing 32 MiB on the host and staging and sending them; the device writes the same values at the speed of
// its own memory.

#include "microbench/host_time.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/tensors.hpp"

namespace microbench::transfer_create_on_device {

enum Operation : std::int64_t { arange, full, repeat };
constexpr Axis axes[] = {
    {.name = "op",
     .about = "what makes the values; repeat: arange(n / 64).repeat(64)",
     .quick = {arange},
     .labels = {"arange", "full", "repeat"}},
    {.name = "n", .about = "values, 64-bit integers", .values = {1 << 16, 1 << 22}, .quick = {1 << 22}}};

at::Tensor make(std::int64_t operation, std::int64_t n, const at::TensorOptions& where) {
  constexpr std::int64_t copies = 64;
  if (operation == arange) return at::arange(n, where);
  if (operation == full) return at::full({n}, 7, where);
  return at::arange(n / copies, where).repeat({copies});
}

Trial prepare(Setup& setup, const Point& point) {
  const auto operation = point["op"];
  const auto n = point["n"];
  require_device_memory(2 * static_cast<std::size_t>(n) * sizeof(std::int64_t));
  const auto on_host = at::TensorOptions().dtype(at::kLong);
  const auto on_device = on_host.device(torch_device(setup.device));
  const auto made = std::make_shared<at::Tensor>();

  const auto naive = [made, operation, n, on_host, on_device] {
    *made = make(operation, n, on_host).to(on_device.device());
  };
  const auto optimized = [made, operation, n, on_device] { *made = make(operation, n, on_device); };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [made, on_device] { *made = at::full({1}, -1, on_device); },
      .answer = [made](Form) { return numbers_of(*made); },
      .figures = [naive, optimized, device = setup.device]() -> std::vector<Figure> {
        return {host_kept(naive, optimized), sent_to_device(device, naive, optimized)};
      },
  };
}

extern constexpr Step step = checked({
    .id = "transfer/create_on_device",
    .claim = "Creating a tensor on the device is faster than creating it on the host and moving it.",
    .claim_ids = "xfer-create-on-device",
    .sides = {"on the host", "on the device"},
    .source = tuning_guide("Create tensors directly on the target device"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .suite = Suite::quick,
});

}  // namespace microbench::transfer_create_on_device
