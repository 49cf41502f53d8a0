#pragma once
#include <cctype>
#include <string>
#include <vector>

namespace rankfall::test {

/// One tag of a page: its element, whether it ends one (</p>) and whether it is complete in itself (<path/>).
struct Tag {
  std::string element;
  bool closes = false, closed = false;
};

/// The tags of HTML or SVG in order, without what stands inside <script> and <style>; '>' in a quoted value
/// does not end a tag. Written by hand since std::regex recurses once for each character.
inline std::vector<Tag> tags(const std::string& page) {
  std::vector<Tag> all;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at)) {
    Tag tag;
    tag.closes = ++at < page.size() && page[at] == '/';
    at += tag.closes;
    while (at < page.size() && std::isalnum(static_cast<unsigned char>(page[at]))) tag.element += page[at++];
    char quote = '\0';
    for (; at < page.size() && (quote != '\0' || page[at] != '>'); ++at)
      if (quote != '\0')
        quote = page[at] == quote ? '\0' : quote;
      else if (page[at] == '"' || page[at] == '\'')
        quote = page[at];
    tag.closed = at > 0 && page[at - 1] == '/';
    if (tag.element.empty()) continue;  // <!DOCTYPE html>
    all.push_back(tag);
    if (!tag.closes && (tag.element == "script" || tag.element == "style"))
      at = page.find("</" + tag.element, at);
  }
  return all;
}

}  // namespace rankfall::test
