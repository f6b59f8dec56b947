#include "harness/ranks/seat.hpp"
#include "harness/ranks/team.hpp"

namespace harness::ranks {

Trial prepare_in(const std::shared_ptr<Team>& team, Setup& setup) {
  const auto made = std::make_shared<Trial>();
  const auto set = team->sets_++;
  team->together({.act = Act::prepare, .set = set}, [&] {
    const Seated seated(setup, team->rank_);
    *made = team->found_.step->prepare(setup, team->found_.point);
  });
  return Team::on_all_ranks(team, set, made);
}

Trial Team::on_all_ranks(const std::shared_ptr<Team>& team, std::int64_t set,
                         const std::shared_ptr<const Trial>& own) {
  const auto all_do = [team, set](Act act, Form form, const Call& mine) {
    team->together({act, form, set}, mine);
  };
  auto trial = *own;
  trial.naive = [team, own, set] { team->run({Act::run, Form::naive, set}, own->naive); };
  trial.optimized = [team, own, set] { team->run({Act::run, Form::optimized, set}, own->optimized); };
  trial.clear = [all_do, own, team] {
    team->times_.clear();
    all_do(Act::clear, Form::naive, own->clear);
  };
  trial.answer = [team, own, set](Form form) { return team->answer({Act::answer, form, set}, *own); };
  if (own->before_slot)
    trial.before_slot = [all_do, own](Form form) {
      all_do(Act::before_slot, form, [&] { own->before_slot(form); });
    };
  if (own->warm_up)
    trial.warm_up = [all_do, own](Form form) { all_do(Act::warm_up, form, [&] { own->warm_up(form); }); };
  trial.figures = [all_do, team, own] {
    std::vector<Figure> all;
    if (own->figures) all_do(Act::figures, Form::naive, [&] { all = own->figures(); });
    for (auto& figure : team->times_.figures()) all.push_back(std::move(figure));
    return all;
  };
  return trial;
}

}  // namespace harness::ranks
