import Cryptography
import Wire

/// Keys of the accessibility classes, in the clear, as far as the device's lock state lets the enclave hold them.
struct ClassKeys: Sendable {
  /// One key for each class that is open.
  var classes: [Accessibility: HeldKey] = [:]
  /// What every item with access control needs besides its class; exists only while a passcode is set.
  var accessControl: HeldKey?

  /// The classes that close when the device is locked.
  static let closedByLock: Set<Accessibility> = [
    .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly,
  ]

  /// What stays when the device is locked: after-first-unlock classes, and the key of access control, which without a class key
  /// opens nothing of the others.
  var keptWhileLocked: ClassKeys {
    ClassKeys(
      classes: classes.filter { !Self.closedByLock.contains($0.key) },
      accessControl: accessControl)
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
