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
