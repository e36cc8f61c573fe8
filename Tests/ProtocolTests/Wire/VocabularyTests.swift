import Testing

@testable import Protocol

@Suite("Access control and failures")
struct VocabularyTests {
  @Test(
    "FINDINGS A14: spaces, ends of lines, controls and characters of no width are nothing to read",
    arguments: [
      "", " \t", "\n\r", "\u{A0}\u{3000}", "\u{200B}\u{200D}\u{FEFF}", "\u{2028}\u{2029}",
      "\u{0}\u{1B}\u{85}", "\u{202E}\u{2066}", "\u{AD}\u{E0020}", "\u{115F}\u{3164}\u{FFA0}",
      "\u{2800}", "\u{FE0F}\u{34F}", "\u{E000A}\u{FFFF}",
    ])
  func nothingToRead(text: String) {
    #expect(!text.hasVisibleCharacters)
    for visible in ["x", "日", "é", "👍🏽", "-"] { #expect((text + visible).hasVisibleCharacters) }
  }

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
      ("biometry-any or biometry-current", .bothBiometries),
      ("app-password and presence or passcode", .mixedJunctions),
      ("presence and app-password and passcode", .presenceWithOthers),
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

  @Test(
    "A1, A3: a match at a relaxed rate counts as a finger, except where a strict one is wanted",
    arguments: ["presence", "biometry-any", "biometry-current", "biometry-current or passcode"])
  func relaxedMatch(text: String) throws {
    let control = try AccessControl(parsing: text)
    let strict = try AccessControl(parsing: text, with: .strictMatch)
    #expect(control.isSatisfied(by: .relaxedBiometry))
    #expect(control.helpfulEvidence(beyond: .relaxedBiometry).isEmpty)
    #expect(!strict.isSatisfied(by: .relaxedBiometry))
    #expect(strict.isSatisfied(by: .biometry))
    #expect(strict.helpfulEvidence(beyond: .relaxedBiometry).contains(.biometry))
    #expect(strict.text == control.text && strict != control)
  }

  @Test(
    "A1: an application password is needed whatever joins it, and no constraint",
    arguments: [
      ("app-password", "app-password", []),
      ("app-password or presence", "presence and app-password", .presence),
      ("biometry-any or app-password", "biometry-any and app-password", .biometryAny),
      (
        "biometry-any or app-password or passcode", "biometry-any or passcode or app-password",
        [.biometryAny, .passcode]
      ),
    ] as [(String, String, AccessControl.Constraints)])
  func appPassword(text: String, canonical: String, constraints: AccessControl.Constraints) throws {
    let control = try AccessControl(parsing: text)
    #expect(control.needsAppPassword && control.constraints == constraints)
    #expect(control.text == canonical)
    #expect(try AccessControl(parsing: canonical) == control)
    #expect(!control.isSatisfied(by: [.biometry, .passcode]))
    #expect(control.isSatisfied(by: [.biometry, .appPassword]))
    #expect(control.isSatisfied(by: .appPassword) == constraints.isEmpty)
    #expect(control.helpfulEvidence(beyond: [.biometry, .passcode]).isEmpty)
  }

  @Test("an access control crosses a wall whole, and one that cannot be made is refused")
  func accessControlBytes() throws {
    for text in [
      "presence", "biometry-any and passcode", "biometry-current or passcode",
      "presence and app-password", "biometry-current or passcode or app-password",
    ] {
      for isStrict in [false, true] {
        let control = try AccessControl(parsing: text, with: isStrict ? .strictMatch : [])
        var encoder = WireEncoder()
        control.encode(into: &encoder)
        let bytes = encoder.finish()
        var decoder = WireDecoder(bytes.bytes)
        #expect(try AccessControl(from: &decoder) == control)
      }
    }
    #expect(throws: AccessControl.Problem.strictWithoutFinger) {
      try AccessControl(parsing: "passcode", with: .strictMatch)
    }
    let impossible: [[UInt8]] = [
      [0, 1], [128, 1], [136, 1], [64, 1], [144, 1], [2, 3], [3, 1], [25, 1],
    ]
    for bytes in impossible {
      #expect(throws: DecodeError.self) {
        var decoder = WireDecoder(bytes.span)
        _ = try AccessControl(from: &decoder)
      }
    }
  }

  @Test("a picture of coverage crosses a wall whole, and one with holes or too large is refused")
  func coveragePicture() throws {
    let picture = CoveragePicture(
      columns: 3, times: [0, 1, 2, 3, 15, 99], clarity: [0, 5, 6, 7, 15, 99])
    #expect(picture.rows == 2 && picture.times(column: 2, row: 1) == 15)
    #expect(picture.clarity(column: 0, row: 1) == 7 && picture.times(column: 3, row: 0) == 0)
    for picture in [picture, .empty] {
      var encoder = WireEncoder()
      picture.encode(into: &encoder)
      let bytes = encoder.finish()
      var decoder = WireDecoder(bytes.bytes)
      #expect(try CoveragePicture(from: &decoder) == picture)
    }
    let hostile: [[UInt8]] = [
      [3, 0, 0, 0, 2, 1, 1], [0, 0, 0, 0, 1, 1],
      [65] + [0, 0, 0, 65] + [UInt8](repeating: 1, count: 65),
      [1] + [0, 0, 0, 65] + [UInt8](repeating: 1, count: 65), [1, 0xff, 0xff, 0xff, 0xff],
    ]
    for bytes in hostile {
      #expect(throws: DecodeError.self) {
        var decoder = WireDecoder(bytes.span)
        _ = try CoveragePicture(from: &decoder)
      }
    }
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
      FailureCode.allCases.allSatisfy {
        ([1, 2, 3, 4, 5, 64, 126, 127] as [Int32]).contains($0.exitCode)
      })
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

