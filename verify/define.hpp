#pragma once
#include <filesystem>
#include <string_view>

#include "theory/catalogue/catalogue.hpp"

namespace rankfall::verify {

/// Adds the bounds that a TOML text defines (docs/extending) to those that are known. Throws InputError
/// naming the line and what is wrong there: TOML that is none, unknown keys and symbols (with the nearest
/// valid one), values of the wrong type, formulas that do not parse (with the column), definitions that lead
/// back to themselves, names that are taken.
void define(theory::Statements& known, std::string_view text, std::string_view name);

/// The same for a file. Throws InputError also when it cannot be read.
void define(theory::Statements& known, const std::filesystem::path& file);

}  // namespace rankfall::verify
