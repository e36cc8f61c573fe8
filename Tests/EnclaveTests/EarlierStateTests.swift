import Foundation
import Protocol
import Testing

@testable import EnclaveEngine

@Suite("The state of an earlier version")
struct EarlierStateTests {
  private func device() throws -> SimulatedDevice {
    SimulatedDevice(SimulatedPlatform(files: try EarlierState.files(), seed: 6))
  }

  /// Expects that every item opens as far as the passcode can.
  private func expectItems(_ device: SimulatedDevice, _ passcode: String) throws {
    try device.givePasscode(passcode, unlocking: true)
    for item in try EarlierState.items() {
      let outcome = try device.open(item.item, context: 7000)
      switch item.item.protection.accessControl?.text {
      case "biometry-current":
        let isSetChanged = try fingers(device).count < 2
        #expect(
          outcome
            == (isSetChanged
              ? .failed(.errSecAuthFailed) : .needed("biometry-current", held: .passcode)))
      default: #expect(outcome == .secret(item.secret))
      }
      let entry = AttributesEntry(
        accessibility: item.item.protection.accessibility,
        identity: item.item.protection.identity, bytes: item.attributes)
      let batch = try device.ask(OpenAttributes(entries: [entry]), for: AttributeBatch.self)
      guard case .value = batch.results[0] else {
        Issue.record("the attributes of \(item.secret) do not open")
        continue
      }
    }
  }

  private func fingers(_ device: SimulatedDevice) throws -> [String] {
    try device.ask(ListFingers(), for: FingerList.self).fingers.map(\.name)
  }

  @Test("K1: all of it opens, and the first passcode brings the keybag into the present form")
  func opens() throws {
    let device = try device()
    let status = try device.status
    #expect(status.isPasscodeSet && !status.isRollbackDetected)
    #expect(device.platform.writes.isEmpty)
    try expectItems(device, EarlierState.passcode)
    let item = try device.sealed("new")
    device.restart()
    try expectItems(device, EarlierState.passcode)
    #expect(try device.open(item) == .secret("new"))
    #expect(try device.status.isRollbackDetected == false)
    #expect(try fingers(device).count == 2)
  }

  @Test("an earlier version's keybag put back is noticed, also once its passcode was given")
  func putBack() throws {
    let device = try device()
    try device.givePasscode(EarlierState.passcode, unlocking: true)
    let item = try device.sealed("new")
    for names in [["keybag"], ["attempts"]] {
      let files = device.platform.files
      for name in names { device.platform.files[name] = try EarlierState.files()[name] }
      device.restart()
      #expect(try device.status.isRollbackDetected, "\(names)")
      device.platform.advance(seconds: 3600)
      try expectItems(device, EarlierState.passcode)
      if names == ["keybag"] { #expect(try device.open(item) == .failed(.stateDamaged)) }
      #expect(try device.status.isRollbackDetected, "\(names)")
      device.platform.files = files
      device.restart()
    }
  }

  /// What is done first to the earlier state.
  enum Change: CaseIterable, Sendable {
    case unlock
    case changePasscode
    case removeFinger
    case renameFinger
    case removePasscode

    func make(on device: SimulatedDevice) throws {
      switch self {
      case .unlock: try device.givePasscode(EarlierState.passcode, unlocking: true)
      case .changePasscode:
        try device.send(
          ReplacePasscode(current: secret(EarlierState.passcode), replacement: secret("rose 7")))
      case .removeFinger:
        try device.givePasscode(EarlierState.passcode)
        try device.send(RemoveFinger(finger: "built-in"), in: 7000)
      case .renameFinger:
        try device.givePasscode(EarlierState.passcode, unlocking: true)
        try device.send(RenameFinger(finger: "built-in", name: "thumb"), in: 7000)
      case .removePasscode:
        try device.send(ErasePasscode(current: secret(EarlierState.passcode)))
      }
    }
  }

  @Test(
    "a crash at any write on the way to the present form loses nothing",
    arguments: Change.allCases)
  func crashes(change: Change) throws {
    var stops = 0
    while true {
      let device = try device()
      device.platform.writesLeft = stops
      var isStopped = false
      do { try change.make(on: device) } catch is Failure { isStopped = true }
      device.restart()
      let status = try device.status
      #expect(!status.isRollbackDetected, "stopped before write \(stops)")
      if status.isPasscodeSet {
        let isNew = change == .changePasscode && !isStopped
        if change == .changePasscode, isStopped,
          try device.refusal(of: EarlierState.passcode) != nil
        {
          try expectItems(device, "rose 7")
        } else {
          try expectItems(device, isNew ? "rose 7" : EarlierState.passcode)
        }
        let names = Set(try fingers(device))
        #expect(names.contains("pictures"))
        #expect(names.count == 2 || change == .removeFinger)
      } else {
        #expect(change == .removePasscode)
        let plain = try #require(try EarlierState.items().first)
        #expect(try device.open(plain.item) == .secret(plain.secret))
      }
      guard isStopped else { break }
      stops += 1
    }
    #expect(stops > 0)
  }
}

/// The enclave's files that commit 5a3dfaf wrote, and some of the items it sealed:
/// Tests/EndToEndTests/Fixtures/README.md.
enum EarlierState {
  static let passcode = "fixture passcode"

  private static let tests = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The files of the enclave's folder.
  static func files() throws -> [String: [UInt8]] {
    let folder = tests.appending(path: "EndToEndTests/Fixtures/state-5a3dfaf/state/enclave")
    var files: [String: [UInt8]] = [:]
    for name in ["root.key", "keybag", "attempts", "finger-1", "finger-2"] {
      files[name] = Array(try Data(contentsOf: folder.appending(path: name)))
    }
    return files
  }

  /// An item with its sealed attributes.
  struct Item {
    let item: StoredItem
    let attributes: [UInt8]
    let secret: String
  }

  /// Rows of the fixture's keychain: accessibility, access control, identity, sealed attributes,
  /// sealed secret, secret.
  static func items() throws -> [Item] {
    let file = tests.appending(path: "EnclaveTests/Fixtures/items-5a3dfaf.tsv")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      let fields = line.components(separatedBy: "\t")
      var protection = WireEncoder()
      protection.writeByte(try #require(UInt8(fields[0])))
      protection.writeBoolean(fields[1] != "-")
      if fields[1] != "-" { for byte in bytes(fields[1]) { protection.writeByte(byte) } }
      protection.writeBytes(bytes(fields[2]))
      let encoded = protection.finish()
      var decoder = WireDecoder(encoded.bytes)
      return Item(
        item: StoredItem(
          protection: try ItemProtection(from: &decoder), sealed: bytes(fields[4])),
        attributes: bytes(fields[3]), secret: fields[5])
    }
  }

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.utf8.map { $0 > 64 ? ($0 | 32) - 87 : $0 - 48 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
