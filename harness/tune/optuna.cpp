#include "harness/tune/optuna.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <poll.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace harness::tune {
namespace {

constexpr auto without = "add --grid to search by successive halving without it";
constexpr std::chrono::seconds patience{120};  // a cold disk takes long to import Optuna

struct TwoEnds {
  Fd ours, theirs;
};

TwoEnds pipe_both_ways() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  Fd first(ends[0]), second(ends[1]);
  TwoEnds two{moved_up(std::move(first)), moved_up(std::move(second))};
  set_nonblocking(two.ours.get());
  return two;
}

Json knobs_json(const Plan& plan) {
  auto all = Json::array();
  for (const auto& knob : searched_knobs(plan))
    all.push_back({{"name", knob.name}, {"values", knob.values}, {"ordered", knob.ordered}});
  return all;
}

Json clashes_json(const Plan& plan) {
  auto all = Json::array();
  for (const auto& clash : plan.workload.clashes)
    all.push_back({clash.knob, clash.value, clash.other, clash.other_value});
  return all;
}

Json open_question(const Plan& plan, const StudyPlace& place) {
  auto first = Json::array({settings_to_json(standard_of(plan))});
  for (const auto& settings : advised_settings(plan)) first.push_back(settings_to_json(settings));
  return {{"ask", "open"},
          {"storage", place.storage},
          {"study", plan.workload.workload},
          {"seed", plan.seed},
          {"pareto", plan.pareto},
          {"plan", plan_to_json(plan)},
          {"knobs", knobs_json(plan)},
          {"clashes", clashes_json(plan)},
          {"first", std::move(first)}};
}

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto n = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (n > 0) {
      text.remove_prefix(static_cast<std::size_t>(n));
      continue;
    }
    if (errno != EAGAIN && errno != EINTR) return;  // it has ended: the answer will say so
    pollfd ready{fd, POLLOUT, 0};
    poll(&ready, 1, 1000);
  }
}

}  // namespace

Study::Study(const Plan& plan, const StudyPlace& place) : place_(place), standard_(standard_of(plan)) {
  auto ends = pipe_both_ways();
  const Command command{.program = "/usr/bin/env",
                        .arguments = {place.python, "-c", std::string(study_script())},
                        .environment = {"PYTHONUNBUFFERED=1"},
                        .memory = ends.theirs.get()};
  python_ = std::make_unique<Child>(command);
  python_->send({});
  pipe_ = std::move(ends.ours);
  ends.theirs.close();
  open(plan);
}

void Study::open(const Plan& plan) {
  const auto answer = ask(open_question(plan, place_));
  const Field json(answer, "Optuna");
  if (const auto refused = json.find("refused"))
    throw BadInput(fmt::format("{}: holds a search with other {}; name another file with --storage",
                               place_.storage, refused->text()));
  if (json.has("foreign"))
    throw BadInput(
        fmt::format("{}: is a database of something else; name another file with --storage", place_.storage));
  version_ = json["version"].text();
  for (const auto& one : json["tried"].entries()) before_.push_back(tried_from_json(one));
  std::ranges::sort(before_, {}, &Tried::number);
}

Json Study::ask(const Json& question) {
  write_all(pipe_.get(), question.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n");
  auto answer = hear();
  const Field json(answer, "Optuna");
  if (const auto missing = json.find("missing"))
    throw BadInput(
        fmt::format("tune needs Optuna ({}); install it with `{} -m pip install optuna=={}`, or {}",
                    missing->text(), place_.python, optuna_version(), without));
  if (const auto error = json.find("error"))
    throw BadInput(fmt::format("Optuna: {}{}", error->text(),
                               place_.storage.empty() ? "" : " (the study is in " + place_.storage + ")"));
  return answer;
}

Json Study::hear() {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < end) {
    pollfd ready{pipe_.get(), POLLIN, 0};
    poll(&ready, 1, 200);
    const bool open = lines_.read(pipe_.get());
    if (const auto line = lines_.next()) return parse_json(*line, "Optuna");
    if (!open) explain_end();
  }
  throw BadInput(fmt::format("Optuna did not answer within {} s", patience.count()));
}

void Study::explain_end() {
  const auto exit = python_->wait(std::chrono::seconds(2));
  LineReader said;
  said.read(python_->said());
  std::string last;
  while (const auto line = said.next())
    if (!line->empty()) last = *line;
  constexpr int not_found = 127;  // of `env`
  if (exit && exit->code == not_found)
    throw BadInput(
        fmt::format("tune needs Python with Optuna, and there is no {}; name one with --python, or {}",
                    place_.python, without));
  throw BadInput(fmt::format("tune needs a Python with Optuna, and {} {}{}; name one with --python, or {}",
                             place_.python, exit ? to_string(*exit) : "stopped answering",
                             last.empty() ? "" : ": " + last, without));
}

Settings Study::whole(Settings asked) const {
  asked.insert(standard_.begin(), standard_.end());
  return asked;
}

Searcher Study::searcher() {
  return {.name = fmt::format("Optuna {}, TPE with median pruning", version_),
          .history = [this] { return before_; },
          .ask = [this](const std::vector<Tried>&) -> std::optional<Asked> {
            const auto answer = ask({{"ask", "ask"}});
            const Field json(answer, "Optuna");
            if (json.has("done")) return std::nullopt;
            return Asked{static_cast<int>(json["number"].integer(0, most_rounds)),
                         whole(settings_from_json(json["settings"]))};
          },
          .give_up =
              [this](int number, const run::PartTrained& part) {
                const auto answer = ask({{"ask", "report"},
                                         {"number", number},
                                         {"part", part.part},
                                         {"value", finite(part.seconds_per_sample)}});
                return Field(answer, "Optuna")["give_up"].boolean();
              },
          .tell =
              [this](const Tried& tried, const std::vector<double>& broken) {
                ask({{"ask", "tell"},
                     {"number", tried.number},
                     {"constraints", broken},
                     {"tried", tried_to_json(tried)}});
              },
          .add =
              [this](const Tried& tried, const std::vector<double>& broken) {
                const auto answer =
                    ask({{"ask", "add"}, {"constraints", broken}, {"tried", tried_to_json(tried)}});
                return static_cast<int>(Field(answer, "Optuna")["number"].integer(0, most_rounds));
              }};
}

}  // namespace harness::tune
