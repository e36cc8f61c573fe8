import CoreClient
import Protocol

extension TextTree {
  /// Reads JSON (RFC 8259). `null` and `false` are empty texts.
  /// - Throws: `importUnreadable` for anything else, or too much of it.
  static func json(_ bytes: Span<UInt8>) throws(Failure) -> TextTree {
    let malformed = Failure(
      .importUnreadable, "the JSON in it is broken, cut off or too large",
      hint: "export the file again")
    let tree = TextTree(room: bytes.count)
    let start = bytes.begins(with: "\u{FEFF}") ? 3 : 0
    var reader = JSONReader(bytes.extracting(droppingFirst: start), malformed: malformed)
    try tree.readValue(&reader, named: "", malformed)
    try reader.expectEnd()
    return tree
  }

  private func readValue(
    _ reader: inout JSONReader, named name: String, _ malformed: Failure
  ) throws(Failure) {
    guard begin(named: name) else { throw malformed }
    if reader.takes("{") {
      if !reader.takes("}") {
        repeat {
          let name = try reader.string().text ?? ""
          try reader.expect(":")
          try readValue(&reader, named: name, malformed)
        } while reader.takes(",")
        try reader.expect("}")
      }
    } else if reader.takes("[") {
      if !reader.takes("]") {
        repeat { try readValue(&reader, named: "", malformed) } while reader.takes(",")
        try reader.expect("]")
      }
    } else if reader.isAtString() {
      let text = try reader.string()
      guard add(text.bytes) else { throw malformed }
    } else {
      let literal = try reader.literal()
      guard ["null", "false"].contains(literal) || add(Array(literal.utf8).span) else {
        throw malformed
      }
    }
    end()
  }
}
