import Cryptography
import Protocol

/// Keys of the accessibility classes, in the clear, as far as the device's lock state lets the
/// enclave hold them.
struct ClassKeys: Sendable {
  /// One key for each class that is open.
  var classes: [Accessibility: HeldKey] = [:]
  /// What every item with access control needs besides its class; exists only while a passcode is
  /// set.
  var accessControl: HeldKey?
  /// What goes into the keys of the classes besides; without a class key they open nothing.
  var generations = Generations()
  /// Seals ``generations`` in the keybag, so that a new one can be stored while the passcode is not
  /// at hand; new with every passcode.
  var generationsKey: HeldKey?

  /// The classes that close when the device is locked.
  static let closedByLock: Set<Accessibility> = [
    .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly,
  ]

  /// What stays when the device is locked: after-first-unlock classes, and what without a class key
  /// opens nothing of the others.
  var keptWhileLocked: ClassKeys {
    var kept = self
    kept.classes = classes.filter { !Self.closedByLock.contains($0.key) }
    return kept
  }

  /// The key of a class in a generation; with none, of what was sealed before there were
  /// generations. Nil where either is not held.
  func key(
    _ accessibility: Accessibility, in number: UInt32?
  ) throws(CryptographyError) -> HeldKey? {
    guard let own = classes[accessibility], let number else { return classes[accessibility] }
    guard let generation = generations.generation(number) else { return nil }
    return HeldKey(
      try SymmetricKey.combining(
        own.key.bytes, generation.secret.key.bytes, for: .generation))
  }

  /// Begins another generation, under another key of the list: whoever knows an earlier passcode
  /// finds neither.
  /// - Returns: false where there are too many generations for another one.
  mutating func renew(
    _ number: UInt32, _ random: () throws(Failure) -> SymmetricKey
  ) throws(Failure) -> Bool {
    generationsKey = HeldKey(try random())
    return generations.begin(number, try random())
  }

  /// New random keys for every class that exists without a passcode.
  static func make(
    _ random: () throws(Failure) -> SymmetricKey
  ) throws(Failure) -> ClassKeys {
    var keys = ClassKeys()
    for accessibility in Accessibility.allCases
    where accessibility != .whenPasscodeSetThisDeviceOnly {
      keys.classes[accessibility] = HeldKey(try random())
    }
    return keys
  }
}
