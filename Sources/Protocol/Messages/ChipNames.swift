/// Names of templates on a chip, as messages hold them: each behind its length in a byte. A name
/// opens a finger's key.
package struct ChipNames: ~Copyable, Sendable {
  /// `AC_CHIP_ID_MAX`
  package static let longestName = 64
  /// `AC_CHIP_MAX_TEMPLATES`
  package static let most = 256
  /// Bytes of the most names.
  package static let longest = most * (longestName + 1)

  /// The form in messages.
  package private(set) var bytes: SecretBytes
  private var end: Int
  /// How many there are.
  package private(set) var count = 0

  /// None, with room for `capacity` names.
  package init(capacity: Int = 0) {
    bytes = SecretBytes(count: capacity * (Self.longestName + 1))
    end = 0
  }

  /// Checks what came in a message.
  package init(_ message: borrowing SecretBytes) throws(DecodeError) {
    bytes = SecretBytes(copying: message.bytes)
    end = bytes.count
    var position = 0
    while position < end {
      let length = Int(bytes.bytes[position])
      guard 1...Self.longestName ~= length, position + 1 + length <= end, count < Self.most else {
        throw .invalidValue(field: "names of templates")
      }
      position += 1 + length
      count += 1
    }
  }

  /// Adds a name of 1…64 bytes, for which there is room.
  package mutating func append(_ name: Span<UInt8>) {
    precondition(1...Self.longestName ~= name.count && end + 1 + name.count <= bytes.count)
    let start = end
    unsafe bytes.withUnsafeMutableBytes { target in
      unsafe target[start] = UInt8(name.count)
      for index in 0..<name.count { unsafe target[start + 1 + index] = name[index] }
    }
    end += 1 + name.count
    count += 1
  }

  /// Adds a name of 1…64 bytes, for which there is room.
  package mutating func append(_ name: borrowing SecretBytes) { append(name.bytes) }

  /// Adds names for which there is room.
  package mutating func append(contentsOf other: borrowing ChipNames) {
    for place in other.places {
      append(other.bytes.bytes.extracting(place.start..<place.start + place.count))
    }
  }

  /// The bytes as a message takes them.
  package consuming func finish() -> SecretBytes {
    SecretBytes(copying: bytes.bytes.extracting(..<end))
  }

  /// Where each name begins and how long it is.
  private var places: [(start: Int, count: Int)] {
    var places: [(start: Int, count: Int)] = []
    var position = 0
    while position < end {
      let length = Int(bytes.bytes[position])
      places.append((position + 1, length))
      position += 1 + length
    }
    return places
  }

  /// Calls `body` with each name.
  package func forEach<Problem: Error>(
    _ body: (Span<UInt8>) throws(Problem) -> Void
  ) throws(Problem) {
    for place in places {
      try body(bytes.bytes.extracting(place.start..<place.start + place.count))
    }
  }
}

extension ChipSummary {
  /// Whether the chip has an ability: a bit of `ac_chip_info.abilities` (match_on_chip.h).
  package func has(_ ability: some BinaryInteger) -> Bool {
    abilities & UInt32(truncatingIfNeeded: ability) != 0
  }
}
