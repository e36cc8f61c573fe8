/// One enrolled finger: all that its touches showed, joined where they lie over each other.
///
/// Secret: whoever has it can make a picture much like the print. Seal ``encoded()`` and never log
/// it.
package struct FingerTemplate: Sendable {
  /// The most parts a template holds.
  static let mostParts = 20
  /// The most bytes ``encoded()`` gives.
  package static let mostBytes = 65_536

  /// Parts of the finger of which it is not known how they lie to each other; mostly there is one.
  let parts: [PrintView]

  /// Whether enrolling the finger again would make it known better: it was stored in a format that
  /// knows less than what is compared.
  package let isOfEarlierFormat: Bool

  /// The template as bytes, for storing.
  ///
  /// - Returns: At most ``mostBytes`` bytes, in the format of ``TemplateCoding``.
  package func encoded() -> [UInt8] { TemplateCoding.bytes(of: parts) }

  /// A template from bytes that ``encoded()`` gave, ready for comparing.
  ///
  /// - Parameter bytes: Any bytes.
  /// - Throws: ``TemplateDecodingError`` for bytes that are not a whole template.
  package init(decoding bytes: [UInt8]) throws(TemplateDecodingError) {
    parts = try TemplateCoding.parts(in: bytes)
    isOfEarlierFormat = bytes[TemplateCoding.magic.count] < TemplateCoding.version
  }

  /// A template of joined touches, as it is after storing: places and phases are rounded.
  init?(joining mosaics: [FingerMosaic]) {
    self.init(storing: mosaics.map(\.view))
  }

  /// The template with another part in place of one of its own; nil where there is no room for it.
  func replacing(_ index: Int, by mosaic: FingerMosaic) -> FingerTemplate? {
    var parts = parts
    parts[index] = mosaic.view
    guard let next = FingerTemplate(storing: parts), next.parts.count == parts.count else {
      return nil
    }
    return next
  }

  private init?(storing parts: [PrintView]) {
    guard !parts.isEmpty,
      let stored = try? TemplateCoding.parts(in: TemplateCoding.bytes(of: parts))
    else { return nil }
    self.parts = stored
    isOfEarlierFormat = false
  }
}
