#include "harness/predict/count_forms.hpp"

#include "harness/predict/count_trace.hpp"
#include "harness/trace/trace.hpp"

namespace harness::predict {
namespace {

Counted count_form(const results::FormProfile& form) {
  auto counted = count_trace(trace::read_trace(form.traces.front()), form.runs);
  if (form.page_faults > 0) counted.exposed[{Piece::page_fault}] += form.page_faults;
  if (form.waits > 0) counted.exposed[{Piece::wait}] += form.waits;
  return counted;
}

}  // namespace

Before count_forms(std::span<const results::FormProfile> forms) {
  Before before;
  for (const auto& form : forms) {
    (form.form == Form::naive ? before.below : before.above) = count_form(form);
    if (form.form == Form::naive) before.below_seconds = form.seconds_off();
  }
  return before;
}

}  // namespace harness::predict
