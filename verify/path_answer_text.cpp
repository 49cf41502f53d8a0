#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "verify/check_text.hpp"
#include "verify/enclosure.hpp"
#include "verify/path_answer.hpp"

namespace rankfall::verify {
namespace {

using Json = nlohmann::ordered_json;

constexpr int reach_digits = 2;

std::string method(const PathAnswer& answer) {
  return answer.sums == theory::PathSums::enumerated ? "every path on its own"
                                                     : "the paths of one length together, layer by layer";
}

/// 10^-77, or exactly 0.
std::string reach(const Magnitude& value) {
  if (value.is_zero()) return "0";
  return fmt::format("10^({})", log10_text(value, reach_digits).high);
}

std::string identity_line(const char* what, const IdentityResult& identity) {
  return fmt::format("  {:<42} {:<12} |difference| <= {}, largest term {}\n", what, name(identity.verdict),
                     reach(identity.difference), reach(identity.largest_term));
}

std::string shown(const Magnitude& value, int digits) {
  const EnclosureText ends = log10_text(value, digits);
  return agreed_digits(ends.low, ends.high);
}

Json enclosure(const Magnitude& value, int digits) {
  const EnclosureText ends = log10_text(value, digits);
  return {{"log10", {ends.low, ends.high}}};
}

Json identity_json(const IdentityResult& identity) {
  return {{"verdict", name(identity.verdict)},
          {"difference_at_most", {{"log10", log10_text(identity.difference, reach_digits).high}}},
          {"largest_term", enclosure(identity.largest_term, reach_digits)}};
}

}  // namespace

std::string path_text(const PathAnswer& answer, const Network& network, const std::string& file, int digits) {
  std::string text =
      fmt::format("{}: {} tokens, dim {}, depth {}, {} path{}\n\n", file, network.tokens(), network.dim(),
                  network.depth(), answer.paths.str(), answer.paths == 1 ? "" : "s");
  text += fmt::format("path-decomposition: {} ({}; {} bits)\n", name(answer.verdict()), method(answer),
                      answer.bits);
  text += identity_line("output - sum over paths - 1 b^T", answer.output);
  text += identity_line("the same about the propagated reference", answer.residual);
  text +=
      fmt::format("\n{:>7} {:>16} {:>20} {:>20}\n", "length", "paths", "log10 |output|", "log10 residual");
  for (const PathShare& share : answer.shares)
    text += fmt::format("{:>7} {:>16} {:>20} {:>20}\n", share.length, share.paths.str(),
                        shown(share.output, digits), shown(share.residual, digits));
  return text + fmt::format("{:>7} {:>16} {:>20} {:>20}\n", "network", "", shown(answer.whole_output, digits),
                            shown(answer.whole_residual, digits));
}

std::string path_json(const PathAnswer& answer, const Network& network, const std::string& file, int digits) {
  Json lengths = Json::array();
  for (const PathShare& share : answer.shares)
    lengths.push_back({{"length", share.length},
                       {"paths", share.paths.str()},
                       {"output", enclosure(share.output, digits)},
                       {"residual", enclosure(share.residual, digits)}});
  const Json whole = {{"output", enclosure(answer.whole_output, digits)},
                      {"residual", enclosure(answer.whole_residual, digits)}};
  return Json{{"format", "rankfall-path-decomposition/1"},
              {"network",
               {{"file", file},
                {"tokens", network.tokens()},
                {"dim", network.dim()},
                {"depth", network.depth()}}},
              {"arithmetic", {{"bits", answer.bits}}},
              {"paths", answer.paths.str()},
              {"sums", answer.sums == theory::PathSums::enumerated ? "enumerated" : "by-length"},
              {"verdict", name(answer.verdict())},
              {"identities",
               {{"output", identity_json(answer.output)}, {"residual", identity_json(answer.residual)}}},
              {"lengths", lengths},
              {"whole", whole}}
             .dump(2) +
         "\n";
}

}  // namespace rankfall::verify
