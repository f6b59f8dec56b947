// The collectives that synchronize gradients, as DistributedDataParallel asks for them, and the process
// groups in which a rank communicates: ranks that share none do not wait for each other.
#pragma once

#include "harness/trace/evidence.hpp"
#include "harness/trace/trace.hpp"

namespace harness::trace {

/// An all-reduce that autograd's engine asked for: a bucket of gradients that was full.
struct Exchange {
  EventId id = no_event;
  std::optional<std::int64_t> bytes = {};  // of four a value where the type was not recorded
};

/// Those that were asked for in the judged part of the trace, by thread and time.
std::vector<Exchange> gradient_exchanges(const Evidence& evidence);

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

struct KernelSummary;
struct Nesting;

/// A rank's time in the collectives of one process group.
struct GroupTime {
  std::string members;  // "[0,1]" as the trace has it, else the group's name; "" where it tells of none
  double us = 0;        // exposed and hidden, from entering collectives to leaving them
};

/// Of the judged kernels of a device, whose kinds `kernels` tells; messages from one rank to another are no
/// collectives. By members.
std::vector<GroupTime> device_groups(const Trace& trace, const std::vector<bool>& judged,
                                     const KernelSummary& kernels);

/// Of a thread, which communicates for that long: nothing where it does so in several groups, since it does
/// not say for which of them it waits.
std::vector<GroupTime> thread_groups(const Trace& trace, const std::vector<bool>& judged, double us);

/// True if the group has that rank for certain: its list names it.
bool is_member(const std::string& members, std::int64_t rank);

}  // namespace harness::trace
