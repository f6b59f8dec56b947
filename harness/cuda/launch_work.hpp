// What a kernel of this project does, for whoever counts work instead of timing it (`tuneproof simulate`).
#pragma once

namespace harness::inline cuda {

/// Says what the next launch of the calling thread reads and writes, in bytes, and how many single operations
/// it does. Only a device that records calls asks; on a real one this is a test of a pointer.
void next_launch_does(double bytes, double flop = 0);

}  // namespace harness::inline cuda
