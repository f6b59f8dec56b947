#include "prices/table_line.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace prices;

TEST_CASE("a row of the table has its name, its time and its rate", "[prices]") {
  const harness::Style wide{.columns = 100};
  const auto width = names_width(24, wide);
  CHECK(table_head(width, wide) == "PRICE                          TIME           RATE\n");
  CHECK(table_line({"prices/memcpy/bytes:1KiB", "17.5 ns", "58.4 GB/s"}, width, wide) ==
        "prices/memcpy/bytes:1KiB    17.5 ns      58.4 GB/s\n");
  CHECK(table_line({"prices/thread/start", "20.0 us", ""}, width, wide) ==
        "prices/thread/start         20.0 us\n");
  CHECK(table_line({"prices/memcpy/bytes:1KiB", "17.5 ns", "58.4 GB/s", "bus 29.2 GB/s"}, width, wide) ==
        "prices/memcpy/bytes:1KiB    17.5 ns      58.4 GB/s  bus 29.2 GB/s\n");
}

TEST_CASE("before the table stands what concerns its reader, and the rest in the file", "[prices]") {
  for (const auto* line :
       {"2026-11-29T15:26:10+00:00", "Run on (2 X 2596.12 MHz CPU s)", "  L1 Data 48 KiB (x2)",
        "Load Average: 8.25, 7.17, 5.24", "fingerprint: sha256:7c0e", "gpu_multiprocessors: 132"})
    CHECK(is_left_to_the_file(line));
  for (const auto* line :
       {"cuda: CUDA prices: not measured, no CUDA device", "***WARNING*** CPU scaling is enabled", "rack: 7"})
    CHECK_FALSE(is_left_to_the_file(line));
}

TEST_CASE("on a narrow terminal no name loses a letter and no line is too wide", "[prices]") {
  const harness::Style narrow{.columns = 60};
  const auto width = names_width(70, narrow);
  CHECK(table_line({"prices/collective/reduce_scatter/gloo/ranks:2/bytes:64KiB", "41.2 us", "1.59 GB/s",
                    "bus 796 MB/s"},
                   width, narrow) ==
        "prices/collective/reduce_scatter/gloo/ranks:2/bytes:64KiB\n"
        "                                      41.2 us      1.59 GB/s\n"
        "                                                bus 796 MB/s\n");
  CHECK(table_error("prices/copy/h2d", "skipped: the device has too little memory for two blocks of 1 GiB",
                    narrow) ==
        "prices/copy/h2d\n"
        "  skipped: the device has too little memory for two blocks\n"
        "  of 1 GiB\n");
}
