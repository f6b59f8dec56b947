#pragma once

namespace stand_in {

/// Loads the kernels that were compiled for the host, and LibTorch's operators where the program has
/// LibTorch: both lie beside this library. Does so once.
void load_companions();

}  // namespace stand_in
