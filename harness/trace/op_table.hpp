// PyTorch's own op table (`key_averages()`), rebuilt from a trace; what was allocated, and by whom.
#pragma once

#include "harness/trace/trace.hpp"

namespace harness::trace {

/// Bytes taken; below 0 where more was given back.
struct MemoryUse {
  std::int64_t host = 0;
  std::int64_t device = 0;
  MemoryUse& operator+=(const MemoryUse& other);
  MemoryUse& operator-=(const MemoryUse& other);
};

/// One row. A call inside a call of the same name adds to self time, but counts neither as a call nor twice
/// in the total. Device times of an operator are those of the work it asked for; total includes what its
/// callees asked for.
struct OpRow {
  std::string name;
  std::int64_t calls = 0;
  double self_cpu_us = 0;
  double cpu_total_us = 0;
  double self_device_us = 0;
  double device_total_us = 0;
  MemoryUse self_memory;       // of all threads while it ran, less that of its callees
  MemoryUse memory;            // callees included
  bool device_row = false;     // a kernel or copy by its own name; PyTorch lists these beside the operators
  bool range = false;          // a record_function range
  std::string shapes;          // by_shape: of its inputs, as JSON; empty where they were not recorded
  std::string where;           // "train.py(42): step": the call with the longest self time; "" without stacks
  EventId longest = no_event;  // that call
};

/// Sums below the table: all self times.
struct OpTable {
  std::vector<OpRow> rows;  // by falling self_cpu_us, then name
  double self_cpu_us = 0;
  double self_device_us = 0;
  bool memory_recorded = false;
};

/// `inside` restricts the table to those events (window.hpp); empty: all. `by_shape`: calls with different
/// input shapes are rows of their own.
OpTable op_table(const Trace& trace, const std::vector<bool>& inside = {}, bool by_shape = false);

/// The figure of a row to sort by; a share of the whole sorts as the figure itself does.
using OpKey = double (*)(const OpRow&);

/// Of the column that "self_cpu_time_total" and the like name, PyTorch's words, as well as ours; nullptr for
/// other words.
OpKey op_key(std::string_view word);
/// The word of ours for each column.
std::vector<std::string> op_columns();
void sort_rows(OpTable& table, OpKey key);  // falling; by name rising

}  // namespace harness::trace
