// What one run of a form asks of the machine, counted. Counts have no clock in them: they are the same on
// every machine, and what they cost is another file's matter.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace harness::predict {

/// A piece of work that can have a price.
enum class Piece {
  call,             // of an operator; `type` is its sort: "add", "caller", "" where it is of none
  view,             // of an operator that only looks at its tensor in another way
  item,             // a number brought to the host
  node,             // of the backward pass, and what the way forward noted for it
  allocation,       // outside of operators that do nothing else
  bytes,            // read and written by an operator on the host; `size` of them
  package,          // of compiled code, which calls no operators
  product,          // on the host; `size` is its FLOP, `type` its numbers' type
  page_fault,       // a fresh page is touched
  wait,             // the thread gives its processor up until somebody wakes it
  launch,           // of a kernel
  synchronization,  // of the host with the device
  exchange,         // of `size` bytes between ranks, all added up; `type` says over what and how many
  pageable_to_device,
  pinned_to_device,
  device_to_pageable,
  device_to_pinned,
  on_device
};

struct Work {
  Piece piece = Piece::call;
  std::int64_t size = 0;  // 0 where the piece has none
  std::string type = {};  // of products: "fp32"; of calls their sort
  auto operator<=>(const Work&) const = default;
};

/// How often, in one run. Means over the recorded runs, so they need not be whole.
using Counts = std::map<Work, double>;

/// One form. `exposed` lies on the critical path: a run would be shorter without it. `hidden` happens beside
/// something longer.
struct Counted {
  Counts exposed;
  Counts hidden;
  double kernel_seconds = 0;  // a run's time in which the device computes, which has no price here
};

/// "operator calls", "bytes moved by the host".
std::string_view to_string(Piece piece);

}  // namespace harness::predict
