#include "harness/pages/learner.hpp"

#include "harness/support/read_json.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/scratch_folder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <poll.h>
#include <system_error>

namespace harness::pages {
namespace {

constexpr std::uint64_t most_bytes = 1 << 20;
constexpr auto learner_schema = "tuneproof.learn";
constexpr int version = 1;
constexpr std::string_view outcomes[] = {"right", "otherwise", "shown", "skipped"};

/// An empty variable counts as none, and one that is not an absolute path is to be ignored: XDG's rules.
std::optional<std::filesystem::path> folder_in(const char* variable) {
  const char* const text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): one thread
  if (text == nullptr || !std::filesystem::path(text).is_absolute()) return std::nullopt;
  return text;
}

}  // namespace

void Console::wait_for(int fd) {
  std::array<pollfd, 2> ready{{{fd, POLLIN, 0}, {watch_.fd(), POLLIN, 0}}};
  while (::poll(ready.data(), ready.size(), -1) < 0 && errno == EINTR) {
  }
  if (ready[1].revents != 0 && watch_.take()) throw Interrupted{};
}

std::optional<std::string> Console::line() {
  while (true) {
    if (const auto end = typed_.find('\n'); end != typed_.npos) {
      auto line = typed_.substr(0, end);
      typed_.erase(0, end + 1);
      return line;
    }
    wait_for(STDIN_FILENO);
    std::array<char, 4096> piece{};
    const auto size = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    typed_.append(piece.data(), static_cast<std::size_t>(size));
  }
  if (typed_.empty()) return std::nullopt;
  return std::exchange(typed_, {});  // a last line without its end
}

Console::Ended Console::run(const Command& command, const std::function<void(std::string_view)>& heard) {
  Child child(command);
  child.send("");
  LineReader lines(std::size_t{1} << 16);
  std::string said;
  for (bool open = true; open;) {
    wait_for(child.said());
    open = lines.read(child.said());
    while (const auto line = lines.next()) {
      said.append(*line).append("\n");
      if (heard) heard(*line);
    }
  }
  said += lines.rest();
  constexpr std::chrono::seconds patience{10};  // its output has ended: it is ending too
  const auto exit = child.wait(patience);
  return {exit.value_or(Exit{.code = 1}), std::move(said)};
}

std::filesystem::path CourseProgress::usual_file() {
  auto folder = folder_in("XDG_STATE_HOME");
  if (const auto home = folder_in("HOME"); !folder && home) folder = *home / ".local" / "state";
  if (!folder) throw BadInput("there is no place to keep your progress; name a file with --progress FILE");
  return *folder / "tuneproof" / "learn.json";
}

CourseProgress::CourseProgress(std::filesystem::path file) : file_(std::move(file)) {
  const NewFolders folders(folder_of_it());
  const ReplaceFile writable(file_);  // finds out before the first question is asked
  units_ = read();
}

CourseProgress::Units CourseProgress::read() const {
  Units units;
  std::error_code ignored;
  if (!std::filesystem::exists(file_, ignored)) return units;
  const auto json = read_json(file_, most_bytes);
  const Field root(json, file_.string());
  if (!root.has("schema") || root["schema"].text() != learner_schema)
    root.reject("is not a progress file of tuneproof learn");
  if (root["version"].number() != version) root["version"].reject("is unknown to this program");
  for (const auto& [name, unit] : root["units"].members()) {
    units[name] = {unit["how"].text(), unit["answer"].text(), unit["truth"].text(),
                   unit.has("tries") ? static_cast<int>(unit["tries"].integer(1, 1000)) : 1};
    if (std::ranges::find(outcomes, units[name].how) == std::ranges::end(outcomes))
      unit["how"].reject("is not a way in which a unit ends");
  }
  return units;
}

std::filesystem::path CourseProgress::folder_of_it() const {
  return std::filesystem::absolute(file_).parent_path();
}

const Finished* CourseProgress::find(const std::string& unit) const {
  const auto found = units_.find(unit);
  return found == units_.end() ? nullptr : &found->second;
}

void CourseProgress::finish(const std::string& unit, Finished finished) {
  const NewFolders folders(folder_of_it());
  const ReplaceFile file(file_);
  units_ = read();
  units_[unit] = std::move(finished);
  file.write(text());
}

void CourseProgress::forget() {
  units_.clear();
  const NewFolders folders(folder_of_it());
  ReplaceFile(file_).write(text());
}

std::string CourseProgress::text() const {
  Json units = Json::object();
  for (const auto& [name, unit] : units_)
    units[name] = {{"how", unit.how}, {"answer", unit.answer}, {"truth", unit.truth}, {"tries", unit.tries}};
  return pretty({{"schema", learner_schema}, {"version", version}, {"units", std::move(units)}});
}

}  // namespace harness::pages
