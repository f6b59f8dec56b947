#include "harness/run/event.hpp"

#include "harness/results/row_json.hpp"

namespace harness::run {
namespace {

Json encode(const RowBegun& event) { return {{"event", "begin"}, {"row", event.row}}; }
Json encode(const PassWalked& event) {
  return {{"event", "pass"}, {"row", event.row}, {"done", event.done}, {"of", event.of}};
}
Json encode(const RowEnded& event) { return {{"event", "row"}, {"row", results::row_to_json(event.row)}}; }
Json encode(const InputRejected& event) { return {{"event", "bad_input"}, {"message", event.message}}; }
Json encode(const WorkerEnded& event) {
  return {{"event", "end"}, {"disturbance", results::disturbance_to_json(event.disturbance)}};
}

}  // namespace

std::string event_to_json(const WorkerEvent& event) {
  const auto json = std::visit([](const auto& which) { return encode(which); }, event);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

WorkerEvent event_from_json(std::string_view line) {
  constexpr int most = 1'000'000;
  const auto document = parse_json(line, "event");
  const Field json(document, "event");
  const auto kind = json["event"].text();
  if (kind == "begin") return RowBegun{json["row"].text()};
  if (kind == "pass")
    return PassWalked{json["row"].text(), static_cast<int>(json["done"].integer(0, most)),
                      static_cast<int>(json["of"].integer(1, most))};
  if (kind == "row") return RowEnded{results::row_from_json(json["row"])};
  if (kind == "bad_input") return InputRejected{json["message"].text()};
  if (kind == "end") return WorkerEnded{results::disturbance_from_json(json["disturbance"])};
  json["event"].reject("'" + kind + "' is not an event");
}

}  // namespace harness::run
