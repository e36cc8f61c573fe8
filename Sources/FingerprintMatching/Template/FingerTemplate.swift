/// One enrolled finger: impressions of it, each laid onto the others where they could be aligned.
///
/// As secret as the prints themselves; seal ``encoded()`` and never log it.
package struct FingerTemplate: Sendable {
  /// An impression and where it lies on the finger.
  struct Impression: Sendable {
    let view: PrintView
    /// From the impression's pixels to those of its group.
    let placement: RigidMotion
    /// Impressions with one number are aligned with each other.
    let group: Int
  }

  /// The most impressions a template holds.
  static let mostImpressions = 20
  /// The most bytes ``encoded()`` gives.
  package static let mostBytes = 65_536

  let impressions: [Impression]

  /// The template as bytes, for storing.
  ///
  /// - Returns: At most ``mostBytes`` bytes, in the format of ``TemplateCoding``.
  package func encoded() -> [UInt8] { TemplateCoding.bytes(of: impressions) }

  /// A template from bytes that ``encoded()`` gave, ready for comparing.
  ///
  /// - Parameter bytes: Any bytes.
  /// - Throws: ``TemplateDecodingError`` for bytes that are not a whole template.
  package init(decoding bytes: [UInt8]) throws(TemplateDecodingError) {
    impressions = try TemplateCoding.impressions(in: bytes)
  }

  init(impressions: [Impression]) { self.impressions = impressions }
}
