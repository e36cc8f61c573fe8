import AuthcoreABI
import Cryptography
import Protocol
import TestSupport
import Testing

@testable import EnclaveEngine

/// A machine in memory: its clock stands still, its random bytes come from a seed, and its disk can
/// be full from any write on.
final class SimulatedPlatform: EnclavePlatform {
  /// The folder.
  var files: [String: [UInt8]]
  /// How many more writes succeed; nil: all. A crash between two writes looks the same from the
  /// files.
  var writesLeft: Int?
  /// Nil: there is no TPM.
  var tpm: SoftwareTPM?
  /// Whether ``writesLeft`` counts commands to the TPM too.
  var countsCommands = false
  /// Whether the command that is the first one not to succeed is carried out all the same, and only
  /// its answer does not come.
  var losesAnswer = false
  /// The names written or removed so far.
  private(set) var writes: [String] = []
  /// Called with each file that is written, before the write returns.
  var onWrite: ((String) -> Void)?
  /// Sees the random bytes that are about to be given, and gives others in place of them.
  var onRandom: (([UInt8]) -> [UInt8])?
  /// What has been emitted.
  var events: [TouchEvent] = []
  /// The last order for a chip.
  var order: (work: ChipOrder.Work, names: [[UInt8]])?
  private(set) var lockNotices: [LockNotice] = []
  private(set) var logged: [String] = []
  var bootTime: UInt64 = 1_000_000_000
  var bootIdentity = [UInt8](repeating: 7, count: 16)
  var wallClock: Int64 = 1_800_000_000
  private var drawn: UInt64 = 0

  init(files: [String: [UInt8]] = [:], seed: UInt64 = 0) {
    self.files = files
    drawn = seed << 32
  }

  func advance(seconds: UInt64) { bootTime += seconds * 1_000_000_000 }

  func random(count: Int) throws(Failure) -> SecretBytes {
    var bytes: [UInt8] = []
    while bytes.count < count {
      drawn += 1
      let number = (0..<8).map { UInt8(truncatingIfNeeded: drawn >> ($0 * 8)) }
      bytes += (try? SHA2.sha256(number.span)) ?? []
    }
    let own = Array(bytes[..<count])
    let result = onRandom?(own) ?? own
    return SecretBytes(copying: result.span)
  }

  func load(_ name: String, limit: Int) throws(Failure) -> SecretBytes? {
    guard let bytes = files[name] else { return nil }
    guard bytes.count <= limit else { throw Failure(.stateDamaged, "\(name) is too long") }
    return SecretBytes(copying: bytes.span)
  }

  func save(_ name: String, _ bytes: borrowing SecretBytes) throws(Failure) {
    try write(name)
    files[name] = bytes.bytes.indices.map { bytes.bytes[$0] }
    onWrite?(name)
  }

  func remove(_ name: String) throws(Failure) {
    guard files[name] != nil else { return }
    try write(name)
    files[name] = nil
    onWrite?(name)
  }

  private func write(_ name: String) throws(Failure) {
    if let left = writesLeft {
      guard left > 0 else { throw Failure(.storageFailed, "\(name) cannot be written") }
      writesLeft = left - 1
    }
    writes.append(name)
  }

  func transmitToTPM(
    _ command: Span<UInt8>, milliseconds: UInt32, response: inout [UInt8]
  ) -> ac_status_t {
    guard let tpm else { return ac_status_t(AC_ERR_NOT_FOUND) }
    if countsCommands, let left = writesLeft {
      if left == 0, losesAnswer {
        losesAnswer = false
        _ = tpm.transmit(command, milliseconds: milliseconds, response: &response)
      }
      guard left > 0 else { return ac_status_t(AC_ERR_TIMEOUT) }
      writesLeft = left - 1
    }
    return tpm.transmit(command, milliseconds: milliseconds, response: &response)
  }

  func emit(_ event: borrowing SecretBytes) {
    if let notice = try? LockNotice.decode(event.bytes) { lockNotices.append(notice) }
    if let event = try? TouchEvent.decode(event.bytes) { events.append(event) }
    if let order = try? ChipOrder.decode(event.bytes), let names = try? ChipNames(order.names) {
      var list: [[UInt8]] = []
      names.forEach { name in list.append(name.indices.map { name[$0] }) }
      self.order = (order.work, list)
    }
  }

  func log(_ level: ac_log_level_t, _ text: String) { logged.append(text) }
}

/// Stops a change to a device at its first, second, … step, until it is not stopped any more, and
/// expects after each restart what was before or what the whole change makes.
///
/// `device` makes a device as it is before the change; `stop` stops the change after so many steps;
/// `observe` looks at a device that has restarted. Neither state without a stop may satisfy `isBad`.
/// - Returns: how often the change was stopped.
func expectOldOrNew<Observation: Equatable>(
  _ device: () throws -> SimulatedDevice, stop: (SimulatedDevice, Int) -> Void,
  observe: (SimulatedDevice) throws -> Observation, isBad: (Observation) -> Bool,
  _ change: (SimulatedDevice) throws -> Void
) throws -> Int {
  let before = try observe(device())
  let whole = try device()
  try change(whole)
  whole.restart()
  let after = try observe(whole)
  #expect(!isBad(before) && !isBad(after))
  var stops = 0
  while true {
    let stopped = try device()
    stop(stopped, stops)
    var isStopped = false
    do { try change(stopped) } catch is Failure { isStopped = true }
    stopped.restart()
    let found = try observe(stopped)
    #expect(found == before || found == after, "stopped at step \(stops): \(found)")
    guard isStopped else {
      #expect(found == after)
      return stops
    }
    stops += 1
    try #require(stops < 500, "it never comes to its end")
  }
}

extension SimulatedDevice {
  /// Unlocks the device if it has a passcode.
  /// - Returns: which passcodes are right, of the first one and that which changes replace it by.
  func unlockWithRightPasscodes() throws -> [String] {
    guard try status.isPasscodeSet else { return [] }
    let right = try [Self.passcode, "rose 7"].filter { try refusal(of: $0) == nil }
    try givePasscode(#require(right.first), unlocking: true)
    return right
  }
}

extension RootKey {
  /// Reads a file on a machine without a TPM.
  static func decode(_ file: borrowing SecretBytes) throws(Failure) -> RootKey {
    let platform = SimulatedPlatform()
    return try load(file, PlatformTPM(platform), on: platform)
  }
}
