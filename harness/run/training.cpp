#include "harness/run/training.hpp"

#include "harness/support/field.hpp"

namespace harness::run {
namespace {

Json texts(const Options& options) {
  auto json = Json::object();
  for (const auto& [name, value] : options) json[name] = value;
  return json;
}

Options options_from(const Field& json) {
  Options options;
  for (const auto& [name, value] : json.members()) options[name] = value.text();
  return options;
}

Device order_device(const Field& field) {
  try {
    return parse_device(field.text());
  } catch (const std::invalid_argument& error) {
    field.reject(error.what());
  }
}

}  // namespace

std::string order_to_json(const TrainingOrder& order) {
  const Json json{{"workload", order.workload},      {"settings", texts(order.settings)},
                  {"options", texts(order.options)}, {"device", to_string(order.device)},
                  {"threads", order.threads},        {"data_seed", order.data_seed},
                  {"loader", order.loader}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

TrainingOrder order_from_json(std::string_view text) {
  const auto document = parse_json(text, "order");
  const Field json(document, "order");
  return {.workload = json["workload"].text(),
          .settings = options_from(json["settings"]),
          .options = options_from(json["options"]),
          .device = order_device(json["device"]),
          .threads = static_cast<int>(json["threads"].integer(1, 1 << 20)),
          .data_seed = json["data_seed"].unsigned_integer(),
          .loader = json["loader"].text()};
}

}  // namespace harness::run
