// How a recording's file spells what calls do.
#pragma once

#include "harness/simulate/recording.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace harness::simulate {

constexpr int recording_major = 1;

inline constexpr std::array<std::pair<std::string_view, Entry::Does>, 7> does_words{
    {{"kernel", Entry::Does::kernel},
     {"copy", Entry::Does::copy},
     {"record_event", Entry::Does::record_event},
     {"wait_for_event", Entry::Does::wait_for_event},
     {"synchronize", Entry::Does::synchronize},
     {"compute", Entry::Does::compute},
     {"graph", Entry::Does::graph}}};
inline constexpr std::array<std::pair<std::string_view, Synchronize::For>, 3> for_words{
    {{"device", Synchronize::For::device},
     {"stream", Synchronize::For::stream},
     {"event", Synchronize::For::event}}};
/// That do FLOP: kinds of products, single operations, products of two sparse matrices.
inline constexpr std::array<std::string_view, 5> units{"fp32", "tf32", "fp16", "arithmetic",
                                                       "sparse_product"};
/// The members of the file, of what it says of itself, of a row, of a form and of a call.
inline constexpr std::array<std::string_view, 3> root_words{"tuneproof", "note", "rows"};
inline constexpr std::array<std::string_view, 2> schema_words{"schema", "schema_version"};
inline constexpr std::array<std::string_view, 4> row_words{"row", "forms", "note", "reason"};
inline constexpr std::array<std::string_view, 4> form_words{"form", "entries", "non_blocking", "unpriced"};
inline constexpr std::array<std::string_view, 22> entry_words{
    "do",       "name",  "stream",  "event",  "bytes",    "fresh",     "sorted",    "flop",
    "unit",     "us",    "as_copy", "blocks", "operator", "reduction", "uncounted", "way",
    "pageable", "waits", "of",      "times",  "nodes",    "after"};

}  // namespace harness::simulate
