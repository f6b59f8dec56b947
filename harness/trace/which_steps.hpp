// Which steps of its kind fit what a finding found: the Python lines of the first are printed below it, and
// its reader types them.
#pragma once

#include "harness/trace/evidence.hpp"
#include "harness/trace/findings.hpp"

namespace harness::trace {

/// The finding with these of its kind's steps first, in this order.
std::optional<Finding> led_by(std::optional<Finding> finding, std::initializer_list<std::string_view> first);

/// True if autograd ran nodes: a training, not a model that only answers.
bool goes_backwards(const Trace& trace);

/// A finding about an operator that the host runs, though its result is for a device: what gathers rows, what
/// makes new numbers, or another one.
std::optional<Finding> fit_to_host_operator(std::optional<Finding> finding, std::string_view op);

/// loader_transform, by what takes most of the loader's time: rows that are gathered, or other transforms.
std::optional<Finding> fit_to_loading(std::optional<Finding> finding, const std::vector<Blame>& loading);

/// memory_operators, by what takes most of the memory's time: rows that are gathered and scattered, or passes
/// of one family; `of_model` lies neither in the loader nor in the optimizer.
std::optional<Finding> fit_to_moving(std::optional<Finding> finding, const std::vector<Blame>& moving,
                                     const std::vector<Blame>& of_model);

/// True if most of that time goes to rows that are gathered and scattered.
bool moves_rows(const std::vector<Blame>& moving);

}  // namespace harness::trace
