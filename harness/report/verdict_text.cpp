#include "harness/report/verdict_text.hpp"

namespace harness {

std::string_view verdict_text(Verdict verdict) {
  if (verdict == Verdict::no_effect) return "no effect";
  return verdict == Verdict::inconclusive ? "cannot tell" : to_string(verdict);
}

bool otherwise_than_published(const Row& row) {
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

}  // namespace harness
