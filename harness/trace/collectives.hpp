// The collectives that synchronise gradients, as DistributedDataParallel asks for them.
#pragma once

#include "harness/trace/evidence.hpp"

namespace harness::trace {

/// An all-reduce that autograd's engine asked for: a bucket of gradients that was full.
struct Exchange {
  EventId id = no_event;
  std::optional<std::int64_t> bytes = {};  // of four a value where the type was not recorded
};

/// Those that were asked for in the judged part of the trace, by thread and time.
std::vector<Exchange> gradient_exchanges(const Evidence& evidence);

/// What a collective was called with: its own record, since 2024 with its number of values, before that with
/// its shape. Nothing where no size was recorded.
std::optional<std::int64_t> recorded_bytes(const Trace& trace, const Event& event);

/// How often gradients were exchanged, and how often weights were updated with them.
struct Passes {
  std::size_t exchanged = 0;  // backward passes that exchanged gradients
  std::size_t updates = 0;    // optimizer steps that had at least one such pass
};

/// Counts the backward passes between two `Optimizer.step` ranges by the DistributedDataParallel.forward
/// before each. Nothing is counted where the trace has neither range.
Passes backward_passes(const Evidence& evidence, const std::vector<Exchange>& exchanges);

/// The bytes of all tensors in "[[64,3],[]]" or "[[[4160]],[]]", by the type of their values: four bytes each
/// where it is none that we know. Nothing where no size was recorded.
std::optional<std::int64_t> bytes_of(std::string_view dims, std::string_view type);

}  // namespace harness::trace
