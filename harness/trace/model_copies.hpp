// Which copies to the device bring input, and which the model itself asks for.
#pragma once

#include "harness/trace/trace.hpp"

#include <set>

namespace harness::trace {

/// From this size on a copy to the device is taken for a batch: the smallest size that transfer/pinned_h2d
/// sweeps.
inline constexpr std::int64_t batch_bytes = 64 << 10;

/// Whether a range of that name is the model's; nothing where it could be either.
std::optional<bool> names_model(std::string_view range);

/// Copies that bring no input.
class ModelCopies {
 public:
  ModelCopies(const Trace& trace);

  /// True for a copy that the forward or the backward pass asks for: in autograd's engine, in a range named
  /// for one of them, or in a module's call. The innermost range decides; one that loads or copies a batch
  /// brings input, and DataParallel and its like hand the input on. True as well for one that returns.
  bool contain(EventId copy) const;

  /// True for a copy of what an optimizer has updated on the host: it is asked for behind it, before the next
  /// step begins or a batch is loaded, or is as large as one that brought gradients or parameters to the
  /// host.
  bool returns(EventId copy) const;

 private:
  struct Mark {
    std::int64_t ts;
    bool optimizer;  // on the host; else a step or a loading begins
  };

  std::optional<bool> by_range(EventId copy) const;

  const Trace& trace_;
  std::vector<Mark> marks_;             // by time; none where no optimizer runs on the host
  std::set<std::int64_t> brought_out_;  // sizes; likewise
};

}  // namespace harness::trace
