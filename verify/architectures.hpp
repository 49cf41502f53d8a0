#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "numerics/san/network.hpp"

namespace rankfall::verify {

/// What of a network runs: the paper's figure, part by part.
enum class Parts { attention, with_mlp, with_skip, whole };
inline constexpr std::array all_parts{Parts::attention, Parts::with_mlp, Parts::with_skip, Parts::whole};
std::string name(Parts parts);  ///< "attention", "attention + mlp", "attention + skip", "whole"

/// A network and the inputs that run through it.
struct Subject {
  std::string name;
  std::uint64_t seed = 0;  ///< of its weights
  Network network;
  std::vector<ExactMatrix> inputs;
};

/// How far log10 of the relative residual is spread over inputs and seeds; each number an enclosure. Zeros
/// are left out and counted.
struct Spread {
  Ball mean, least, greatest;  ///< of log10; meaningless when every relative residual is zero
  std::size_t runs = 0, zeros = 0;
};

/// One architecture in one state of dress.
struct Profile {
  std::string model;
  Parts parts = Parts::whole;
  std::vector<Spread> layers;  ///< behind the embeddings, and behind each layer
  long bits = 0;               ///< highest precision used
  bool narrow = true;          ///< every log10 is as narrow as asked
};

/// Subjects made one at a time, since they are large: how many there are, and how to make one. Those of one
/// architecture stand together.
struct Subjects {
  std::size_t count = 0;
  std::function<Subject(std::size_t)> make;
};

struct ArchitectureOptions {
  int digits = 4;  ///< log10 of each relative residual is enclosed no wider than 10^-digits max(1, |v|)
  long max_bits = 8192;
  std::function<void(std::size_t, std::size_t)> progress;  ///< runs done, of all
};

/// The relative residual composite(mean residual)/composite(state) behind every layer, in each of the four
/// states of dress, over all inputs and seeds. A layer is an attention block and what follows it up to the
/// next one. Throws InputError where a part cannot be removed or a network does not fit the memory,
/// PrecisionLimit where max_bits do not suffice to follow one.
std::vector<Profile> profiles(const Subjects& subjects, const ArchitectureOptions& options);

}  // namespace rankfall::verify
