#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "verify/ledger/ledger.hpp"

namespace rankfall::verify {

/// Texts, of any bytes, as one: each behind its length.
std::string pack_texts(const std::vector<std::string>& texts);
/// Throws InputError for what pack_texts() did not write.
std::vector<std::string> unpack_texts(std::string_view packed);

/// A cell on its way from the process that computed it to the one that owns the ledger. What is unpacked is
/// what was packed; InputError otherwise.
std::string pack(const LedgerCell& cell);
LedgerCell unpack_cell(std::string_view packed);

}  // namespace rankfall::verify
