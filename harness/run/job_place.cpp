#include "harness/run/job_place.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/support/field.hpp"
#include "harness/support/json_members.hpp"
#include "harness/support/spawn.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <sstream>

namespace harness::run {
namespace {

constexpr int most_processes = 1'000'000;
constexpr int most_port = 65'535;

int number_from(const Variables& variable, const char* name, int least, int most) {
  const auto text = variable(name);
  const auto number = parse_number<int>(text);
  if (!number || *number < least || *number > most)
    throw BadInput(fmt::format("{}='{}': expected a whole number from {} to {}", name, text, least, most));
  return *number;
}

std::string node_of(const Variables& variable) {
  if (auto node = variable("SLURMD_NODENAME"); !node.empty()) return node;
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

void require_member(const JobPlace& launch, const char* number) {
  if (launch.number >= launch.size)
    throw BadInput(fmt::format("{}='{}': the job has {} processes, numbered from 0", number, launch.number,
                               launch.size));
}

std::optional<JobPlace> launched_by_torchrun(const Variables& variable) {
  for (const auto* name : {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"})
    if (variable(name).empty()) return std::nullopt;
  JobPlace launch{.number = number_from(variable, "RANK", 0, most_processes),
                  .size = number_from(variable, "WORLD_SIZE", 1, most_processes),
                  .node = node_of(variable),
                  .address = variable("MASTER_ADDR"),
                  .port = number_from(variable, "MASTER_PORT", 1, most_port),
                  .meeting_open = variable("TORCHELASTIC_USE_AGENT_STORE") == "True"};
  require_member(launch, "RANK");
  return launch;
}

/// Slurm's own tool reads its lists: "n[1-3,7]".
std::vector<std::string> names_in(const std::string& list) {
  const auto said = run_program({"scontrol", {"show", "hostnames", list}, {}}, {});
  std::istringstream lines(said.output);
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) names.push_back(line);
  return names;
}

std::string slurm_address(const Variables& variable) {
  if (auto address = variable("MASTER_ADDR"); !address.empty()) return address;
  if (number_from(variable, "SLURM_STEP_NUM_NODES", 1, most_processes) == 1) return "127.0.0.1";
  const auto list = variable("SLURM_STEP_NODELIST");
  try {
    if (const auto names = names_in(list); !names.empty()) return names.front();
  } catch (const BadInput&) {  // then nobody knows it
  }
  throw BadInput(
      fmt::format("scontrol cannot read the list of nodes '{}'; set MASTER_ADDR to the first one", list));
}

/// Another one for each job and step of a node, below those that systems give to clients.
int slurm_port(const Variables& variable) {
  if (!variable("MASTER_PORT").empty()) return number_from(variable, "MASTER_PORT", 1, most_port);
  constexpr std::uint64_t first = 20'000, ports = 12'000, steps = 16;
  const auto job = parse_number<std::uint64_t>(variable("SLURM_JOB_ID")).value_or(0);
  const auto step = parse_number<std::uint64_t>(variable("SLURM_STEP_ID")).value_or(0);
  return static_cast<int>(first + (job * steps + step % steps) % ports);
}

std::optional<JobPlace> launched_by_slurm(const Variables& variable) {
  if (variable("SLURM_PROCID").empty() || variable("SLURM_STEP_NUM_TASKS").empty()) return std::nullopt;
  JobPlace launch{.number = number_from(variable, "SLURM_PROCID", 0, most_processes),
                  .size = number_from(variable, "SLURM_STEP_NUM_TASKS", 1, most_processes),
                  .node = node_of(variable)};
  if (launch.size == 1) return launch;
  require_member(launch, "SLURM_PROCID");
  launch.address = slurm_address(variable);
  launch.port = slurm_port(variable);
  return launch;
}

constexpr auto meeting_members = [](auto& each, auto& place) {
  each("address", place.address);
  each("port", place.port, whole(1, most_port));
  each("prefix", place.prefix);
  each("nodes", place.nodes);
};

}  // namespace

Variables environment_variables() {
  return [](const char* name) -> std::string {
    const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets it
    return text == nullptr ? "" : text;
  };
}

std::optional<JobPlace> job_place_from(const Variables& variable) {
  auto launch = launched_by_torchrun(variable);
  if (!launch) launch = launched_by_slurm(variable);
  if (launch && launch->size == 1) return std::nullopt;
  return launch;
}

std::vector<std::string> planned_nodes(const Variables& variable, int size) {
  const auto list = variable("SLURM_STEP_NODELIST");
  if (list.empty()) return {};
  try {
    auto names = names_in(list);
    return std::cmp_equal(names.size(), size) ? names : std::vector<std::string>();
  } catch (const BadInput&) {
    return {};
  }
}

int rank_count(const Options& options) {
  constexpr int otherwise = 2;
  constexpr int most_ranks = 1024;
  const auto found = options.find("ranks");
  if (found == options.end()) return otherwise;
  const auto size = parse_number<int>(found->second);
  if (!size || *size < 1 || *size > most_ranks)
    throw BadInput(
        fmt::format("--ranks '{}': expected a number of processes from 1 to {}", found->second, most_ranks));
  return *size;
}

void require_ranks_of(const JobPlace& launch, const Options& options) {
  if (options.contains("ranks") && rank_count(options) != launch.size)
    throw BadInput(fmt::format("--ranks {}: this job has {} processes, and they are the ranks",
                               rank_count(options), launch.size));
}

std::string meeting_to_json(const MeetingPlace& place) { return one_line(json_by(meeting_members, place)); }

MeetingPlace meeting_from_json(std::string_view text) {
  const auto document = parse_json(text, "meeting");
  return read_by<MeetingPlace>(meeting_members, Field(document, "meeting"));
}

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
