#include "workloads/training/leave_one_out.hpp"

namespace workloads::training {

Forms one_left_out(Input input, const harness::Point& point) {
  const auto change = kept_rungs(input).at(static_cast<std::size_t>(point["switch"])).change;
  Forms forms;
  if (From{point["from"]} == From::best) forms = {.naive = best(), .optimized = best()};
  forms.naive.*change = false;
  forms.optimized.*change = true;
  return forms;
}

}  // namespace workloads::training
