#include "harness/ranks/rank_call.hpp"

#include "harness/support/field.hpp"

#include <limits>
#include <unistd.h>

namespace harness::ranks {

std::string call_to_json(const RankCall& call) {
  const Json json{{"number", call.number},
                  {"size", call.size},
                  {"share", {call.share.number, call.share.size}},
                  {"patience_ms", call.patience.count()},
                  {"meeting", call.meeting},
                  {"team", call.team},
                  {"task", run::task_to_json(call.task)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

RankCall call_from_json(std::string_view text) {
  constexpr int most = std::numeric_limits<int>::max();
  const auto document = parse_json(text, "rank");
  const Field json(document, "rank");
  RankCall call;
  call.number = static_cast<int>(json["number"].integer(0, most));
  call.size = static_cast<int>(json["size"].integer(1, most));
  const auto share = json["share"].entries();
  if (share.size() != 2) json["share"].reject("expected two numbers");
  call.share.number = static_cast<int>(share[0].integer(0, most));
  call.share.size = static_cast<int>(share[1].integer(1, most));
  call.patience = std::chrono::milliseconds(json["patience_ms"].integer());
  call.meeting = json["meeting"].text();
  call.team = json["team"].text();
  call.task = run::task_from_json(json["task"].text());
  return call;
}

std::vector<std::string> arguments_of(const RankCall& call) {
  return {"--rank", std::to_string(getpid()), call_to_json(call)};
}

}  // namespace harness::ranks
