#pragma once
#include <string>
#include <vector>

#include "theory/path_decomposition.hpp"
#include "verify/decide.hpp"

namespace rankfall::verify {

struct PathOptions {
  long max_paths =
      100'000;     ///< more are summed by length instead of one by one; at most most_enumerated_paths
  int digits = 6;  ///< printed enclosures are no wider than 10^-digits max(1, |v|)
  long max_bits = 4096;
};

/// What the paths of one length amount to.
struct PathShare {
  std::size_t length = 0;
  Integer paths;
  Magnitude output;    ///< composite norm of their sum
  Magnitude residual;  ///< composite residual of their sum about its token mean
};

/// An identity on an instance: how far the enclosure of left - right reaches from 0.
struct IdentityResult {
  Verdict verdict = Verdict::inconclusive;
  Magnitude difference;    ///< upper bound of its largest entry
  Magnitude largest_term;  ///< largest entry of the terms that form it
};

/// `path-decomposition` decided on a network, and what each path length contributes.
struct PathAnswer {
  theory::PathSums sums = theory::PathSums::enumerated;
  Integer paths;
  IdentityResult output, residual;  ///< of the states, and of the states about the propagated reference
  std::vector<PathShare> shares;    ///< lengths without a path are left out
  Magnitude whole_output, whole_residual;
  long bits = 0;

  Verdict verdict() const;
};

/// Raises the precision until both identities are decided and every number is as narrow as asked, or max_bits
/// is reached. Proved: 0 lies in the enclosure of every entry of the difference, and the enclosures are no
/// wider than 10^-60 of the largest term; refuted: an entry is certainly not 0. Throws InputError for a
/// network with other than attention blocks.
PathAnswer path_answer(const Network& network, const PathOptions& options);

std::string path_text(const PathAnswer& answer, const Network& network, const std::string& file, int digits);
/// "rankfall-path-decomposition/1".
std::string path_json(const PathAnswer& answer, const Network& network, const std::string& file, int digits);

}  // namespace rankfall::verify
