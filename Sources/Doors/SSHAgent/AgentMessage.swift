import Cryptography
import Protocol

/// The numbers of the agent protocol's messages, and answers that are always the same (RFC 9987).
enum AgentMessage {
  static let failure: UInt8 = 5
  static let success: UInt8 = 6
  static let requestIdentities: UInt8 = 11
  static let identities: UInt8 = 12
  static let sign: UInt8 = 13
  static let signature: UInt8 = 14
  static let add: UInt8 = 17
  static let remove: UInt8 = 18
  static let removeAll: UInt8 = 19
  static let addSmartCard: UInt8 = 20
  static let removeSmartCard: UInt8 = 21
  static let lock: UInt8 = 22
  static let unlock: UInt8 = 23
  static let addConstrained: UInt8 = 25
  static let addSmartCardConstrained: UInt8 = 26
  static let `extension`: UInt8 = 27
  static let extensionFailure: UInt8 = 28
  static let extensionAnswer: UInt8 = 29

  /// The most bytes of a message behind its length; OpenSSH has the same limit.
  static let longest = 256 << 10
  /// The most keys of a list that OpenSSH's clients read (MAX_AGENT_IDENTITIES).
  static let mostIdentities = 2048

  /// One key of a list, or of an upstream's list.
  struct Identity: Equatable, Sendable {
    let blob: [UInt8]
    let comment: [UInt8]

    /// Its bytes in a list.
    var size: Int { 8 + blob.count + comment.count }

    /// Whether the blob begins with the name of a type, as all keys do.
    var isKey: Bool {
      var decoder = WireDecoder(blob.span)
      return (try? decoder.readText(limit: 64))?.isEmpty == false
    }
  }

  /// The bytes of a list of these keys, behind its number and their count.
  static func size(of identities: [Identity]) -> Int {
    identities.reduce(1 + 4) { $0 + $1.size }
  }

  static func list(_ identities: [Identity]) -> [UInt8] {
    var encoder = WireEncoder(capacity: size(of: identities))
    encoder.writeByte(Self.identities)
    encoder.writeUInt32(UInt32(identities.count))
    for identity in identities {
      encoder.writeBytes(identity.blob)
      encoder.writeBytes(identity.comment)
    }
    return encoder.finishPlain()
  }

  /// The keys of a list; nil if it is not one.
  static func identities(in message: [UInt8]) -> [Identity]? {
    try? { () throws(DecodeError) in
      var decoder = WireDecoder(message.span)
      try decoder.read(number: identities)
      var found: [Identity] = []
      for _ in 0..<(try decoder.readCount(limit: longest / 8, elementSize: 8)) {
        found.append(
          Identity(
            blob: try decoder.readBytes(limit: longest),
            comment: try decoder.readBytes(limit: longest)))
      }
      try decoder.finish()
      return found
    }()
  }

  /// An answer with an ECDSA signature on P-256 (RFC 5656 §3.1.2). `raw` is r and s, 32 bytes each.
  static func signed(_ raw: [UInt8]) -> [UInt8] {
    var numbers = WireEncoder(capacity: 80)
    numbers.writeInteger(raw.prefix(raw.count / 2))
    numbers.writeInteger(raw.suffix(raw.count / 2))
    var inner = WireEncoder(capacity: 128)
    inner.writeText(P256PublicKey.openSSHType)
    inner.writeBytes(numbers.finishPlain())
    var answer = WireEncoder(capacity: 160)
    answer.writeByte(signature)
    answer.writeBytes(inner.finishPlain())
    return answer.finishPlain()
  }
}

extension WireEncoder {
  /// An `mpint` of RFC 4251 §5 that is not negative. `magnitude` is big endian.
  mutating func writeInteger(_ magnitude: some Sequence<UInt8>) {
    let digits = Array(magnitude.drop { $0 == 0 })
    writeBytes((digits.first ?? 0) >= 0x80 ? [0] + digits : digits)
  }
}

extension WireDecoder {
  /// The magnitude of an `mpint` above 0, without leading zeros.
  mutating func readInteger(limit: Int) throws(DecodeError) -> [UInt8] {
    let bytes = try readBytes(limit: limit + 1)
    let digits = bytes.first == 0 ? bytes.dropFirst() : bytes[...]
    // Two's complement in the fewest bytes: a zero stands only before a top bit of 1.
    guard let first = digits.first, bytes[0] < 0x80, (bytes[0] == 0) == (first >= 0x80) else {
      throw .invalidValue(field: "mpint")
    }
    return Array(digits)
  }
}

/// Cuts the bytes of a connection into messages: a uint32 length, then that many bytes.
struct MessageCutter {
  private var bytes: [UInt8] = []

  mutating func append(_ more: ArraySlice<UInt8>) { bytes += more }

  /// The next message without its length; nil if more bytes are needed.
  /// - Throws: for a length of 0 or above ``AgentMessage/longest``, after which nothing can be read.
  mutating func next() throws(DecodeError) -> [UInt8]? {
    guard bytes.count >= 4 else { return nil }
    let count = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard count > 0 else { throw .invalidValue(field: "length") }
    guard count <= AgentMessage.longest else {
      throw .tooLong(count: count, limit: AgentMessage.longest)
    }
    guard bytes.count >= 4 + count else { return nil }
    defer { bytes.removeFirst(4 + count) }
    return Array(bytes[4..<4 + count])
  }
}
