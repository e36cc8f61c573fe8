import Foundation
import GRDB
import SyntheticPrints

/// Cuts the power at every moment of what a disk was asked for, and has a keychain opened on what is
/// left.
struct DiskCut {
  var events: [DiskEvent]
  /// The first event that the power can go after.
  let beginning: Int
  /// What the keychain held before the first request was answered, and after each that was.
  let states: [KeychainContents]
  /// Of how many moments one is tried; each with all kinds of luck.
  var stride = 1
  var seed: UInt64 = 1
  /// How often the enclave has made new keys.
  var erasures = 0
  /// How many events there were when the enclave learnt of the keychain; nil: it never does.
  var marked: Int?
  /// What is asked of a keychain first.
  var beforehand: (TestKeychain) throws -> Void = { _ in }
  /// What else is wrong with a folder in which a keychain was opened; nil: nothing.
  var alsoWrong: (TestFolder, TestKeychain) throws -> String? = { _, keychain in
    keychain.host.logged.isEmpty ? nil : "\(keychain.host.logged)"
  }

  init(of disk: SimulatedDisk, states: [KeychainContents]) {
    events = disk.events
    beginning = disk.beginning
    self.states = states
  }

  /// What came of it.
  struct Result {
    var tried = 0
    var wrong: [String] = []
  }

  /// Tries every moment; nothing is wrong where the keychain holds what it held after the last
  /// request that was answered, or after the one that was under way.
  func run() throws -> Result {
    var generator = RandomNumbers(seed: seed | 1)
    var image = DiskImage()
    var answered = 0
    var result = Result()
    for (moment, event) in events.enumerated() {
      image.take(event)
      if case .answered = event { answered += 1 }
      guard moment >= beginning, moment % stride == Int(seed) % stride else { continue }
      for luck in DiskImage.Luck.allCases {
        result.tried += 1
        let left = image.afterLoss(luck, using: &generator)
        let isMarked = marked.map { moment + 1 >= $0 } ?? false
        if let wrong = try lookAt(left, isMarked, allowed: states[answered...].prefix(2)) {
          result.wrong.append("moment \(moment) (\(luck), \(answered) answered): \(wrong)")
        }
      }
    }
    return result
  }

  private func lookAt(
    _ image: DiskImage, _ isMarked: Bool, allowed: ArraySlice<KeychainContents>
  ) throws -> String? {
    let folder = try TestFolder()
    try image.write(to: folder)
    do {
      let keychain = try TestKeychain(folder)
      for _ in 0..<erasures { keychain.enclave.erase() }
      keychain.enclave.hasKeychain = isMarked
      try beforehand(keychain)
      let contents = try keychain.contents()
      guard allowed.contains(contents) else {
        return "\(contents.items.count) items, \(contents.keys.count) keys, not what was there"
      }
      if let wrong = try alsoWrong(folder, keychain) { return wrong }
      try keychain.add("after", "the loss", secret: "works")
      guard try keychain.get(query("after", "the loss")) == "works" else { return "not writable" }
    } catch {
      return "\(error)"
    }
    var verdict: [String] = []
    do {
      try tamper(folder) { verdict = try String.fetchAll($0, sql: "PRAGMA integrity_check") }
    } catch {
      // A database that is damaged enough fails instead of saying how.
      return "\(error)"
    }
    return verdict == ["ok"] ? nil : "\(verdict)"
  }
}
