#include "harness/predict/work.hpp"

namespace harness::predict {

std::string_view to_string(Piece piece) {
  switch (piece) {
    case Piece::call:
      return "operator calls";
    case Piece::view:
      return "views";
    case Piece::item:
      return "numbers brought to the host";
    case Piece::node:
      return "nodes of the backward pass";
    case Piece::allocation:
      return "allocations";
    case Piece::bytes:
      return "bytes that operators move";
    case Piece::package:
      return "compiled code";
    case Piece::product:
      return "FLOP of products";
    case Piece::page_fault:
      return "page faults";
    case Piece::wait:
      return "waits for another thread";
    case Piece::launch:
      return "launches";
    case Piece::synchronization:
      return "synchronizations";
    case Piece::exchange:
      return "bytes exchanged between ranks";
    case Piece::pageable_to_device:
      return "bytes to the device, pageable";
    case Piece::pinned_to_device:
      return "bytes to the device, pinned";
    case Piece::device_to_pageable:
      return "bytes to the host, pageable";
    case Piece::device_to_pinned:
      return "bytes to the host, pinned";
    case Piece::on_device:
      break;
  }
  return "bytes copied on the device";
}

}  // namespace harness::predict
