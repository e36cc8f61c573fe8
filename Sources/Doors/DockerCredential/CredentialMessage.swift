import CoreClient
import Protocol

/// A login as clients of docker-credential-helpers write it: a JSON object (RFC 8259) of texts. The
/// secret stays in locked memory.
struct CredentialMessage: ~Copyable {
  private(set) var server = ""
  private(set) var user = ""
  private(set) var secret = SecretBytes(count: 0)

  /// The longest message, in bytes. A secret of ``Protocol/largestItemSecret`` bytes fits.
  static let longest = 128 << 10

  init(server: String, user: String, secret: consuming SecretBytes) {
    (self.server, self.user) = (server, user)
    self.secret = secret
  }

  /// Reads a message. Members with other names are ignored.
  /// - Throws: `usage` for anything but an object of texts.
  init(_ bytes: Span<UInt8>) throws(Failure) {
    var reader = JSONReader(bytes, malformed: Self.malformed)
    try reader.expect("{")
    guard !reader.takes("}") else {
      try reader.expectEnd()
      return
    }
    repeat {
      let name = try Self.text(reader.string())
      try reader.expect(":")
      let value = try reader.string()
      switch name {
      case "ServerURL": server = try Self.text(value)
      case "Username": user = try Self.text(value)
      case "Secret": secret = value
      default: break
      }
    } while reader.takes(",")
    try reader.expect("}")
    try reader.expectEnd()
  }

  private static let malformed = Failure(.usage, "Standard input is not a JSON object of texts")

  private static func text(_ bytes: borrowing SecretBytes) throws(Failure) -> String {
    guard let text = String(validating: bytes.copied, as: UTF8.self) else {
      throw malformed
    }
    return text
  }

  /// The message as it is sent.
  borrowing func encoded() -> SecretBytes {
    var encoder = WireEncoder(capacity: secret.count + 512)
    encoder.writeText("{\"ServerURL\":")
    encoder.writeQuoted(Array(server.utf8).span)
    encoder.writeText(",\"Username\":")
    encoder.writeQuoted(Array(user.utf8).span)
    encoder.writeText(",\"Secret\":")
    encoder.writeQuoted(secret.bytes)
    encoder.writeText("}\n")
    return encoder.finish()
  }
}

extension WireEncoder {
  mutating func writeText(_ text: String) { writeRaw(Array(text.utf8).span) }

  /// Writes UTF-8 as a string of JSON.
  mutating func writeQuoted(_ bytes: Span<UInt8>) {
    writeText("\"")
    var start = 0
    for index in bytes.indices
    where bytes[index] < 0x20 || bytes[index] == 0x22 || bytes[index] == 0x5C {
      writeRaw(bytes.extracting(start..<index))
      let digits = String(bytes[index], radix: 16)
      writeText("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      start = index + 1
    }
    writeRaw(bytes.extracting(start..<bytes.count))
    writeText("\"")
  }
}
