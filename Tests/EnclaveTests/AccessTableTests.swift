import Protocol
import Testing

@testable import EnclaveEngine

/// Every guard, class, proof, lock state and set of fingers, against ``AccessSpecification``.
@Suite("Access control, every case", .timeLimit(.minutes(60)))
struct AccessTableTests {
  private static let right = "apple"
  private static let wrong = "pear"

  /// A sealed secret and what was said of it.
  private struct Case {
    let guarding: Guard?
    let accessibility: Accessibility
    let item: StoredItem
  }

  /// Everything that can be sealed on a device with a passcode and a finger, and the files of that
  /// device with the same fingers, with one more and with none.
  private struct Stock {
    var cases: [Case] = []
    var files: [Situation.Fingers: [String: [UInt8]]] = [:]
    let withoutPasscode: [String: [UInt8]]
  }

  private static let stock: Result<Stock, any Error> = Result {
    let device = try EnrolledDevice.unlocked()
    try device.openContext(1)
    try give(right, device)
    func seal(_ guarding: Guard?, _ accessibility: Accessibility) throws -> StoredItem {
      try device.sealed("gold", accessibility, access: guarding?.description, context: 1)
    }
    var cases: [Case] = []
    for guarding in Guard.every {
      for accessibility in Accessibility.allCases
      where guarding == nil || accessibility.isThisDeviceOnly {
        cases.append(
          Case(
            guarding: guarding, accessibility: accessibility,
            item: try seal(guarding, accessibility)))
      }
    }
    var files = [Situation.Fingers.same: device.platform.files]
    try device.enroll(.ownersOther)
    files[.changed] = device.platform.files
    let bare = try other(files[.same])
    try bare.unlock()
    try bare.send(RemoveFinger(finger: "right-index"), in: 7000)
    files[.none] = bare.platform.files
    let open = try other(files[.same])
    try open.unlock()
    try open.send(ErasePasscode(current: secret(SimulatedDevice.passcode)))
    return Stock(cases: cases, files: files, withoutPasscode: open.platform.files)
  }

