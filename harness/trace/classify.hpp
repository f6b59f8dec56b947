// What the words of a trace mean: categories, names of copies.
#pragma once

#include "harness/trace/trace.hpp"

namespace harness::trace {

/// The kind that a category stands for, today's words and those of 2021.
Kind kind_of(std::string_view category);

/// What the name of a copy says: "Memcpy HtoD (Pageable -> Device)", "CopyHostToDevice".
struct CopyRoute {
  Direction direction = Direction::none;
  HostMemory host_memory = HostMemory::unknown;
};
CopyRoute route_of(std::string_view name);

}  // namespace harness::trace
