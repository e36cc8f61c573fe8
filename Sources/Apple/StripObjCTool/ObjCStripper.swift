/// Removes from Swift source what a compiler without Objective-C refuses: the attributes `@objc`,
/// `@objc(name)`, `@objcMembers` and `@nonobjc`, and the modifier `dynamic`. Comments, texts and
/// line ends stay.
///
/// Uses of Objective-C at run time, such as `#selector`, have no meaning here and stay, so that the
/// compiler reports them.
package enum ObjCStripper {
  private static let attributes: Set<String> = ["objc", "objcMembers", "nonobjc"]

  /// - Parameter text: Swift source.
  /// - Returns: the source with blanks in place of what was removed.
  package static func strip(_ text: String) -> String {
    var scanner = SourceScanner(text)
    var result: [Unicode.Scalar] = []
    while let piece = scanner.next() {
      switch piece {
      case .code(let scalar): result.append(scalar)
      case .verbatim(let scalars): result += scalars
      case .attribute(let name, let scalars):
        guard attributes.contains(name) else {
          result += scalars
          continue
        }
        result += blanks(scalars)
        if name == "objc" { result += blanks(scanner.takeArguments()) }
      case .word(let word, let scalars):
        let isModifier = word == "dynamic" && scanner.isFollowedByDeclaration
        result += isModifier ? blanks(scalars) : scalars
      }
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: result)
    return String(text)
  }

  /// As many columns and lines.
  private static func blanks(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    scalars.map { $0 == "\n" || $0 == "\r" ? $0 : " " }
  }
}

/// Divides Swift source into code, comments and texts, as far as ``ObjCStripper`` needs it (The
/// Swift Programming Language, "Lexical Structure").
struct SourceScanner {
  /// What comes next.
  enum Piece {
    case code(Unicode.Scalar)
    /// An identifier or a keyword.
    case word(String, [Unicode.Scalar])
    /// `@name`, without arguments.
    case attribute(String, [Unicode.Scalar])
    /// A comment, or a text with its interpolations.
    case verbatim([Unicode.Scalar])
  }

  private let scalars: [Unicode.Scalar]
  private var position = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The next piece; nil at the end.
  mutating func next() -> Piece? {
    guard position < scalars.count else { return nil }
    let start = position
    if starts("//") {
      while position < scalars.count, scalars[position] != "\n" { position += 1 }
      return .verbatim(taken(from: start))
    }
    if starts("/*") {
      skipComment()
      return .verbatim(taken(from: start))
    }
    if skipText() { return .verbatim(taken(from: start)) }
    if scalars[position] == "`" {
      // An identifier in backquotes.
      position += 1
      while position < scalars.count, scalars[position] != "`" { position += 1 }
      position = min(position + 1, scalars.count)
      return .verbatim(taken(from: start))
    }
    if scalars[position] == "@", position + 1 < scalars.count, Self.isWord(scalars[position + 1]) {
      position += 1
      let word = takeWord()
      return .attribute(word, taken(from: start))
    }
    if Self.isWord(scalars[position]) {
      let word = takeWord()
      return .word(word, taken(from: start))
    }
    position += 1
    return .code(scalars[start])
  }

  /// The following text in parentheses, if there is any.
  mutating func takeArguments() -> [Unicode.Scalar] {
    guard position < scalars.count, scalars[position] == "(" else { return [] }
    let start = position
    while position < scalars.count, scalars[position] != ")" { position += 1 }
    position = min(position + 1, scalars.count)
    return taken(from: start)
  }

  /// Whether the next word on this line can only belong to a declaration.
  var isFollowedByDeclaration: Bool {
    var rest = self
    while rest.position < scalars.count, scalars[rest.position] == " " { rest.position += 1 }
    guard case .word(let word, _) = rest.next() else { return false }
    return Self.declarationWords.contains(word)
  }

  private static let declarationWords: Set<String> = [
    "class", "final", "func", "init", "internal", "lazy", "open", "override", "private", "public",
    "static", "subscript", "var", "weak",
  ]

  private func taken(from start: Int) -> [Unicode.Scalar] { Array(scalars[start..<position]) }

  private func starts(_ text: String) -> Bool {
    scalars[position...].starts(with: text.unicodeScalars)
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDContinue
  }

  private mutating func takeWord() -> String {
    let start = position
    while position < scalars.count, Self.isWord(scalars[position]) { position += 1 }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<position])
    return String(text)
  }

  /// Comments of this form nest.
  private mutating func skipComment() {
    var depth = 0
    repeat {
      if starts("/*") {
        depth += 1
        position += 2
      } else if starts("*/") {
        depth -= 1
        position += 2
      } else {
        position += 1
      }
    } while depth > 0 && position < scalars.count
    position = min(position, scalars.count)
  }

  /// A text of any kind: `"…"`, `"""…"""`, and either between `#`.
  /// - Returns: whether there was one.
  private mutating func skipText() -> Bool {
    var hashes = 0
    while position + hashes < scalars.count, scalars[position + hashes] == "#" { hashes += 1 }
    let quote = position + hashes
    guard quote < scalars.count, scalars[quote] == "\"" else { return false }
    let isLong = scalars[quote...].starts(with: "\"\"\"".unicodeScalars)
    let fence = Array(repeating: "\"" as Unicode.Scalar, count: isLong ? 3 : 1)
    let end = fence + Array(repeating: "#", count: hashes)
    let escape = ["\\"] + Array(repeating: "#" as Unicode.Scalar, count: hashes)
    position = quote + fence.count
    while position < scalars.count {
      if scalars[position...].starts(with: end) {
        position += end.count
        return true
      }
      if scalars[position...].starts(with: escape) {
        position += escape.count
        if position < scalars.count, scalars[position] == "(" {
          skipInterpolation()
        } else {
          position += 1
        }
      } else if !isLong, scalars[position] == "\n" {
        return true
      } else {
        position += 1
      }
    }
    position = min(position, scalars.count)
    return true
  }

  /// Skips code in parentheses, which may contain texts.
  private mutating func skipInterpolation() {
    var depth = 0
    while position < scalars.count {
      if skipText() { continue }
      if scalars[position] == "(" { depth += 1 }
      if scalars[position] == ")" { depth -= 1 }
      position += 1
      if depth == 0 { return }
    }
  }
}
