import Protocol

/// The frames that were looked at last, by codes under a key of the enclave. No sensor delivers two
/// equal frames, since each has noise of its own: an equal one is a copy, and no touch.
struct SeenFrames: Equatable, Sendable {
  /// How many are remembered: as many as keep the file of attempts within one block of a disk, so
  /// that it can be written when that is full.
  static let most = 256

  /// Oldest first.
  private var codes: [UInt64] = []

  /// None was seen.
  init() {}

  /// Whether a frame of this code was seen.
  func contains(_ code: UInt64) -> Bool { codes.contains(code) }

  /// Remembers a frame, in place of the oldest where there is no room.
  mutating func insert(_ code: UInt64) {
    codes.append(code)
    if codes.count > Self.most { codes.removeFirst() }
  }

  /// Always of one size, with zeros for frames that are still to come.
  func encode(into encoder: inout WireEncoder) {
    for code in codes { encoder.writeUInt64(code) }
    for _ in codes.count..<Self.most { encoder.writeUInt64(0) }
  }

  /// Reads what ``encode(into:)`` wrote.
  init(from decoder: inout WireDecoder) throws(DecodeError) {
    for _ in 0..<Self.most {
      let code = try decoder.readUInt64()
      if code != 0 { codes.append(code) }
    }
  }
}
