// A price list with round numbers, for tests that are worked by hand.
#pragma once

#include "harness/predict/price_book.hpp"

#include <string>
#include <utility>
#include <vector>

namespace harness::example {

/// Low, middle and high of five repetitions.
inline std::vector<double> five(double low, double middle, double high) {
  return {middle, low, middle, high, middle};
}

/// Operators 300 ns (200 to 400), copies of 1 MB and 100 MB at 10 GB/s and 5 GB/s.
inline std::vector<predict::PriceRow> price_rows() {
  return {
      {"prices/dispatch/host/add", five(290e-9, 300e-9, 310e-9)},
      {"prices/dispatch/host/cat", five(300e-9, 310e-9, 320e-9)},
      {"prices/dispatch/host/copy", five(280e-9, 290e-9, 300e-9)},
      {"prices/dispatch/host/index", five(310e-9, 320e-9, 330e-9)},
      {"prices/dispatch/host/mm", five(270e-9, 280e-9, 290e-9)},
      {"prices/dispatch/host/sum", five(290e-9, 300e-9, 310e-9)},
      {"prices/dispatch/host/empty", five(200e-9, 210e-9, 220e-9)},
      {"prices/dispatch/host/view", five(380e-9, 390e-9, 400e-9)},
      {"prices/dispatch/host/item", five(40e-9, 50e-9, 60e-9)},
      {"prices/dispatch/host/node", five(1000e-9, 1300e-9, 1600e-9)},
      {"prices/allocate/malloc/bytes:4KiB", five(30e-9, 40e-9, 50e-9)},
      {"prices/allocate/malloc_touched/bytes:1MiB", five(250e-6, 256e-6, 262e-6)},
      {"prices/allocate/kept_touched/bytes:1MiB", five(0, 0, 0)},
      {"prices/memcpy/bytes:1MiB", five(90e-6, 100e-6, 110e-6)},
      {"prices/memcpy/bytes:64MiB", five(12.0e-3, 12.8e-3, 13.6e-3)},
      {"prices/product/host/fp32/n:100", five(19e-6, 20e-6, 21e-6)},
      {"prices/thread/wake/condition", five(30e-6, 40e-6, 50e-6)},
      {"prices/thread/wake/pipe", five(35e-6, 45e-6, 60e-6)},
      {"prices/collective/all_reduce/gloo/ranks:2/bytes:1MiB", five(0.9e-3, 1e-3, 1.1e-3)},
      {"prices/collective/all_reduce/gloo/ranks:2/bytes:16MiB", five(15e-3, 16e-3, 17e-3)},
      {"prices/copy/h2d/host:pageable/bytes:1MiB", five(190e-6, 200e-6, 210e-6)},
  };
}

inline predict::PriceBook prices(int threads = 1) {
  return {{"sha256:1", threads, "2026-11-21T00:00:00Z"}, price_rows()};
}

}  // namespace harness::example
