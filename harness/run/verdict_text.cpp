#include "harness/run/verdict_text.hpp"

#include "harness/core/judged_figure.hpp"

namespace harness::run {

std::string_view verdict_text(Verdict verdict) {
  if (verdict == Verdict::no_effect) return "no effect";
  return verdict == Verdict::inconclusive ? "cannot tell" : to_string(verdict);
}

std::string_view timer_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::helps:
      return "too much";
    case Verdict::hurts:
      return "too little";
    case Verdict::no_effect:
      return "agrees";
    default:
      return verdict_text(verdict);
  }
}

std::string_view verdict_text(const results::Row& row) {
  return compares_timers(row.measured.figures) ? timer_text(row.judged.verdict)
                                               : verdict_text(row.judged.verdict);
}

std::string_view expected_text(const results::Row& row) {
  if (!compares_timers(row.measured.figures) || row.expected == Outcome::depends)
    return to_string(row.expected);
  if (row.expected == Outcome::no_effect) return timer_text(Verdict::no_effect);
  return timer_text(row.expected == Outcome::helps ? Verdict::helps : Verdict::hurts);
}

char sign_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::helps:
      return '+';
    case Verdict::no_effect:
      return '=';
    case Verdict::hurts:
      return '-';
    case Verdict::inconclusive:
      return '?';
    case Verdict::skipped:
      return '.';
    case Verdict::failed:
    case Verdict::invalid:
      break;
  }
  return 'x';
}

char sign_of(Outcome expected) {
  switch (expected) {
    case Outcome::helps:
      return '+';
    case Outcome::no_effect:
      return '=';
    case Outcome::hurts:
      return '-';
    case Outcome::depends:
      break;
  }
  return '?';
}

bool otherwise_than_published(const results::Row& row) {
  switch (row.judged.verdict) {
    case Verdict::helps:
      return row.expected == Outcome::no_effect || row.expected == Outcome::hurts;
    case Verdict::no_effect:
      return row.expected == Outcome::helps || row.expected == Outcome::hurts;
    case Verdict::hurts:
      return row.expected == Outcome::helps || row.expected == Outcome::no_effect;
    default:
      return false;
  }
}

Ink verdict_ink(Verdict verdict) {
  switch (verdict) {
    case Verdict::helps:
      return Ink::green;
    case Verdict::hurts:
    case Verdict::failed:
    case Verdict::invalid:
      return Ink::red;
    case Verdict::inconclusive:
      return Ink::yellow;
    case Verdict::skipped:
      return Ink::dim;
    case Verdict::no_effect:
      break;
  }
  return Ink::plain;
}

}  // namespace harness::run
