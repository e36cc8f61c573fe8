import AuthcoreABI
import FingerprintMatching
import SensorKit
import Testing
import URU4000Model

/// The model's behavior on a real bus, which the driver's transport does not need.
@Suite("The simulated U.are.U 4500")
struct URU4000ModelTests {
  @Test("its descriptor is that of a U.are.U 4500")
  func descriptor() throws {
    let info = try model().info
    #expect([info.vendor, info.product, info.release] == [0x05BA, 0x000A, 0x0103])
    let reader = try #require(info.interfaces.first)
    #expect([reader.classCode, reader.subclassCode, reader.protocolCode] == [0xFF, 0xFF, 0xFF])
    #expect(reader.endpoints == [0x81, 0x82] && info.interfaces.count == 1)
  }

  @Test("an image can be fetched in pieces, as a kernel does it, and comes after 127 ms")
  func pieces() throws {
    let whole = try image(inPiecesOf: 111_424)
    #expect(whole.map(\.count) == [64 + 289 * 384])
    let pieces = try image(inPiecesOf: 16_384)
    #expect(pieces.map(\.count) == Array(repeating: 16_384, count: 6) + [12_736])
    #expect(Array(pieces.joined()) == whole[0])
  }

  @Test("it keeps three messages and drops what comes then")
  func queue() throws {
    var model = try woken()
    for _ in 1...3 { set(&model, 0x4E, [0x10], at: .zero) }
    var codes: [[UInt8]] = []
    while case .bytes(let bytes) = model.read(from: 0x81, length: 64, at: .seconds(1)) {
      #expect(bytes.count == 64)
      codes.append(Array(bytes[..<2]))
    }
    #expect(codes == [[0x56, 0xAA], [0x56, 0xAA], [0x56, 0xAA]])
  }

  @Test("asleep it knows its registers, but no modes")
  func asleep() throws {
    var model = try model()
    set(&model, 0x07, [0x81], at: .zero)
    set(&model, 0x4E, [0x10], at: .zero)
    #expect(model.read(from: 0x81, length: 64, at: .seconds(1)) == nil)
    let read = USBSetup(type: 0xC0, request: 4, value: 7, index: 0, length: 1)
    #expect(model.control(read, [], at: .zero) == .bytes([0x81]))
  }

  private func model() throws -> URU4000Model {
    try URU4000Model(settings: ModelSettings("", names: URU4000Model.settingNames))
  }

  /// Awake, with the report of power still unread.
  private func woken() throws -> URU4000Model {
    var model = try model()
    set(&model, 0x07, [0x81], at: .zero)
    set(&model, 0x07, [0x01], at: .zero)
    return model
  }

  /// Scans the first touch.
  private func image(inPiecesOf length: Int) throws -> [[UInt8]] {
    var model = try woken()
    set(&model, 0x4E, [0x10], at: .zero)
    set(&model, 0x4E, [0x20], at: .zero)
    #expect(model.read(from: 0x82, length: length, at: .milliseconds(126)) == nil)
    var pieces: [[UInt8]] = []
    while case .bytes(let piece) = model.read(from: 0x82, length: length, at: .milliseconds(127)) {
      pieces.append(piece)
    }
    return pieces
  }

  private func set(
    _ model: inout URU4000Model, _ register: UInt16, _ bytes: [UInt8], at now: Duration
  ) {
    let setup = USBSetup(
      type: 0x40, request: 4, value: register, index: 0, length: UInt16(bytes.count))
    #expect(model.control(setup, bytes, at: now) == .done)
  }
}

@Suite("X3: the simulated U.are.U 4500 shows fingers that can be told apart")
struct URU4000MatchingTests {
  @Test("a finger enrolled with its touches is accepted, and another one refused")
  func matching() throws {
    let owner = try touches(finger: 1, first: 1, count: 8)
    var enrollment = Enrollment()
    for touch in owner[..<5] { _ = enrollment.add(touch) }
    #expect(enrollment.usableTouches >= 4)
    let template = try #require(enrollment.template())
    for touch in owner[5...] {
      #expect(PrintMatcher().score(probe: touch, against: template) > 2 * PrintMatcher.threshold)
    }
    for touch in try touches(finger: 2, first: 1, count: 2) {
      #expect(PrintMatcher().score(probe: touch, against: template) < PrintMatcher.threshold)
    }
  }

  /// Features of touches, as the host hands them on.
  private func touches(finger: Int, first: Int, count: Int) throws -> [PrintFeatures] {
    try TestHost.run { _ in
      let device = try LoadedTransport.simulated(
        model: "uru4000", "finger=\(finger),first=\(first)")
      let sensor = try LoadedDriver.built("uru4000").open()
      defer { withExtendedLifetime(device) {} }
      return try (0..<count).map { _ in
        let frame = try sensor.capture().get()
        let image = try FingerprintImage(
          width: frame.width, height: frame.height, pixelsPerInch: frame.pixelsPerInch,
          pixels: frame.pixels.reversed().map { 255 - $0 })
        return FeatureExtractor().features(of: image)
      }
    }
  }
}
