extension Accessibility {
  /// As `--accessible` takes it and JSON shows it.
  package var name: String {
    switch self {
    case .whenUnlocked: "when-unlocked"
    case .afterFirstUnlock: "after-first-unlock"
    case .whenPasscodeSetThisDeviceOnly: "when-passcode-set-this-device-only"
    case .whenUnlockedThisDeviceOnly: "when-unlocked-this-device-only"
    case .afterFirstUnlockThisDeviceOnly: "after-first-unlock-this-device-only"
    }
  }

  /// The class with this name.
  package init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }

  /// Whether items of this class never leave the device.
  public var isThisDeviceOnly: Bool {
    switch self {
    case .whenUnlocked, .afterFirstUnlock: false
    case .whenPasscodeSetThisDeviceOnly, .whenUnlockedThisDeviceOnly,
      .afterFirstUnlockThisDeviceOnly:
      true
    }
  }

  /// The class that protects as this one does and stays on the device: what an item with access
  /// control gets (A9).
  package var onThisDeviceOnly: Accessibility {
    switch self {
    case .whenUnlocked: .whenUnlockedThisDeviceOnly
    case .afterFirstUnlock: .afterFirstUnlockThisDeviceOnly
    default: self
    }
  }
}
