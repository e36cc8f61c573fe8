/// Takes out of Swift source what a compiler without Objective-C refuses: the attributes `@objc`,
/// `@objc(name)`, `@objcMembers` and `@nonobjc`, and the modifier `dynamic`. Comments and texts stay
/// as they are, and so do all line ends.
///
/// What names Objective-C at run time, such as `#selector`, has no meaning here and stays, so that
/// the compiler says where it is.
package enum ObjCStripper {
  private static let attributes: Set<String> = ["objc", "objcMembers", "nonobjc"]

  /// - Parameter text: Swift source.
  /// - Returns: the same without them; where one was, blanks are.
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
