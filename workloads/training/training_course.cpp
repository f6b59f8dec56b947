#include "workloads/training/training_course.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace workloads::training {

Course::Course(std::function<std::vector<Numbers>(std::int64_t epoch)> batches_of)
    : batches_of_(std::move(batches_of)) {
  rewind(0);
}

void Course::rewind(std::int64_t epoch, std::int64_t batch) {
  losses_.clear();
  epoch_ = epoch;
  batches_ = batches_of_(epoch);
  cursor_ = static_cast<std::size_t>(batch) % batches_.size();
}

bool Course::advance() {
  if (++cursor_ < batches_.size()) return false;
  begin_next_epoch();
  return true;
}

void Course::begin_next_epoch() {
  batches_ = batches_of_(++epoch_);
  cursor_ = 0;
}

std::vector<Numbers> Course::batches_left() const {
  return {batches_.begin() + static_cast<std::ptrdiff_t>(cursor_), batches_.end()};
}

std::vector<float> Course::finite_losses() const {
  if (losses_.empty()) return {};
  const auto all = at::stack(losses_).to(at::kFloat).cpu();
  const auto* data = all.const_data_ptr<float>();
  std::vector<float> values(data, data + all.numel());
  const auto bad = std::ranges::find_if(values, [](float loss) { return !std::isfinite(loss); });
  if (bad != values.end())
    throw std::runtime_error(fmt::format("batch {}: the loss is not finite", bad - values.begin() + 1));
  return values;
}

}  // namespace workloads::training
