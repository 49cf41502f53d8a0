#include "verify/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "numerics/errors.hpp"

namespace rankfall::verify {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1)
    throw Error("the SHA-256 digest could not be formed");
  std::string text;
  for (unsigned i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace rankfall::verify
