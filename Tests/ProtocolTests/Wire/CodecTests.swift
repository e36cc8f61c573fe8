import SyntheticPrints
import Testing

@testable import Protocol

@Suite("Wire codec")
struct CodecTests {
  @Test("every data type comes back as it was written")
  func roundTrip() throws {
    var encoder = WireEncoder(capacity: 1)
    encoder.writeByte(7)
    encoder.writeBoolean(true)
    encoder.writeUInt32(0xdead_beef)
    encoder.writeUInt64(0x0123_4567_89ab_cdef)
    encoder.write(Int32(-25308))
    encoder.writeDouble(-0.125)
    encoder.writeText("Zeigefinger für Ø")
    encoder.writeBytes([1, 2, 3])
    encoder.writeOptional("x") { $0.writeText($1) }
    encoder.writeOptional(nil as String?) { $0.writeText($1) }
    encoder.writeArray([5, 6] as [UInt32]) { $0.writeUInt32($1) }
    let bytes = encoder.finish()
    var decoder = WireDecoder(bytes.bytes)
    #expect(try decoder.readByte() == 7)
    #expect(try decoder.readBoolean())
    #expect(try decoder.readUInt32() == 0xdead_beef)
    #expect(try decoder.readUInt64() == 0x0123_4567_89ab_cdef)
    #expect(try decoder.readInteger(of: Int32.self) == -25308)
    #expect(try decoder.readDouble() == -0.125)
    #expect(try decoder.readText() == "Zeigefinger für Ø")
    #expect(try decoder.readBytes(limit: 3) == [1, 2, 3])
    #expect(
      try decoder.readOptional { (decoder) throws(DecodeError) in try decoder.readText() } == "x")
    #expect(
      try decoder.readOptional { (decoder) throws(DecodeError) in try decoder.readText() } == nil)
    #expect(
      try decoder.readArray(limit: 2, elementSize: 4) { (decoder) throws(DecodeError) in
        try decoder.readUInt32()
      } == [5, 6])
    try decoder.finish()
  }

  @Test("the encoding is RFC 4251's")
  func encoding() {
    var encoder = WireEncoder()
    encoder.writeUInt32(699_921_578)
    encoder.writeText("testing")
    let bytes = encoder.finish()
    // The examples of RFC 4251 §5.
    let isSame = holds(
      bytes, [0x29, 0xb7, 0xf4, 0xaa, 0, 0, 0, 7, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67])
    #expect(isSame)
  }

  @Test("a length beyond the end is refused before anything is allocated")
  func hugeLength() {
    let bytes: [UInt8] = [0xff, 0xff, 0xff, 0xff, 1, 2]
    #expect(throws: DecodeError.tooLong(count: 0xffff_ffff, limit: 1 << 20)) {
      var decoder = WireDecoder(bytes.span)
      _ = try decoder.readBytes(limit: 1 << 20)
    }
    #expect(throws: DecodeError.truncated(wanted: 0xffff_ffff, left: 2)) {
      var decoder = WireDecoder(bytes.span)
      _ = try decoder.readBytes(limit: Int(UInt32.max))
    }
    #expect(throws: DecodeError.truncated(wanted: 0xffff_ffff * 8, left: 2)) {
      var decoder = WireDecoder(bytes.span)
      _ = try decoder.readCount(limit: Int(UInt32.max), elementSize: 8)
    }
  }

  @Test(
    "a value that has no meaning is refused",
    arguments: [[2], [0xff]] as [[UInt8]])
  func booleans(bytes: [UInt8]) {
    #expect(throws: DecodeError.invalidValue(field: "boolean")) {
      var decoder = WireDecoder(bytes.span)
      _ = try decoder.readBoolean()
    }
  }

  @Test("infinities and not-a-number are refused", arguments: [Double.infinity, -.infinity, .nan])
  func doubles(value: Double) {
    var encoder = WireEncoder()
    encoder.writeUInt64(value.bitPattern)
    let bytes = encoder.finish()
    #expect(throws: DecodeError.invalidValue(field: "double")) {
      var decoder = WireDecoder(bytes.bytes)
      _ = try decoder.readDouble()
    }
  }

  @Test("text that is not UTF-8 is refused")
  func invalidText() {
    #expect(throws: DecodeError.invalidText) {
      var decoder = WireDecoder(([0, 0, 0, 2, 0xc3, 0x28] as [UInt8]).span)
      _ = try decoder.readText()
    }
  }

  @Test("bytes behind the last field are refused")
  func trailingBytes() {
    let bytes = Failure(.busy, "x").encoded()
    var longer: [UInt8] = []
    for index in 0..<bytes.count { longer.append(bytes.bytes[index]) }
    longer.append(0)
    #expect(throws: DecodeError.trailingBytes(count: 1)) { try Failure.decode(longer.span) }
  }

  @Test("a message cut at any place is an error, never a trap")
  func truncated() throws {
    let frame = SensorFrame(
      channel: 3, session: 9, width: 2, height: 3, pixelsPerInch: 500,
      extents: [0..<1, 0..<2, 2..<2], pixels: [1, 2, 3, 4, 5, 6])
    let whole = frame.encoded()
    let decoded = try SensorFrame.decode(whole.bytes)
    #expect(decoded.pixels == frame.pixels)
    for count in 0..<whole.count {
      #expect(throws: DecodeError.self) {
        try SensorFrame.decode(whole.bytes.extracting(first: count))
      }
    }
  }

  @Test("where a frame ends arrives with it, and a frame that says nothing of it says nothing")
  func extents() throws {
    func decoded(_ extents: [Range<Int>]?) throws -> SensorFrame {
      let frame = SensorFrame(
        session: 9, width: 2, height: 3, pixelsPerInch: 500, extents: extents,
        pixels: [1, 2, 3, 4, 5, 6])
      return try SensorFrame.decode(frame.encoded().bytes)
    }
    #expect(try decoded([0..<2, 1..<1, 1..<2]).extents == [0..<2, 1..<1, 1..<2])
    #expect(try decoded(nil).extents == nil)
    for lie in [[0..<2, 0..<2], [0..<2, 0..<2, 0..<3], [0..<2, 0..<2, 0..<2, 0..<2]] {
      #expect(throws: DecodeError.self) { try decoded(lie) }
    }
  }

  @Test("an extent that ends before it begins is refused")
  func crossedExtent() {
    var bytes = SensorFrame(
      session: 9, width: 2, height: 1, pixelsPerInch: 500, extents: [1..<2], pixels: [1, 2]
    ).encoded()
    // number, channel, session, three sizes, whether there are extents, how many, then one: first
    // and end.
    let end = 1 + 4 + 8 + 12 + 1 + 4 + 2
    unsafe bytes.withUnsafeMutableBytes { unsafe $0[end + 1] = 0 }
    #expect(throws: DecodeError.self) { try SensorFrame.decode(bytes.bytes) }
  }

  @Test(
    "a frame whose size lies is refused",
    arguments: [
      (0, 3), (3, 0), (4097, 1), (1, 100_000), (UInt32.max, UInt32.max), (2, 2), (3, 3),
    ] as [(UInt32, UInt32)])
  func lyingFrame(width: UInt32, height: UInt32) {
    let bytes = SensorFrame(
      session: 1, width: width, height: height, pixelsPerInch: 500, pixels: [1, 2, 3, 4, 5, 6]
    ).encoded()
    #expect(throws: DecodeError.self) { try SensorFrame.decode(bytes.bytes) }
  }

  @Test("random bytes give a value or an error", arguments: 0..<64 as Range<UInt64>)
  func randomBytes(seed: UInt64) {
    var random = RandomNumbers(seed: seed)
    for _ in 0..<200 {
      let count = Int(random.next() % 96)
      var bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      // Small lengths reach deeper than random ones.
      for index in bytes.indices where index % 4 != 3 && random.next() % 3 > 0 { bytes[index] = 0 }
      decodeEverything(bytes)
    }
  }

  private func decodeEverything(_ bytes: [UInt8]) {
    _ = try? Failure.decode(bytes.span)
    _ = try? SensorFrame.decode(bytes.span)
    _ = try? SensorRetry.decode(bytes.span)
    _ = try? SensorEnd.decode(bytes.span)
    var decoder = WireDecoder(bytes.span)
    _ = try? ItemAttributes(from: &decoder)
    decoder = WireDecoder(bytes.span)
    _ = try? ItemQuery(from: &decoder)
    decoder = WireDecoder(bytes.span)
    _ = try? AccessControl(from: &decoder)
  }
}
