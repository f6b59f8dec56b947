// A small table of steps, one for each way of running, so that the tests of the command line share it.
#pragma once

#include "harness/catalogue/catalogue.hpp"

namespace harness::example {

inline Trial prepare_nothing(Setup&, const Point&) { return {}; }

constexpr Axis byte_axes[] = {{.name = "bytes",
                               .about = "of one copy",
                               .values = {64 << 10, 1 << 20, 16 << 20},
                               .quick = {64 << 10, 16 << 20},
                               .unit = Unit::bytes}};

constexpr std::string_view labels[] = {"threads", "processes"};
constexpr Axis worker_axes[] = {{.name = "as", .about = "what they are", .labels = labels},
                                {.name = "workers", .about = "how many", .values = {0, 2, 5}, .quick = {2}}};

constexpr Source source{.title = "A guide", .url = "https://example.org/guide", .where = "section 3"};

constexpr Step pinned{.id = "transfer/pinned_h2d",
                      .claim = "Copies from pinned memory are faster.",
                      .source = source,
                      .runs = Runs::cuda,
                      .axes = byte_axes,
                      .prepare = prepare_nothing,
                      .expectation = {.outcome = Outcome::helps, .published = "2.31 -> 5.77 GB/s"},
                      .suite = Suite::quick};
constexpr Step workers{.id = "dataload/workers",
                       .claim = "Workers hide a slow source.",
                       .source = source,
                       .runs = Runs::host,
                       .axes = worker_axes,
                       .prepare = prepare_nothing,
                       .expectation = {.outcome = Outcome::depends, .published = "no figure"},
                       .suite = Suite::quick};
constexpr Step item{.id = "sync/item",
                    .claim = "Reading a value back stalls.",
                    .source = source,
                    .runs = Runs::each,
                    .prepare = prepare_nothing,
                    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
                    .suite = Suite::quick};
constexpr Step rung{.id = "stgym/device_indices",
                    .claim = "Index tensors belong on the device.",
                    .claim_ids = "a b",
                    .source = source,
                    .runs = Runs::session,
                    .prepare = prepare_nothing,
                    .expectation = {.outcome = Outcome::helps, .published = "20 -> 2 s/epoch (90 %)"},
                    .tolerance = {.relative = 1e-4, .why = "another order of summation"},
                    .cuda_tolerance = {.relative = 1e-3, .why = "sums without a fixed order"},
                    .delta = 0.02,
                    .row_seconds = 30,
                    .suite = Suite::quick};

constexpr const Step* all[] = {&pinned, &workers, &item, &rung};

inline catalogue::Catalogue catalogue() {
  return catalogue::catalogue_of(all, {{"--scale", "FACTOR", "nodes per graph, as a share", ""}});
}

}  // namespace harness::example
