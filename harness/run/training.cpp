#include "harness/run/training.hpp"

#include "harness/support/field.hpp"

#include <array>
#include <limits>

namespace harness::run {
namespace {

constexpr std::array<std::string_view, 3> why_names{"impossible", "failed", "bad_input"};
constexpr auto most = std::numeric_limits<std::int64_t>::max();

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

Json encode_training(const PartTrained& event) {
  return {{"event", "part"}, {"part", event.part}, {"seconds_per_sample", finite(event.seconds_per_sample)}};
}
Json encode_training(const Trained& event) {
  return {{"event", "trained"},
          {"seconds_per_sample", finite(event.seconds_per_sample)},
          {"peak_bytes", finite(event.peak_bytes)},
          {"loss", finite(event.loss)},
          {"samples", event.samples}};
}
Json encode_training(const NotTrained& event) {
  return {{"event", "not_trained"},
          {"why", why_names.at(static_cast<std::size_t>(event.why))},
          {"reason", event.reason}};
}

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

NotTrained::Why why_from(const Field& field) {
  const auto text = field.text();
  for (std::size_t i = 0; i < why_names.size(); ++i)
    if (text == why_names.at(i)) return static_cast<NotTrained::Why>(i);
  field.reject("'" + text + "' is not a reason");
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
  return line_of({{"workload", order.workload},
                  {"settings", texts(order.settings)},
                  {"options", texts(order.options)},
                  {"amount", order.amount},
                  {"device", to_string(order.device)},
                  {"threads", order.threads},
                  {"data_seed", order.data_seed},
                  {"loader", order.loader},
                  {"parent", order.parent}});
}

TrainingOrder order_from_json(std::string_view text) {
  const auto document = parse_json(text, "order");
  const Field json(document, "order");
  return {.workload = json["workload"].text(),
          .settings = options_from(json["settings"]),
          .options = options_from(json["options"]),
          .amount = json["amount"].integer(1, most),
          .device = order_device(json["device"]),
          .threads = static_cast<int>(json["threads"].integer(1, 1 << 20)),
          .data_seed = json["data_seed"].unsigned_integer(),
          .loader = json["loader"].text(),
          .parent = static_cast<int>(json["parent"].integer(0, std::numeric_limits<int>::max()))};
}

std::string training_event_to_json(const TrainingEvent& event) {
  return line_of(std::visit([](const auto& which) { return encode_training(which); }, event));
}

TrainingEvent training_event_from_json(std::string_view line) {
  const auto document = parse_json(line, "event");
  const Field json(document, "event");
  const auto kind = json["event"].text();
  if (kind == "part")
    return PartTrained{static_cast<int>(json["part"].integer(1, training_parts)),
                       json["seconds_per_sample"].positive()};
  if (kind == "trained")
    return Trained{.seconds_per_sample = json["seconds_per_sample"].positive(),
                   .peak_bytes = json["peak_bytes"].number(),
                   .loss = json["loss"].number(),
                   .samples = json["samples"].integer(1, most)};
  if (kind == "not_trained") return NotTrained{why_from(json["why"]), json["reason"].text()};
  json["event"].reject("'" + kind + "' is not an event");
}

}  // namespace harness::run
