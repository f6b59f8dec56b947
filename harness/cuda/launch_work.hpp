// What a kernel of this project does, for whoever counts work instead of timing it (`tuneproof simulate`).
// Only a device that records calls asks; on a real one each of these is a test of a pointer.
#pragma once

namespace harness::inline cuda {

/// Instructions that the compiler makes of a division or a root that is rounded as IEEE 754 asks: 11 and 10
/// in sm_80's code of microbench/overlap/overlap_work.cu.
constexpr double exact_operation = 10;

/// Says what the next launch of the calling thread reads and writes, in bytes, and how many single operations
/// it does: a fused multiply-add is one.
void next_launch_does(double bytes, double flop = 0);

/// Says how long the next launch takes on any device, in seconds: its work was chosen for that by timing.
void next_launch_takes(double seconds);

/// The same of one that was made to take as long as a copy of so many bytes from pinned memory to the device.
void next_launch_takes_as_a_copy(double bytes);

}  // namespace harness::inline cuda
