import Protocol
import Testing

@testable import EnclaveEngine

@Suite("Access control")
struct AccessControlTests {
  /// What is proved in a context before an item is opened.
  enum Proof: CaseIterable, Sendable {
    case nothing
    case finger
    case passcode
    case both

    var set: EvidenceSet {
      switch self {
      case .nothing: []
      case .finger: .biometry
      case .passcode: .passcode
      case .both: [.biometry, .passcode]
      }
    }
  }

  /// Constraints, and which proofs open an item under them (A2, A3, A4).
  static let table: [(access: String, opening: [Proof])] = [
    ("presence", [.finger, .passcode, .both]),
    ("biometry-any", [.finger, .both]),
    ("biometry-current", [.finger, .both]),
    ("passcode", [.passcode, .both]),
    ("biometry-any and passcode", [.both]),
    ("biometry-current and passcode", [.both]),
    ("biometry-any or passcode", [.finger, .passcode, .both]),
    ("biometry-current or passcode", [.finger, .passcode, .both]),
  ]

  private func prove(_ proof: Proof, _ device: SimulatedDevice) throws {
    try device.openContext(7000)
    if proof.set.contains(.passcode) { try device.givePasscode() }
    if proof.set.contains(.biometry) { try device.match(7000, SimulatedFinger.owner.later) }
  }

  @Test("A3, E4: an item opens with the evidence it asks for and with no less", arguments: table)
  func evidence(access: String, opening: [Proof]) throws {
    let device = try EnrolledDevice.unlocked()
    let item = try device.sealed("guarded", .whenUnlockedThisDeviceOnly, access: access)
    for proof in Proof.allCases {
      try prove(proof, device)
      let outcome = try device.open(item, context: 7000)
      let authorized = try device.open(item, context: 7000, onlyAuthorize: true)
      if opening.contains(proof) {
        #expect(outcome == .secret("guarded"), "\(proof)")
        #expect(authorized == .authorized, "\(proof)")
      } else {
        #expect(outcome == .needed(access, held: proof.set), "\(proof)")
        #expect(authorized == outcome)
      }
    }
  }

  @Test("evidence of one context opens nothing in another")
  func otherContext() throws {
    let device = try EnrolledDevice.unlocked()
    let item = try device.sealed("guarded", .whenUnlockedThisDeviceOnly, access: "presence")
    try prove(.both, device)
    try device.openContext(8)
    #expect(try device.open(item, context: 8) == .needed("presence", held: []))
    #expect(try device.open(item, context: 9) == .failed(.invalidContext))
  }

  @Test("a set of fingers that changed closes biometry-current for ever, and nothing else")
  func addedFinger() throws {
    let device = try EnrolledDevice.unlocked()
    var items: [String: StoredItem] = [:]
    for (access, _) in Self.table {
      items[access] = try device.sealed("guarded", .whenUnlockedThisDeviceOnly, access: access)
    }
    try device.enroll(.ownersOther)
    for attempt in 0..<2 {
      try prove(.both, device)
      for (access, item) in items {
        let outcome = try device.open(item, context: 7000)
        let isGone = access == "biometry-current" || access == "biometry-current and passcode"
        #expect(
          outcome == (isGone ? .failed(.errSecAuthFailed) : .secret("guarded")),
          "\(access), attempt \(attempt)")
      }
      // The set that was is not the one that is again.
      if attempt == 0 {
        try device.send(RemoveFinger(finger: "finger-1"), in: 7000)
        device.restart()
        try device.unlock()
      }
    }
  }

  @Test("of `biometry-current or passcode` only the passcode is left when the fingers changed")
  func orPasscode() throws {
    let device = try EnrolledDevice.unlocked()
    let item = try device.sealed(
      "guarded", .whenUnlockedThisDeviceOnly, access: "biometry-current or passcode")
    try device.enroll(.ownersOther)
    try prove(.finger, device)
    #expect(try device.open(item, context: 7000) == .needed("passcode", held: .biometry))
    try prove(.passcode, device)
    #expect(try device.open(item, context: 7000) == .secret("guarded"))
  }

  @Test("a match with fingers that are no longer the set is no evidence")
  func staleMatch() throws {
    let device = try EnrolledDevice.unlocked()
    try device.enroll(.ownersOther, name: "left")
    try device.openContext(1)
    try device.match(1, SimulatedFinger.owner.later)
    try device.givePasscode()
    try device.send(RemoveFinger(finger: "left"), in: 7000)
    #expect(try device.evidence(of: 1).isEmpty)
  }

  @Test("FINDINGS A13: a finger is renamed on an unlocked device, with the owner's proof")
  func renamingIsGuarded() throws {
    let device = try EnrolledDevice.unlocked()
    func names() throws -> [String] {
      try device.ask(ListFingers(), for: FingerList.self).fingers.map(\.name)
    }
    let rename = RenameFinger(finger: "right-index", name: "thumb")
    try device.openContext(1)
    #expect(try device.failure(rename, in: 1) == .authenticationFailed)
    #expect(try names() == ["right-index"])
    try device.match(1, SimulatedFinger.owner.later)
    try device.send(rename, in: 1)
    #expect(try names() == ["thumb"])
    try device.send(LockDevice())
    // A passcode that proves, and does not unlock.
    try device.givePasscode(context: 2)
    let locked = try device.failure(RenameFinger(finger: "thumb", name: "x"), in: 2)
    #expect(locked == .errSecInteractionNotAllowed)
    #expect(try names() == ["thumb"])
  }

  @Test("renaming a finger changes neither the domain state nor what opens")
  func renamed() throws {
    let device = try EnrolledDevice.unlocked()
    let item = try device.sealed("guarded", .whenUnlockedThisDeviceOnly, access: "biometry-current")
    let before = try device.status.domainState
    try prove(.finger, device)
    try device.send(RenameFinger(finger: "right-index", name: "thumb"), in: 7000)
    #expect(try device.status.domainState == before)
    #expect(try device.open(item, context: 7000) == .secret("guarded"))
  }

  @Test("K6: a closed class comes before all evidence")
  func closedFirst() throws {
    let device = try EnrolledDevice.unlocked()
    let item = try device.sealed("guarded", .whenUnlockedThisDeviceOnly, access: "presence")
    let open = try device.sealed("open", .afterFirstUnlockThisDeviceOnly, access: "presence")
    try device.send(LockDevice())
    try prove(.both, device)
    #expect(try device.open(item, context: 7000) == .failed(.errSecInteractionNotAllowed))
    #expect(try device.open(open, context: 7000) == .secret("open"))
  }
}
