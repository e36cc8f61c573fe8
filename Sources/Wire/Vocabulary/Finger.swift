/// A finger as it may be shown.
package struct Finger: Equatable, Sendable {
  /// Eight hexadecimal digits.
  package let identifier: String
  package let name: String
  /// Seconds since 1970.
  package let enrolledAt: Int64
  package let isSynthetic: Bool

  package init(identifier: String, name: String, enrolledAt: Int64, isSynthetic: Bool) {
    self.identifier = identifier
    self.name = name
    self.enrolledAt = enrolledAt
    self.isSynthetic = isSynthetic
  }

  package func encode(into encoder: inout WireEncoder) {
    encoder.writeText(identifier)
    encoder.writeText(name)
    encoder.writeUInt64(UInt64(bitPattern: enrolledAt))
    encoder.writeBoolean(isSynthetic)
  }

  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    identifier = try decoder.readText(limit: 64)
    name = try decoder.readText(limit: 256)
    enrolledAt = Int64(bitPattern: try decoder.readUInt64())
    isSynthetic = try decoder.readBoolean()
  }
}
