import Testing

@testable import Wire

@Suite("Access control and failures")
struct VocabularyTests {
  @Test(
    "A1: a constraint is read and written as the command line has it",
    arguments: [
      "presence", "biometry-any", "biometry-current", "passcode", "biometry-current or passcode",
      "biometry-any and passcode",
    ])
  func expressions(text: String) throws {
    let control = try AccessControl(parsing: text)
    #expect(control.text == text)
    var encoder = WireEncoder()
    control.encode(into: &encoder)
    let bytes = encoder.finish()
    var decoder = WireDecoder(bytes.bytes)
    #expect(try AccessControl(from: &decoder) == control)
  }

  @Test(
    "A1: combinations that Apple refuses are refused",
    arguments: [
      ("", AccessControl.Problem.empty), ("touch", .unknown("touch")),
      ("passcode passcode", .unknown("passcode passcode")),
      ("passcode and", .unknown("passcode and")),
      ("passcode and biometry-any or biometry-any", .mixedJunctions),
      ("presence and passcode", .presenceWithOthers),
      ("biometry-any or biometry-current", .bothBiometries), ("app-password", .appPassword),
    ])
  func refusals(text: String, problem: AccessControl.Problem) {
    #expect(throws: problem) { try AccessControl(parsing: text) }
  }

  @Test(
    "A1: what is proved decides, with and for all, with or for one",
    arguments: [
      ("presence", [false, true, true, true]), ("biometry-any", [false, true, false, true]),
      ("biometry-current", [false, true, false, true]), ("passcode", [false, false, true, true]),
      ("biometry-any and passcode", [false, false, false, true]),
      ("biometry-current or passcode", [false, true, true, true]),
    ] as [(String, [Bool])])
  func satisfaction(text: String, expected: [Bool]) throws {
    let control = try AccessControl(parsing: text)
    let evidence: [EvidenceSet] = [[], .biometry, .passcode, [.biometry, .passcode]]
    #expect(evidence.map { control.isSatisfied(by: $0) } == expected)
  }

  @Test("A9: a class that could leave the device becomes one that cannot")
  func deviceOnly() {
    #expect(Accessibility.allCases.allSatisfy { $0.onThisDeviceOnly.isThisDeviceOnly })
    #expect(Accessibility.whenUnlocked.onThisDeviceOnly == .whenUnlockedThisDeviceOnly)
  }

  @Test("every failure has a number of its own and an exit code of the contract")
  func failureCodes() {
    let numbers = Set(FailureCode.allCases.map(\.number))
    #expect(numbers.count == FailureCode.allCases.count)
    #expect(
      FailureCode.allCases.allSatisfy { ([1, 2, 3, 4, 5, 64] as [Int32]).contains($0.exitCode) })
    #expect(FailureCode.biometryLockout.number == -8)
    #expect(FailureCode.errSecInteractionNotAllowed.number == -25308)
    #expect(FailureCode.notInteractive.exitCode == 2)
  }

  @Test("a failure crosses a wall whole", arguments: [nil, "plug it in"])
  func failure(hint: String?) throws {
    let failure = Failure(.biometryNotAvailable, "no reader is connected", hint: hint)
    let bytes = failure.encoded()
    #expect(try Failure.decode(bytes.bytes) == failure)
  }
}
