// What a table calls a row.
#pragma once

#include <string>
#include <string_view>

namespace harness::run {

/// "sync" of "sync/item_every_step".
std::string_view subject_of(std::string_view step);

/// "pinned_h2d/bytes:1MiB" of "transfer/pinned_h2d/bytes:1MiB"; below another row of its step "  bytes:1MiB".
/// `step_above` may be empty.
std::string short_name(std::string_view name, std::string_view step, std::string_view step_above);

}  // namespace harness::run
