// Where the processes of a job meet, as rank 0's program passes it on to its workers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace harness::run {

/// The option in which a worker finds it; none where no job's processes have met.
constexpr std::string_view meeting_option = "meeting";

struct MeetingPlace {
  std::string address;
  int port = 0;
  std::string prefix;              // of the keys of this run: another run of the same job has another
  std::vector<std::string> nodes;  // of the ranks, rank 0's first
};

/// One line of JSON.
std::string meeting_to_json(const MeetingPlace& place);
/// Throws BadInput where it is malformed.
MeetingPlace meeting_from_json(std::string_view text);

}  // namespace harness::run
