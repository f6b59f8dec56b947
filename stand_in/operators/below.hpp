// Where the stand-in's operators call those of the host.
#pragma once

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/record_function.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace stand_in::operators {

/// Below autograd, autocast and the profiler while it lives: they have had their turn, and what stands for a
/// kernel is not an operator of the program.
struct Below {
  at::AutoDispatchBelowADInplaceOrView autograd;
  c10::impl::ExcludeDispatchKeyGuard autocast{c10::autocast_dispatch_keyset};
  at::DisableRecordFunctionGuard profiler;
};

}  // namespace stand_in::operators
