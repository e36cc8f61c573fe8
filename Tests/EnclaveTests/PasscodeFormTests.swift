import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Forms of a passcode", .timeLimit(.minutes(15)))
struct PasscodeFormTests {
  /// One text in two forms: composed as clients set it, and as some keyboards write it.
  private static let composed = "caf\u{E9}5"
  private static let typed = "cafe\u{301}5"

  private func verify(
    _ device: SimulatedDevice, _ passcode: String, typed: String = ""
  ) throws -> FailureCode? {
    try device.openContext(7000)
    return try device.failure(
      VerifyPasscode(
        context: contextName(7000), unlocksDevice: false, passcode: secret(passcode),
        asTyped: secret(typed)))
  }

  /// A device whose passcode an earlier version set, as it was typed.
  private func earlier() throws -> SimulatedDevice {
    let device = SimulatedDevice()
    try device.setPasscode(Self.typed)
    let state = try StoredState.load(from: device.platform)
    var keybag = state.keybag
    let record = try #require(keybag.passcode)
    keybag.passcode = PasscodeRecord(
      cost: record.cost, salt: record.salt, eraseAfter: 0, isNormalized: false, guarded: nil)
    try state.replaceKeybag(keybag)
    device.restart()
    return device
  }

  private func wrongPasscodes(_ device: SimulatedDevice) throws -> UInt32 {
    try StoredState.load(from: device.platform).attempts.wrongPasscodes
  }

  @Test("a passcode is tried in the form in which clients set it, whatever was typed")
  func normalized() throws {
    let device = SimulatedDevice()
    try device.setPasscode(Self.composed)
    #expect(try verify(device, Self.composed) == nil)
    #expect(try verify(device, Self.composed, typed: Self.typed) == nil)
    #expect(try verify(device, Self.typed, typed: Self.composed) == .authenticationFailed)
  }

  @Test("a passcode of an earlier version is tried as it was typed, and is none as it was not")
  func asTyped() throws {
    let device = try earlier()
    #expect(try verify(device, Self.composed, typed: Self.typed) == nil)
    #expect(try verify(device, Self.typed) == nil)
    #expect(try verify(device, Self.composed) == .authenticationFailed)
  }

  @Test("of two forms one is tried, so that a wrong passcode counts once")
  func countsOnce() throws {
    for device in [try earlier(), try SimulatedDevice.withPasscode()] {
      #expect(try verify(device, "wrong 1", typed: "wrong 2") == .authenticationFailed)
      #expect(try wrongPasscodes(device) == 1)
    }
  }

  @Test("changing and removing take either form, and a passcode is set in the newer one")
  func changing() throws {
    let device = try earlier()
    try device.send(
      ReplacePasscode(
        current: secret(Self.composed), asTyped: secret(Self.typed),
        replacement: secret("\u{E9}t\u{E9} 7")))
    #expect(try verify(device, "\u{E9}t\u{E9} 7", typed: "e\u{301}te\u{301} 7") == nil)
    #expect(try StoredState.load(from: device.platform).keybag.passcode?.isNormalized == true)
    let other = try earlier()
    try other.send(
      ErasePasscode(current: secret(Self.composed), asTyped: secret(Self.typed)))
    #expect(try !other.status.isPasscodeSet)
  }

  @Test("the passcode of commit 5a3dfaf is one as it was typed")
  func fixture() throws {
    let device = SimulatedDevice(SimulatedPlatform(files: try EarlierState.files()))
    #expect(
      try verify(device, "another form", typed: EarlierState.passcode) == nil)
  }

  @Test("a form that is left out because it is too long is no passcode, and costs no try")
  func leftOut() throws {
    let device = try SimulatedDevice.withPasscode()
    #expect(try verify(device, "", typed: "long") == .authenticationFailed)
    #expect(try wrongPasscodes(device) == 0)
  }
}
