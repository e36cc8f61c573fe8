import Protocol
import Testing

@testable import EnclaveEngine

@Suite("What the enclave knows of the keychain")
struct KeychainMarkTests {
  private func note(
    _ mark: NoteKeychain.Mark, on device: SimulatedDevice
  ) throws -> Bool { try device.ask(NoteKeychain(mark: mark), for: KeychainNoted.self).existed }

  @Test(
    "FINDINGS A13: a new enclave knows of none, and one that was told knows until it is told otherwise"
  )
  func told() throws {
    let device = SimulatedDevice()
    #expect(try !note(.asked, on: device))
    #expect(try !device.status.hasKeychain)
    #expect(try !note(.begun, on: device))
    for _ in 1...2 {
      #expect(try note(.asked, on: device))
      #expect(try device.status.hasKeychain)
      device.restart()
    }
    #expect(try note(.forgotten, on: device))
    device.restart()
    #expect(try !note(.asked, on: device))
  }

  @Test(
    "FINDINGS A13: it outlives every change of the passcode, and makes no old keybag a newer one"
  )
  func passcode() throws {
    let device = SimulatedDevice()
    _ = try note(.begun, on: device)
    try device.setPasscode()
    let old = device.platform.files[Keybag.fileName]
    try device.send(
      ReplacePasscode(current: secret(SimulatedDevice.passcode), replacement: secret("rose 7")))
    #expect(try device.status.hasKeychain)
    try device.send(ErasePasscode(current: secret("rose 7")))
    #expect(try device.status.hasKeychain)
    device.platform.files[Keybag.fileName] = old
    device.restart()
    _ = try note(.forgotten, on: device)
    _ = try note(.begun, on: device)
    device.restart()
    #expect(try device.status.isRollbackDetected)
  }

  @Test(
    "FINDINGS A13: a write that fails leaves what it knew",
    arguments: [NoteKeychain.Mark.begun, .forgotten])
  func fullDisk(mark: NoteKeychain.Mark) throws {
    let device = SimulatedDevice()
    _ = try note(.begun, on: device)
    if mark == .begun { _ = try note(.forgotten, on: device) }
    device.platform.writesLeft = 0
    #expect(try device.failure(NoteKeychain(mark: mark)) == .storageFailed)
    device.platform.writesLeft = nil
    #expect(try note(.asked, on: device) == (mark == .forgotten))
    device.restart()
    #expect(try note(.asked, on: device) == (mark == .forgotten))
  }
}
