// One test for each step and each kind of device that it has rows on: do its two forms give the same answer?
// Made from the table of steps, so that no step can be forgotten, and registered one by one, so that each
// fails, or is skipped with its reason, alone.
#pragma once

#include "harness/core/step.hpp"

#include <string>
#include <vector>

namespace sameness {

/// What is tested: the step on the host or on the first CUDA device.
struct Test {
  const harness::Step* step = nullptr;
  harness::Device device;
};

/// All tests, in the order of the table of steps.
std::vector<Test> tests();

/// "transfer/to_noop gives the same answer both ways on the host".
std::string name_of(const Test& test);

/// Makes the tests known to Catch2, those on a device with the tag [gpu]; before its session begins.
void register_tests();

}  // namespace sameness
