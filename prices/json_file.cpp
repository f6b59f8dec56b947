#include "prices/json_file.hpp"

#include "harness/core/setup.hpp"

#include <utility>

namespace prices {

JsonFile::JsonFile(const OutFile& file) : file_(file) {
  json_.SetOutputStream(&text_);
  json_.SetErrorStream(&text_);
}

bool JsonFile::ReportContext(const Context& context) { return json_.ReportContext(context); }

/// A disk that is full for a while costs no row: the next one is stored with all before it.
void JsonFile::ReportRuns(const std::vector<Run>& runs) {
  json_.ReportRuns(runs);
  any_ = true;
  if (!file_.is_ordinary()) return;
  try {
    file_.keep(whole());
  } catch (const harness::BadInput&) {
    return;  // finish() tries again, and says why not
  }
}

void JsonFile::finish() {
  if (any_) file_.keep(whole());
}

/// The document with its end, which the next row will be put in front of.
std::string JsonFile::whole() {
  auto open = text_.str();
  json_.Finalize();
  auto text = text_.str();
  text_.str(std::move(open));
  return text;
}

}  // namespace prices
