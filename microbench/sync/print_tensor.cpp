// Do not print tensors inside a loop; print once after it.
//
// Question: A loop prints 1000 values in each of ten iterations. Which costs more, the wait for the device or
// the formatting? And does the tip help on a CPU?
//
// To write a tensor's values, LibTorch copies them to the host and waits for the copy, and so for everything
// that was queued before. It converts them to double there, looks for the smallest and largest value to
// choose a format, and formats number by number. The first part is the synchronization of `.item()` with more
// bytes; the second is plain work of one core, and for more than a handful of values it is the larger one.
//
// When it does not matter: for a print every thousand iterations, or where an iteration takes far longer than
// printing (`numel`: 1 value, or 1000).
//
// A row measures ten iterations of seven kernels over 128 x 128 values. The text goes into a string, so that
// no terminal or file is measured. Both sides end with the text of the last values.
//
// Answer: For 1,000 values the formatting, plain work of one core; for a single value the wait. So the tip
// holds on the CPU as well, where nothing waits and the formatting is the whole price.

#include "microbench/sync/loop_body.hpp"
#include "microbench/tip.hpp"

#include <cstring>
#include <sstream>

namespace microbench::sync_print_tensor {

constexpr Axis axes[] = {{.name = "numel", .about = "values printed", .values = {1, 1000}}};
constexpr std::int64_t side = 128;  // below the size from which LibTorch splits a product among the cores
constexpr int loop = 10;

struct State {
  State(std::int64_t count, at::Device device)
      : body(side, device), shown(count == 1 ? body.mean : body.y.view(-1).narrow(0, 0, count)) {}
  void print() {
    std::ostringstream out;
    out << shown;
    text = out.str();
  }
  LoopBody body;
  at::Tensor shown;
  std::string text;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(point["numel"], torch_device(setup.device));

  return {
      .naive =
          [s] {
            for (int i = 0; i < loop; ++i) {
              s->body.iterate(i);
              s->print();
            }
          },
      .optimized =
          [s] {
            for (int i = 0; i < loop; ++i) s->body.iterate(i);
            s->print();
          },
      .clear =
          [s] {
            s->shown.fill_(-1);
            s->text.clear();
          },
      .answer = [s](Form) -> Answer {
        std::vector<std::byte> bytes(s->text.size());
        if (!bytes.empty()) std::memcpy(bytes.data(), s->text.data(), bytes.size());
        return bytes;
      },
  };
}

extern constexpr Step step = checked({
    .id = "sync/print_tensor",
    .claim = "Printing a tensor in each iteration makes the host wait and format; once at the end does not.",
    .claim_ids = "sync-print-tensor",
    .sides = {"in the loop", "after it"},
    .source = tuning_guide("Avoid unnecessary CPU-GPU synchronization"),
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
});

}  // namespace microbench::sync_print_tensor
