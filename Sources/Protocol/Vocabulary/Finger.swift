/// A finger as it may be shown.
package struct Finger: Equatable, WireField {
  /// Eight hexadecimal digits.
  package let identifier: String
  package let name: String
  /// Seconds since 1970.
  package let enrolledAt: Int64
  package let isSynthetic: Bool
  /// The owner chose, for a small sensor, that it is matched at a relaxed rate; such matches are of
  /// a weaker kind, which items can refuse.
  package let isRelaxed: Bool
  /// It was enrolled by an earlier version and would be recognized better if it were enrolled
  /// again.
  package let wantsEnrollment: Bool

  /// The most characters of a name.
  package static let mostNameCharacters = 64
  /// The most bytes of a name, in UTF-8.
  package static let longestName = 256

  package init(
    identifier: String, name: String, enrolledAt: Int64, isSynthetic: Bool,
    isRelaxed: Bool = false, wantsEnrollment: Bool = false
  ) {
    self.identifier = identifier
    self.name = name
    self.enrolledAt = enrolledAt
    self.isSynthetic = isSynthetic
    self.isRelaxed = isRelaxed
    self.wantsEnrollment = wantsEnrollment
  }

  package func encode(into encoder: inout WireEncoder) {
    encoder.write(identifier, name, enrolledAt, isSynthetic, isRelaxed, wantsEnrollment)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (identifier, name, enrolledAt, isSynthetic, isRelaxed, wantsEnrollment) = try decoder.read()
  }
}
