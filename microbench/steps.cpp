#include "microbench/steps.hpp"

namespace microbench {
namespace {

// clang-format off: one a line, so that a new tip is a new line
constexpr const harness::Step* all[] = {
    &transfer_pinned_h2d,
    &transfer_pinned_d2h,
    &overlap_chunked_streams,
    &sync_item_every_step,
    &dataload_workers_slow_source,
    &dataload_workers_ready_source,
    &precision_tf32_matmul,
};
// clang-format on

}  // namespace

harness::Steps steps() { return all; }

}  // namespace microbench
