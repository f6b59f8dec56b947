#include "harness/run/run_in_job.hpp"

#include "harness/run/job_place.hpp"
#include "harness/support/field.hpp"
#include "harness/support/spawn.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>

namespace harness::run {

JobMeeting::JobMeeting(const std::filesystem::path& worker, std::chrono::duration<double> row_timeout)
    : host_({worker, {"--open-meeting", std::to_string(row_timeout.count()), std::to_string(getpid())}, {}}) {
  const auto said = parse_json(host_.listen(), worker.filename().string());
  ended_ = said.contains("error");
  if (ended_) throw BadInput(said["error"].get<std::string>());
  place_ = said["meeting"].get<std::string>();
}

JobMeeting::~JobMeeting() { end(1); }

int JobMeeting::end(int exit_code) {
  if (ended_) return exit_code;
  ended_ = true;
  try {
    host_.ask(std::to_string(exit_code));
  } catch (const std::exception&) {  // it has ended, and the others have noticed
  }
  return exit_code;
}

std::string JobMeeting::nodes() const {
  return fmt::format("{}", fmt::join(meeting_from_json(place_).nodes, ", "));
}

void note_nodes(Options& options, const JobMeeting& meeting) {
  options["nodes"] = meeting.nodes();
  options["ranks"] = std::to_string(std::ranges::count(meeting.nodes(), ',') + 1);
}

void require_same_nodes(const Options& options, const JobMeeting* meeting, const std::string& file) {
  const std::string alone = "this process alone";
  const auto found = options.find("nodes");
  const auto then = found == options.end() ? alone : found->second;
  const auto now = meeting == nullptr ? alone : meeting->nodes();
  if (then != now)
    throw BadInput(fmt::format("{}: cannot resume this file here: its ranks were on {}, and now on {}", file,
                               then, now));
}

void join_meeting(const std::filesystem::path& worker, std::chrono::duration<double> row_timeout) {
  become({worker, {"--join-meeting", std::to_string(row_timeout.count())}});
}

}  // namespace harness::run
