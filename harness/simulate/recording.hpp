// What a form asks of host and device, in its order and without times: it can be simulated for any GPU.
#pragma once

#include "harness/simulate/simulated_timeline.hpp"
#include "harness/support/field.hpp"

#include <array>
#include <span>
#include <utility>

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

/// "first" or "second": the side that readers know as one of the two forms.
inline std::string_view side_of(std::string_view form) { return form == "naive" ? "first" : "second"; }

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

// What a recording may hold: no more than the simulation can count, and nothing that a terminal would obey.

constexpr double most_of_one_call = 1e18;     // bytes, FLOP or microseconds
constexpr std::int64_t most_calls = 200'000;  // of a form: repeated ones and graphs' nodes count
constexpr int most_library_commands = 100;    // of one call on sparse matrices, which counts as so many

/// Throws BadInput where the object has a member of another name: what is misspelt would be taken for 0.
void only_known(const Field& json, std::span<const std::string_view> names);

/// A number from 0 to `most_of_one_call`.
double amount_from(const Field& field);

/// True without control characters.
bool is_clean(std::string_view text);

/// A text of at most 16 KiB without control characters.
std::string clean_text(const Field& field);

/// Throws BadInput where the nodes of a graph are more than kernels and copies, each behind earlier ones.
void check_nodes(const Entry& entry, const Field& json);

/// Throws BadInput where the row has neither two forms, naive and optimized, nor a reason, or where a form
/// has too many calls.
void check_row(const RowRecord& row, const Field& json);

// How a recording's file spells what calls do.

constexpr int recording_major = 1;

inline constexpr std::array<std::pair<std::string_view, Entry::Does>, 7> does_words{
    {{"kernel", Entry::Does::kernel},
     {"copy", Entry::Does::copy},
     {"record_event", Entry::Does::record_event},
     {"wait_for_event", Entry::Does::wait_for_event},
     {"synchronize", Entry::Does::synchronize},
     {"compute", Entry::Does::compute},
     {"graph", Entry::Does::graph}}};
inline constexpr std::array<std::pair<std::string_view, Synchronize::For>, 3> for_words{
    {{"device", Synchronize::For::device},
     {"stream", Synchronize::For::stream},
     {"event", Synchronize::For::event}}};
/// That do FLOP: kinds of products, single operations, products of two sparse matrices.
inline constexpr std::array<std::string_view, 5> units{"fp32", "tf32", "fp16", "arithmetic",
                                                       "sparse_product"};
}  // namespace harness::simulate
