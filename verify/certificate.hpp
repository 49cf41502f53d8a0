#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "theory/simulation.hpp"
#include "verify/decide.hpp"
#include "verify/enclosure.hpp"

namespace rankfall::verify {

/// What was decided of one inequality, for a reader who does not trust this program: rankfall-certificate/1
/// (docs/formats), which `rankfall recheck` and scripts/recheck.py derive anew from its network and
/// statement.
struct Certificate {
  std::string name;    ///< of its file
  std::string text;    ///< empty when there is none
  std::string reason;  ///< why there is none
};

/// Writes certificates of decisions on one network, which must outlive it.
class Certifier {
 public:
  explicit Certifier(const Network& network) : network_(network) {}

  /// Of a verdict, and of left/right where both sides are known and above zero; that alone where the verdict
  /// is inconclusive for another reason than precision. None, with the reason, for what is not decided and
  /// for what a recheck cannot follow.
  Certificate certify(const Decision& decision);

 private:
  theory::Simulation& simulation(const Decision& decision);
  std::string body(const Decision& decision);
  /// left/right as a certificate says it; of inequalities for every token, entry or column the largest.
  std::optional<EnclosureText> ratio(const Decision& decision);
  std::string nothing_certain(const Decision& decision);

  const Network& network_;
  std::map<long, std::unique_ptr<theory::Simulation>> simulations_;
};

/// The text with its digest as the last key. `members` is the text of an object without it, open at the end.
std::string with_digest(const std::string& members);

/// How many certificates were written, and for which decisions there are none.
struct CertificateCount {
  std::size_t written = 0;
  std::map<std::string, std::size_t> missing;  ///< by reason

  void write(const Certificate& certificate, const std::filesystem::path& folder);
  std::string words(const std::filesystem::path& folder) const;
};

/// Certificates of the decisions, each a file in `folder`, which is made where it is absent. Throws
/// OutputError.
CertificateCount write_certificates(const Network& network, const std::vector<Decision>& decisions,
                                    const std::filesystem::path& folder);

}  // namespace rankfall::verify
