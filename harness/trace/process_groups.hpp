// In which process groups a rank communicates: ranks that share none do not wait for each other.
#pragma once

#include "harness/trace/trace.hpp"

namespace harness::trace {

struct KernelSummary;
struct Nesting;

/// A rank's time in the collectives of one process group.
struct GroupTime {
  std::string members;  // "[0,1]" as the trace has it, else the group's name; "" where it tells of none
  double us = 0;        // exposed and hidden, from entering collectives to leaving them
};

/// Of the judged kernels of a device, whose kinds `kernels` tells; messages from one rank to another are no
/// collectives. By members.
std::vector<GroupTime> device_groups(const Trace& trace, const Nesting& nesting,
                                     const std::vector<bool>& judged, const KernelSummary& kernels);

/// Of a thread, which communicates for that long: nothing where it does so in several groups, since it does
/// not say for which of them it waits.
std::vector<GroupTime> thread_groups(const Trace& trace, const std::vector<bool>& judged, double us);

/// True if the group has that rank for certain: its list names it.
bool is_member(const std::string& members, std::int64_t rank);

}  // namespace harness::trace
