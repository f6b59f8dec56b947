#include "microbench/steps.hpp"

namespace microbench {
namespace {

constexpr const harness::Step* all[] = {
    &sync_item_every_step,
};

}  // namespace

harness::Steps steps() { return all; }

}  // namespace microbench
