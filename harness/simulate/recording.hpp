// What a form asks of host and device, in its order and without times: it can be simulated for any GPU.
#pragma once

#include "harness/simulate/schedule.hpp"
#include "harness/support/field.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace harness::simulate {

/// One call.
struct Entry {
  enum class Does { kernel, copy, record_event, wait_for_event, synchronize, compute, graph };
  Does does = Does::kernel;
  std::string name = {};
  int stream = 1;
  int event = 0;      // recorded, waited for, or synchronized with
  double bytes = 0;   // that a kernel reads and writes, or a copy moves
  double fresh = 0;   // of these, the bytes of new host memory
  double sorted = 0;  // of the bytes, those that sorts of a sparse matrix's entries go over
  double flop = 0;
  std::string unit = "fp32";  // that does the FLOP: a kind of product, or "arithmetic"
  double us = 0;              // a duration that is given, not worked out
  double as_copy = 0;         // bytes: it takes as long as their copy from pinned memory to the device
  int blocks = 0;             // 0: as many as the device takes
  bool is_operator = false;   // LibTorch chose the kernel: that costs the host
  bool reduction = false;     // of LibTorch: few blocks, several passes
  bool uncounted = false;     // a kernel whose work nobody counted: it has no time
  std::string way = {};       // of a copy: "h2d", "d2h", "d2d"
  bool pageable = false;
  bool waits = false;  // the call returns when the copy has ended
  Synchronize::For of = Synchronize::For::device;
  int times = 1;                        // this entry, so often
  std::vector<Entry> nodes = {};        // of a graph
  std::vector<std::size_t> after = {};  // of a node
  bool operator==(const Entry&) const = default;
  /// A library makes many commands of it.
  bool of_sparse_matrices() const { return sorted > 0 || unit == "sparse_product"; }
};

/// One run of a form.
struct FormRecord {
  std::string form;
  std::vector<Entry> entries;
  std::set<int> non_blocking = {};
  /// How often the host makes calls that no data sheet has a price for: allocations, the making of graphs.
  std::map<std::string, int> unpriced = {};
};

struct RowRecord {
  std::string row;
  std::vector<FormRecord> forms = {};
  std::string note = {};    // what a reader must know: a size that was worked out
  std::string reason = {};  // why it could not be recorded; then it has no forms
};

struct Recording {
  std::vector<RowRecord> rows;
  std::string note = {};  // what a reader must know: a recording that was stopped
};

/// Entries of a JSON list. Throws BadInput with the place where they are malformed.
std::vector<Entry> entries_from_json(const Field& list);
Entry entry_from_json(const Field& json);

Json recording_to_json(const Recording& recording);
/// Throws BadInput where the file is not a recording.
Recording read_recording(const std::filesystem::path& file);

}  // namespace harness::simulate