@Suite("What a passcode has to be")
struct PasscodeRulesTests {
  private func secret(_ bytes: [UInt8]) -> SecretBytes { SecretBytes(copying: bytes.span) }

  @Test(
    "characters are counted as a person does, without white space",
    arguments: [
      ("", 0), ("   \t\u{A0}\u{2003}\u{3000}", 0), ("1234", 4), ("1 2 3", 3), ("äöü", 3),
      ("a\u{308}o\u{308}u\u{308}", 3), ("q\u{307}\u{323}xyz", 4), ("日本語", 3), ("🔒🔒🔒🔒", 4),
      ("👍🏽👍🏿", 2), ("👩‍👩‍👧‍👦ab", 3), ("❤️❤️❤️", 3), ("한국어요", 4), ("a\u{0}b\u{0}", 4),
    ] as [(String, Int)])
  func characters(text: String, count: Int) {
    let bytes = Array(text.utf8)
    #expect(PasscodeRules.characters(in: bytes.span) == count)
  }

  @Test("a byte that is no UTF-8 is a character, and any bytes are counted")
  func invalid() {
    let cases: [([UInt8], Int)] = [
      ([0xFF, 0xFE, 0xFD, 0xFC], 4), ([0xC3], 1), ([0xC3, 0x28], 2), ([0xED, 0xA0, 0x80], 3),
      ([0xC0, 0x80], 2), ([0xF4, 0x90, 0x80, 0x80], 4), ([0xE2, 0x82], 2), ([0x80, 0x20, 0x80], 2),
    ]
    for (bytes, count) in cases {
      #expect(PasscodeRules.characters(in: bytes.span) == count, "\(bytes)")
    }
  }

  @Test("fewer than four are refused, with what it takes")
  func tooShort() throws {
    for text in ["", "abc", " a b c ", "äöü", "👍🏽👍🏿"] {
      let failure = #expect(throws: Failure.self) {
        try PasscodeRules.check(secret(Array(text.utf8)))
      }
      #expect(failure?.code == .passcodeTooShort && failure?.hint?.contains("4") == true)
    }
    for text in ["abcd", "1234", "äöüß", "🔒🔒🔒🔒"] {
      #expect(try PasscodeRules.check(secret(Array(text.utf8))) == 4)
    }
    #expect(FailureCode.passcodeTooShort.exitCode == 64)
  }
}
