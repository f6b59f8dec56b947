#pragma once

namespace stand_in {

/// From here on a host access to device memory, and a command's access to what is not allocated, end the
/// process with a sentence. Handlers that the program installs come after ours.
void catch_faults();

}  // namespace stand_in
