#pragma once
#include <functional>
#include <string>

#include "numerics/errors.hpp"
#include "verify/certificate_statement.hpp"
#include "verify/recheck/recheck.hpp"
#include "verify/sha256.hpp"

namespace rankfall::test {

inline recheck::Outcome rechecked(const std::string& certificate) {
  return recheck::recheck(certificate, verify::catalogue_texts);
}

/// Whether a checker takes it: not rejected, and not unreadable.
inline bool accepted(const std::string& certificate) {
  try {
    return rechecked(certificate).accepted();
  } catch (const InputError&) {
    return false;
  }
}

inline recheck::Json& member(recheck::Json& object, const std::string& key) {
  for (auto& [name, value] : object.members)
    if (name == key) return value;
  throw InputError("no key " + key);
}

/// The text with another value at a place, and the digest that belongs to it.
inline std::string altered(const std::string& certificate, const std::function<void(recheck::Json&)>& alter) {
  recheck::Json json = recheck::parse_json(certificate);
  alter(json);
  member(json, "digest").text = "sha256:" + verify::sha256(recheck::canonical_text(json, "digest"));
  return recheck::canonical_text(json);
}

}  // namespace rankfall::test
