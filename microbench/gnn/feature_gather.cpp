// Let the device read the rows that it needs out of pinned memory, instead of gathering them on the host.
//
// Question: A batch needs 32,768 rows from all over a table in the host's memory. The host can gather and
// send them, or a kernel can read them over the link itself. Which way moves each byte fewer times, and when
// does it lose nevertheless?
//
// Gathered on the host, a row is read from the table, written to a buffer, read again by the copy engine, and
// crosses the link; the host's threads are busy with it, and memory is crossed three times. A device can read
// pinned memory of the host directly: under unified addressing such memory has one address on both sides. So
// the same index_select, started on the device, reads just the rows, over the link, and writes them where
// they are needed. Only the numbers of the rows are sent, 8 bytes each. Libraries for large graphs call it
// zero-copy, UVA, or a unified tensor.
//
// What it costs: the whole table must be pinned, so no other program can use that memory, and multiprocessors
// wait for the link. When it hurts: where rows are short (`width:16` is 64 bytes): the link carries small
// requests worse than large copies; where rows are read again and again, which a cache on the device would
// serve; and where workers gather ahead on cores that are free.
//
// A row measures one batch of rows from a table of 262,144, until it lies on the device: the first side
// gathers them into pinned memory and copies.
//
// Answer: Zero-copy moves each byte once and takes no time of the host, so it wins where rows are long. With
// short rows it depends on the link. In the source an epoch took 4.1 s instead of 19.2, with sampling on the
// device in both.

#include "microbench/tip.hpp"
#include "microbench/transfer/tensors.hpp"

namespace microbench::gnn_feature_gather {

constexpr std::int64_t table_rows = 262'144;
constexpr std::int64_t batch_rows = 32'768;
constexpr Axis axes[] = {{.name = "width", .about = "floats in a row", .values = {16, 128}}};

struct State {
  State(const Setup& setup, std::int64_t width) : device(torch_device(setup.device)) {
    const auto random = random_values({table_rows, width}, setup.seed);
    table = at::empty(random.sizes(), random.options().pinned_memory(true));
    table.copy_(random);
    mapped = at::for_blob(table.data_ptr(), table.sizes())
                 .options(random.options().device(device))
                 .target_device(device)
                 .make_tensor();
    numbers = at::arange(batch_rows, at::kLong).mul(104'729).remainder(table_rows).pin_memory();
  }
  void gather_and_send() {
    auto gathered = at::empty({batch_rows, table.size(1)}, table.options().pinned_memory(true));
    at::index_select_out(gathered, table, 0, numbers);
    rows = gathered.to(device, at::kFloat, /*non_blocking=*/true);
  }
  void read_over_the_link() {
    rows = mapped.index_select(0, numbers.to(device, at::kLong, /*non_blocking=*/true));
  }

  at::Device device;
  at::Tensor table, mapped;  // the same memory, as the host and as the device sees it
  at::Tensor numbers, rows;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto width = point["width"];
  require_device_memory(static_cast<std::size_t>(4 * batch_rows * width) * sizeof(float));
  const auto s = std::make_shared<State>(setup, width);
  return {
      .naive = [s] { s->gather_and_send(); },
      .optimized = [s] { s->read_over_the_link(); },
      .clear = [s, width] { s->rows = at::full({batch_rows, width}, -1.F, at::TensorOptions(s->device)); },
      .answer = [s](Form) -> Answer { return numbers_of(s->rows); },
      .bytes_moved = static_cast<std::size_t>(batch_rows * width) * sizeof(float),
  };
}

extern constexpr Step step = checked({
    .id = "gnn/feature_gather",
    .claim =
        "Rows that a kernel reads out of pinned memory are on the device sooner than rows that are gathered "
        "and sent.",
    .sides = {"gathered and sent", "read over the link"},
    .source = {"Deep Graph Library", "https://github.com/dmlc/dgl/pull/3674", "pull request 3674"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "19.2 -> 4.1 s an epoch (4 A100, ogbn-papers100M)",
                    .about = "width:128"},
});

}  // namespace microbench::gnn_feature_gather
