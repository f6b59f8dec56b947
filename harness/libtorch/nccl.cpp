#include "harness/libtorch/nccl.hpp"

#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

namespace harness::inline libtorch {

c10::intrusive_ptr<c10d::Backend> nccl(const c10::intrusive_ptr<c10d::Store>& store, const Meeting& meeting) {
  auto options = c10d::ProcessGroupNCCL::Options::create();
  options->timeout = meeting.patience;
  return c10::make_intrusive<c10d::ProcessGroupNCCL>(store, meeting.number, meeting.size, std::move(options));
}

}  // namespace harness::inline libtorch
