/// A finger as it may be shown.
package struct Finger: Equatable, Sendable {
  /// Eight hexadecimal digits.
  package let identifier: String
  package let name: String
  /// Seconds since 1970.
  package let enrolledAt: Int64
  package let isSynthetic: Bool
  /// The owner chose, for a small sensor, that it is matched at a relaxed rate; such matches are of a
  /// weaker kind, which items can refuse.
  package let isRelaxed: Bool
  /// It was enrolled by an earlier version and would be recognized better if it were enrolled again.
  package let wantsEnrollment: Bool

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
    encoder.writeText(identifier)
    encoder.writeText(name)
    encoder.writeUInt64(UInt64(bitPattern: enrolledAt))
    encoder.writeBoolean(isSynthetic)
    encoder.writeBoolean(isRelaxed)
    encoder.writeBoolean(wantsEnrollment)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    identifier = try decoder.readText(limit: 64)
    name = try decoder.readText(limit: 256)
    enrolledAt = Int64(bitPattern: try decoder.readUInt64())
    isSynthetic = try decoder.readBoolean()
    isRelaxed = try decoder.readBoolean()
    wantsEnrollment = try decoder.readBoolean()
  }
}
