// What a trace says beside its list of events: the devices, the rank, whether shapes were recorded.
#pragma once

#include "harness/trace/trace.hpp"

#include <string>
#include <string_view>

namespace harness::trace {

/// Takes what it knows from a member of the outermost object. Returns why it is unreadable, "" where it is
/// not.
std::string read_member(std::string_view name, std::string_view value, Trace& trace);

}  // namespace harness::trace
