// What the record of a step must say, checked by the compiler.
#pragma once

#include "harness/core/step.hpp"

namespace harness::inline core {

/// The step itself. A record that breaks a rule does not compile, and the compiler shows the rule.
consteval Step checked_but_for_its_source(const Step& step) {
  for (const char c : step.id)
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '/'))
      throw "an id is the file's path: small letters, digits, underscores and a slash";
  if (step.id.find('/') == step.id.npos) throw "an id is folder/file";
  if (!step.claim.ends_with('.')) throw "a claim is a sentence";
  if (step.expectation.published.empty()) throw "what was published is a figure or \"no figure\"";
  if (step.sides.naive.empty() || step.sides.optimized.empty() || step.sides.naive == step.sides.optimized)
    throw "the two sides have names of their own";
  if (step.suite == Suite::claims) throw "a step is of the quick suite, of the full one, or of none: named";
  if (step.prepare == nullptr) throw "a step is prepared by a function";
  for (const auto& axis : step.axes)
    if (axis.name.empty() || axis.about.empty() || (axis.values.empty() && axis.labels.empty()))
      throw "an axis has a name, what it is about, and values or labels";
  for (const auto& tolerance : {step.tolerance, step.cuda_tolerance})
    if (tolerance.relative != 0 && tolerance.why.empty()) throw "a tolerance above 0 needs its reason";
  for (const auto& tolerance : {step.tolerance, step.cuda_tolerance})
    if (tolerance.why.ends_with('.')) throw "a tolerance's reason stands inside a sentence: no full stop";
  if (!(step.delta > 0 && step.row_seconds > 0)) throw "delta and row_seconds are above 0";
  return step;
}

/// The same, with the source that a published claim has.
consteval Step checked(const Step& step) {
  if (step.source.title.empty() || step.source.where.empty() || !step.source.url.starts_with("https://"))
    throw "a source has a title, an https address, and a place in it";
  return checked_but_for_its_source(step);
}

}  // namespace harness::inline core