  private static func other(_ files: [String: [UInt8]]?) throws -> SimulatedDevice {
    SimulatedDevice(SimulatedPlatform(files: try #require(files), seed: 2))
  }

  private static func give(_ password: String, _ device: SimulatedDevice) throws {
    try device.send(GiveAppPassword(use: .opening, password: secret(password)), in: 1)
  }

  /// A device of the stock in a situation.
  private func device(_ stock: Stock, in situation: Situation) throws -> SimulatedDevice {
    guard situation.hasPasscode else { return try Self.other(stock.withoutPasscode) }
    let device = try Self.other(stock.files[situation.fingers])
    if situation.lock != .beforeFirstUnlock { try device.unlock() }
    if situation.lock == .locked { try device.send(LockDevice()) }
    return device
  }

  /// Puts what can be proved in this situation into the context 1.
  private func prove(
    _ proved: Proved, on device: SimulatedDevice, in situation: Situation
  ) throws -> Proved {
    var proved = proved
    proved.passcode = proved.passcode && situation.hasPasscode
    proved.finger =
      proved.finger && situation.hasPasscode && situation.fingers != .none
      && situation.lock != .beforeFirstUnlock
    try device.openContext(1)
    if proved.passcode {
      try device.send(
        VerifyPasscode(
          context: 1, unlocksDevice: false, passcode: secret(SimulatedDevice.passcode)))
    }
    if proved.finger {
      #expect(try device.match(1, SimulatedFinger.owner.later)?.isMatch == true)
    }
    return proved
  }

  /// Gives the password that a request has used up.
  private func refresh(_ proved: Proved, on device: SimulatedDevice) throws {
    switch proved.appPassword {
    case .missing: break
    case .wrong: try Self.give(Self.wrong, device)
    case .right: try Self.give(Self.right, device)
    }
  }

  private func outcome(_ reply: borrowing SecretBytes) throws -> Expected {
    switch reply.bytes[0] {
    case EvidenceNeeded.number: .asked
    case Failure.number: .refused([try Failure.decode(reply.bytes).code])
    default: .done
    }
  }

  private func agrees(_ outcome: Expected, with expected: Expected) -> Bool {
    guard case .refused(let found) = outcome, case .refused(let allowed) = expected else {
      return outcome == expected
    }
    return found.isSubset(of: allowed)
  }

  static let situations: [Situation] =
    [Situation(hasPasscode: false, fingers: .none)]
    + [Situation.Lock.unlocked, .locked, .beforeFirstUnlock].flatMap { lock in
      [Situation.Fingers.same, .changed, .none].map { Situation(lock: lock, fingers: $0) }
    }

  @Test(
    "A1 A2 A3 A4 A5 A7: what is proved opens and changes what it should, and nothing else",
    arguments: situations)
  func openingAndChanging(situation: Situation) throws {
    let stock = try Self.stock.get()
    var device = try device(stock, in: situation)
    var (cells, wrong) = (0, 0)
    for wanted in Proved.every {
      let proved = try prove(wanted, on: device, in: situation)
      for entry in stock.cases {
        let protection = entry.item.protection
        func check(
          _ what: String, _ expected: Expected, _ request: some SealingMessage
        ) throws {
          if proved.appPassword == .wrong {
            wrong += 1
            // Before wrong ones delay the next, another device that knows of none.
            if wrong % (AppPasswordTries.free - 1) == 0 {
              device = try self.device(stock, in: situation)
              _ = try prove(wanted, on: device, in: situation)
            }
          }
          try refresh(proved, on: device)
          let reply = device.engine.handle(SimulatedDevice.envelope(request, 1).bytes)
          let found = try outcome(reply)
          cells += 1
          #expect(
            agrees(found, with: expected),
            """
            \(what) \(entry.guarding?.description ?? "none"), \(entry.accessibility.name), \
            \(situation), \(proved): \(found), not \(expected)
            """)
        }
        let opening = AccessSpecification.opening(
          entry.guarding, entry.accessibility, in: situation, proved: proved)
        try check("open", opening, OpenItem(protection: protection, sealed: entry.item.sealed))
        try check(
          "authorize", opening,
          OpenItem(protection: protection, sealed: entry.item.sealed, onlyAuthorize: true))
        for other in Self.replacements {
          try check(
            "change to \(other?.description ?? "none")",
            AccessSpecification.changing(
              entry.guarding, entry.accessibility, to: other, in: situation, proved: proved),
            ResealItem(
              entry.item.sealed, as: protection,
              under: SimulatedDevice.protection(entry.accessibility, access: other?.description),
              names: [], attributes: []))
        }
      }
    }
    #expect(cells == 12 * 56 * 5)
  }

  /// What items are changed to be guarded by: nothing, and what asks for all there is.
  private static let replacements: [Guard?] = [
    nil, Guard(words: [.presence], oneWillDo: false, appPassword: false),
    Guard(words: [.current, .passcode], oneWillDo: true, appPassword: true),
  ]

  @Test("A1 A2 A4 A5 A9: what can be sealed, in every state of the device")
  func sealing() throws {
    let stock = try Self.stock.get()
    var cells = 0
    for situation in Self.situations {
      let device = try device(stock, in: situation)
      for hasPassword in [false, true] {
        try device.openContext(1)
        if hasPassword { try Self.give(Self.right, device) }
        for guarding in Guard.every {
          for accessibility in Accessibility.allCases {
            let expected = AccessSpecification.sealing(
              guarding, accessibility, in: situation, hasAppPassword: hasPassword)
            let reply = device.engine.handle(
              SimulatedDevice.envelope(
                OwnedSealItem(
                  protection: try SimulatedDevice.protection(
                    accessibility, access: guarding?.description),
                  names: [], attributes: [], secret: secret("gold")), 1
              ).bytes)
            let found = try outcome(reply)
            cells += 1
            #expect(
              agrees(found, with: expected),
              """
              \(guarding?.description ?? "none"), \(accessibility.name), \(situation), \
              \(hasPassword): \(found), not \(expected)
              """)
          }
        }
      }
    }
    #expect(cells == 10 * 2 * 18 * 5)
  }

  @Test("A1: every guard of the table is one of the vocabulary, and the vocabulary has no other")
  func complete() throws {
    let parsed = try Set(
      Guard.every.compactMap { $0 }.map { try AccessControl(parsing: $0.description) })
    var possible: Set<AccessControl> = []
    for bits in UInt8(0)...15 {
      for junction in [AccessControl.Junction.and, .or] {
        for additions in [[], AccessControl.Additions.appPassword] {
          let control = try? AccessControl(
            AccessControl.Constraints(rawValue: bits), joinedBy: junction, with: additions)
          if let control { possible.insert(control) }
        }
      }
    }
    #expect(parsed == possible && possible.count == 17)
  }
}
