#include "harness/run/meeting_place.hpp"

#include "harness/support/field.hpp"

namespace harness::run {

std::string meeting_to_json(const MeetingPlace& place) {
  const Json json{
      {"address", place.address}, {"port", place.port}, {"prefix", place.prefix}, {"nodes", place.nodes}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

MeetingPlace meeting_from_json(std::string_view text) {
  const auto document = parse_json(text, "meeting");
  const Field json(document, "meeting");
  return {.address = json["address"].text(),
          .port = static_cast<int>(json["port"].integer(1, 65'535)),
          .prefix = json["prefix"].text(),
          .nodes = json["nodes"].texts()};
}

}  // namespace harness::run
