#include "harness/run/training.hpp"

#include "harness/support/json_members.hpp"

namespace harness::run {
namespace {

constexpr auto order_members = [](auto& each, auto& order) {
  each("workload", order.workload);
  each("settings", order.settings);
  each("options", order.options);
  each("device", order.device, as_device);
  each("threads", order.threads, whole(1, 1 << 20));
  each("data_seed", order.data_seed);
  each("loader", order.loader);
};

}  // namespace

std::string order_to_json(const TrainingOrder& order) { return one_line(json_by(order_members, order)); }

TrainingOrder order_from_json(std::string_view text) {
  const auto document = parse_json(text, "order");
  return read_by<TrainingOrder>(order_members, Field(document, "order"));
}

}  // namespace harness::run
