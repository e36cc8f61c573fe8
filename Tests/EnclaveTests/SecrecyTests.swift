import GrayImage
import Protocol
import Testing

@testable import EnclaveEngine

@Suite("What the state folder tells")
struct StateSecrecyTests {
  private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let pattern = Array(text.utf8)
    guard bytes.count >= pattern.count else { return false }
    return (0...bytes.count - pattern.count).contains { start in
      bytes[start..<start + pattern.count].elementsEqual(pattern)
    }
  }

  @Test("neither passcodes, wrong ones included, nor names of fingers lie readable in any file")
  func nothingReadable() throws {
    let device = try EnrolledDevice.unlocked()
    _ = try device.refusal(of: "a wrong guess")
    let files = device.platform.files
    #expect(files.keys.sorted() == ["attempts", "finger-1", "keybag", "root.key"])
    for (name, bytes) in files {
      for text in [SimulatedDevice.passcode, "a wrong guess", "right-index"] {
        #expect(!contains(bytes, text), "\(text) in \(name)")
      }
    }
  }

  @Test("the file of a finger has one size, whatever finger it is")
  func templateSize() throws {
    let device = try EnrolledDevice.unlocked()
    try device.enroll(.ownersOther)
    #expect(device.platform.files["finger-1"]?.count == device.platform.files["finger-2"]?.count)
  }

  @Test("a new enclave writes nothing before something depends on it")
  func lazy() throws {
    let device = SimulatedDevice()
    _ = try device.status
    try device.openContext(1)
    #expect(device.platform.files.isEmpty)
    _ = try device.sealed("secret")
    #expect(device.platform.files.keys.sorted() == ["keybag", "root.key"])
  }

  @Test("where the keys cannot be stored nothing is sealed under them")
  func fullDisk() throws {
    let device = SimulatedDevice()
    for writes in 0...1 {
      device.platform.writesLeft = writes
      #expect(try device.sealingFailure(.whenUnlocked) == .storageFailed)
    }
    device.platform.writesLeft = nil
    let item = try device.sealed("secret")
    device.restart()
    #expect(try device.open(item) == .secret("secret"))
  }
}

/// What leaves the enclave does not depend on the print, whatever is asked: so it tells nothing of
/// it.
@Suite("Prints stay inside")
struct PrintSecrecyTests {
  /// A device whose clock, random bytes, passcode and finger's name are always the same.
  private func device(enrolling finger: SimulatedFinger) throws -> SimulatedDevice {
    let device = SimulatedDevice(SimulatedPlatform(seed: 4))
    try device.setPasscode()
    try device.enroll(finger, name: "right-index")
    device.restart()
    try device.unlock()
    try device.openContext(1)
    device.platform.events = []
    return device
  }

  @Test(
    "E6: two devices that differ in the enrolled print alone answer every request with the same bytes"
  )
  func answersTellNothing() throws {
    let devices = try [SimulatedFinger.owner, .ownersOther].map { try device(enrolling: $0) }
    #expect(devices[0].platform.files["finger-1"] != devices[1].platform.files["finger-1"])
    for device in devices { try device.awaitTouch(device.beginMatch(1)) }
    let frame = SimulatedPrint.blank.frame(channel: 1, session: 2).encoded()
    var requests = [frame.bytes.indices.map { frame.bytes[$0] }]
    for number in UInt8.min...UInt8.max {
      requests += EvidenceRequestTests.bodies.map { [number] + $0 }
    }
    var answered = 0
    for request in requests {
      let replies = devices.map { $0.reply(to: request) }
      #expect(replies[0] == replies[1], "\(request)")
      if replies[0].first != Failure.number { answered += 1 }
    }
    #expect(answered > 10, "not all of them are refused")
    #expect(devices[0].platform.events.count == 1, "the frame was looked at")
    #expect(devices[0].platform.events == devices[1].platform.events)
  }

  @Test("E6: a touch leaves the enclave as a name and a score, and nothing of its picture")
  func touchesTellNothing() throws {
    let device = try device(enrolling: .owner)
    let print = SimulatedFinger.owner.later
    #expect(try device.match(1, print)?.isMatch == true)
    let event = try #require(device.platform.events.last).encoded()
    #expect(event.count < 128, "session, kind, name and score, and how the device is")
    let parts = parts(of: print.image.pixels)
    for number in UInt8.min...UInt8.max {
      for body in EvidenceRequestTests.bodies {
        let reply = device.reply(to: [number] + body)
        #expect(reply.count < 1024 && parts.isDisjoint(with: self.parts(of: reply)), "\(number)")
      }
    }
  }

  /// Every 16 neighboring bytes that are not all alike.
  private func parts(of bytes: [UInt8]) -> Set<[UInt8]> {
    guard bytes.count >= 16 else { return [] }
    return Set((0...bytes.count - 16).map { Array(bytes[$0..<$0 + 16]) })
      .filter { Set($0).count > 1 }
  }
}
