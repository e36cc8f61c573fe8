/// One enrolled finger: everything its touches showed, joined where they overlap.
///
/// Secret: a picture much like the print can be made from it. Seal ``encoded()`` and never log it.
package struct FingerTemplate: Sendable {
  static let mostParts = 20
  /// The greatest length of ``encoded()``.
  package static let mostBytes = 65_536

  /// Parts of the finger whose relative places are unknown; mostly there is one.
  let parts: [PrintView]

  /// Whether the template was stored in an earlier format that keeps less, so that enrolling the
  /// finger again would help.
  package let isOfEarlierFormat: Bool

  /// In the format of ``TemplateCoding``, at most ``mostBytes`` bytes.
  package func encoded() -> [UInt8] { TemplateCoding.bytes(of: parts) }

  /// Reads any bytes.
  ///
  /// - Throws: ``TemplateDecodingError`` unless they are a whole template.
  package init(decoding bytes: [UInt8]) throws(TemplateDecodingError) {
    parts = try TemplateCoding.parts(in: bytes)
    isOfEarlierFormat = bytes[TemplateCoding.magic.count] < TemplateCoding.version
  }

  /// A template of joined touches, with places and phases rounded as by storing.
  init?(joining mosaics: [FingerMosaic]) { self.init(storing: mosaics.map(\.view)) }

  /// The template with one part replaced, or nil if there is no room for it.
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
