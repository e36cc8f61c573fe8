import Protocol

/// A made-up message, and the encoding to compare with.
struct GoldenSample {
  /// The kind of message.
  let kind: String
  /// Distinguishes several of one kind; may be empty.
  let variant: String
  /// Number and fields of the made-up message.
  let encoded: [UInt8]
  /// Decodes a message of this kind and encodes it again.
  let again: ([UInt8]) throws(DecodeError) -> [UInt8]

  /// The name of its line.
  var name: String { variant.isEmpty ? kind : "\(kind), \(variant)" }

  init<Message: WireMessage & ~Copyable>(_ message: consuming Message, _ variant: String = "") {
    kind = "\(Message.self)"
    self.variant = variant
    encoded = Array(copying: message.encoded())
    again = { (bytes) throws(DecodeError) in
      Array(copying: try Message.decode(bytes.span).encoded())
    }
  }

  /// An envelope, which is read in place.
  init(
    envelope kind: String, _ encoded: borrowing SecretBytes,
    again: @escaping ([UInt8]) throws(DecodeError) -> SecretBytes
  ) {
    self.kind = kind
    variant = ""
    self.encoded = Array(copying: encoded)
    self.again = { (bytes) throws(DecodeError) in Array(copying: try again(bytes)) }
  }

  /// Every made-up message.
  static var all: [GoldenSample] {
    get throws { try shared + items + keys + backups + client + enclave + policy }
  }
}

extension Array where Element == UInt8 {
  /// The bytes of a message.
  init(copying bytes: borrowing SecretBytes) {
    self.init()
    for index in 0..<bytes.count { append(bytes.bytes[index]) }
  }

  /// Two hexadecimal digits a byte.
  var hexadecimal: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Reads ``hexadecimal``, or returns nil.
  init?(hexadecimal text: Substring) {
    self.init()
    var rest = text
    while !rest.isEmpty {
      guard rest.count >= 2, let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      append(byte)
      rest = rest.dropFirst(2)
    }
  }
}

/// A made-up secret.
func sampleSecret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8).span) }
