// Table of contents: one line per file below this folder, in reading order.
#pragma once

#include "harness/step.hpp"

namespace microbench {

extern const harness::Step transfer_pinned_h2d;
extern const harness::Step transfer_pinned_d2h;
extern const harness::Step overlap_chunked_streams;
extern const harness::Step sync_item_every_step;
extern const harness::Step dataload_workers_slow_source;
extern const harness::Step dataload_workers_ready_source;
extern const harness::Step precision_tf32_matmul;

/// All steps of this folder.
harness::Steps steps();

}  // namespace microbench
