import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Damaged and missing state files")
struct DamageTests {
  private func device(with files: [String: [UInt8]]) -> SimulatedDevice {
    SimulatedDevice(SimulatedPlatform(files: files, seed: 4))
  }

  private func files() throws -> [String: [UInt8]] {
    try EnrolledDevice.beforeFirstUnlock().platform.files
  }

  /// The failure that answers every request; records an issue if a request succeeds.
  private func refusal(_ device: SimulatedDevice) throws -> Failure? {
    let before = device.platform.files
    var refusal: Failure?
    do { _ = try device.status } catch let failure as Failure { refusal = failure }
    #expect(try device.failure(SetPasscode(passcode: secret("newer"))) == refusal?.code)
    #expect(try device.failure(OpenContext(context: 1)) == refusal?.code)
    #expect(try device.failure(HashAttributes(values: [])) == refusal?.code)
    #expect(device.platform.files == before, "a damaged state was written over")
    return refusal
  }

  /// A file that is missing, empty, cut, or too long, and with each of these bits flipped.
  private func variants(of bytes: [UInt8], flipping bits: some Sequence<Int>) -> [[UInt8]?] {
    let flipped = bits.map { bit in
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      return flipped
    }
    return [nil, [], Array(bytes[..<(bytes.count / 2)]), bytes + [0]] + flipped
  }

  @Test(
    "every flipped bit is refused by name, and nothing is written",
    arguments: ["root.key", "keybag"])
  func flippedBits(name: String) throws {
    let files = try files()
    let bytes = try #require(files[name])
    for bit in 0..<bytes.count * 8 {
      var damaged = files
      damaged[name]?[bit / 8] ^= 1 << UInt8(bit % 8)
      let device = device(with: damaged)
      do {
        _ = try device.status
        Issue.record("bit \(bit) of \(name) makes no difference")
      } catch let failure as Failure {
        #expect(failure.code == .stateDamaged, "bit \(bit)")
        #expect(failure.message.contains(name), "bit \(bit)")
      }
    }
  }

  @Test(
    "a file that was cut, emptied, extended or replaced is refused by every request",
    arguments: ["root.key", "keybag"])
  func otherContents(name: String) throws {
    let files = try files()
    let bytes = try #require(files[name])
    for damaged in [[], Array(bytes[..<(bytes.count / 2)]), bytes + [0], Array("hello".utf8)] {
      var changed = files
      changed[name] = damaged
      let failure = try #require(try refusal(device(with: changed)))
      #expect(failure.code == .stateDamaged)
      #expect(failure.message.contains(name))
      #expect(failure.hint?.contains("backup") == true)
    }
  }

  @Test(
    "a file of another version is refused with that version", arguments: ["root.key", "keybag"])
  func otherVersion(name: String) throws {
    var files = try files()
    let magicLength = Int(files[name]?[3] ?? 0)
    files[name]?[4 + magicLength + 3] = 9
    let failure = try #require(try refusal(device(with: files)))
    #expect(failure.code == .stateDamaged)
    #expect(failure.message.contains("version 9"))
  }

  @Test("a root key or keybag that is missing is told by name; with neither it is a new enclave")
  func missing() throws {
    for name in ["root.key", "keybag"] {
      var files = try files()
      files[name] = nil
      let failure = try #require(try refusal(device(with: files)))
      #expect(failure.code == .stateDamaged)
      #expect(failure.message.contains("\(name) is missing"))
    }
    #expect(try device(with: [:]).status.isPasscodeSet == false)
  }

  @Test("the keybag of another enclave is refused")
  func foreignKeybag() throws {
    var files = try files()
    let other = SimulatedDevice(SimulatedPlatform(seed: 9))
    try other.setPasscode()
    files["keybag"] = other.platform.files["keybag"]
    #expect(try refusal(device(with: files))?.code == .stateDamaged)
  }

  @Test("lost attempts mean lockout and the longest delay, and the right passcode mends them")
  func lostAttempts() throws {
    let files = try files()
    let bytes = try #require(files["attempts"])
    // Each bit of the head and of the end, and some of what lies between.
    let (end, margin) = (bytes.count * 8, 64 * 8)
    let bits =
      Array(0..<margin) + stride(from: margin, to: end - margin, by: 61)
      + Array((end - margin)..<end)
    for variant in variants(of: bytes, flipping: bits) {
      var changed = files
      changed["attempts"] = variant
      let device = device(with: changed)
      let status = try device.status
      #expect(status.isLockedOut)
      #expect(status.passcodeDelay == 3600)
      #expect(try device.refusal(of: SimulatedDevice.passcode) == .passcodeDelayed)
      device.platform.advance(seconds: 3600)
      try device.unlock()
      device.restart()
      #expect(try device.status.isLockedOut == false)
      #expect(try device.status.passcodeDelay == 0)
    }
  }

  @Test("a damaged template is told by name when it is needed; the finger can be removed")
  func damagedTemplate() throws {
    let files = try files()
    let bytes = try #require(files["finger-1"])
    let bits = stride(from: 0, to: bytes.count * 8, by: 9973)
    for variant in variants(of: bytes, flipping: bits) {
      var changed = files
      changed["finger-1"] = variant
      let device = device(with: changed)
      try device.unlock()
      try device.send(OpenChannel(channel: 1, isSynthetic: true))
      let request = BeginMatch(session: 1, channel: 1, context: 7000)
      #expect(try device.failure(request) == .stateDamaged)
      try device.send(RemoveFinger(finger: "right-index"), in: 7000)
      #expect(try device.failure(request) == .biometryNotEnrolled)
    }
  }

  @Test("one damaged template does not keep the other fingers from matching")
  func otherFinger() throws {
    let device = try EnrolledDevice.unlocked()
    try device.enroll(.ownersOther, name: "left")
    device.platform.files["finger-1"]?[100] ^= 1
    device.restart()
    try device.unlock()
    try device.openContext(1)
    #expect(try device.match(1, SimulatedFinger.ownersOther.later)?.isMatch == true)
    #expect(try device.match(1, SimulatedFinger.owner.later)?.isMiss == true)
    #expect(device.platform.logged.contains { $0.contains("right-index") })
  }

  @Test("a disk that cannot be read is told from a damaged file")
  func unreadable() throws {
    let platform = UnreadablePlatform()
    let engine = EnclaveEngine(platform: platform, passcodeCost: SimulatedDevice.cost)
    let request = GetEnclaveStatus().encoded()
    let reply = engine.handle(request.bytes)
    #expect(try Failure.decode(reply.bytes).code == .storageFailed)
  }
}

/// A folder that gives I/O errors.
private final class UnreadablePlatform: EnclavePlatform {
  var bootTime: UInt64 { 0 }
  var bootIdentity: [UInt8] { [] }
  var wallClock: Int64 { 0 }
  func random(count: Int) throws(Failure) -> SecretBytes { SecretBytes(count: count) }
  func load(_ name: String, limit: Int) throws(Failure) -> SecretBytes? {
    throw Failure(.storageFailed, "\(name) cannot be read")
  }
  func save(_ name: String, _ bytes: borrowing SecretBytes) throws(Failure) {}
  func remove(_ name: String) throws(Failure) {}
  func transmitToTPM(
    _ command: Span<UInt8>, milliseconds: UInt32, response: inout [UInt8]
  ) -> Int32 { 116 }
  func emit(_ event: borrowing SecretBytes) {}
  func log(_ level: Int32, _ text: String) {}
}
