/// Which class keys are in the enclave's memory: a value that knows no time and no file
/// (ARCHITECTURE.md, "Locking").
struct DeviceLock: Sendable {
  private enum State {
    case beforeFirstUnlock
    case unlocked(ClassKeys)
    /// `parked` are all keys, held back until a match; nil where only the passcode unlocks.
    case locked(kept: ClassKeys, parked: ClassKeys?)
  }

  private var state: State

  /// A device that waits for its passcode after the enclave's start.
  static var beforeFirstUnlock: DeviceLock { DeviceLock(state: .beforeFirstUnlock) }

  /// A device whose keys are open: no passcode is set, or it has just been given.
  static func unlocked(_ keys: ClassKeys) -> DeviceLock { DeviceLock(state: .unlocked(keys)) }

  /// The keys that may be used.
  var keys: ClassKeys {
    switch state {
    case .beforeFirstUnlock: ClassKeys()
    case .unlocked(let keys): keys
    case .locked(let kept, _): kept
    }
  }

  /// Whether everything is open.
  var isUnlocked: Bool {
    if case .unlocked = state { true } else { false }
  }

  /// Whether the passcode has been given since the start.
  var isFirstUnlocked: Bool {
    if case .beforeFirstUnlock = state { false } else { true }
  }

  /// Whether keys wait for a match.
  var isParked: Bool {
    if case .locked(_, .some) = state { true } else { false }
  }

  /// The passcode was given for it.
  mutating func unlock(_ keys: ClassKeys) { state = .unlocked(keys) }

  /// Drops what a locked device must not hold; parks it where `isArmed` says that a match may bring
  /// it back.
  mutating func lock(isArmed: Bool) {
    guard case .unlocked(let keys) = state else { return }
    state = .locked(kept: keys.keptWhileLocked, parked: isArmed ? keys : nil)
  }

  /// From here only the passcode unlocks.
  mutating func disarm() {
    guard case .locked(let kept, _) = state else { return }
    state = .locked(kept: kept, parked: nil)
  }

  /// Uses other generations in whatever keys are held.
  mutating func renew(_ generations: Generations, under key: HeldKey?) {
    func renewed(_ keys: ClassKeys) -> ClassKeys {
      var keys = keys
      (keys.generations, keys.generationsKey) = (generations, key)
      return keys
    }
    switch state {
    case .beforeFirstUnlock: break
    case .unlocked(let keys): state = .unlocked(renewed(keys))
    case .locked(let kept, let parked):
      state = .locked(kept: renewed(kept), parked: parked.map(renewed))
    }
  }

  /// Brings parked keys back. Whether a match permits it is the caller's to know.
  /// - Returns: whether there were any.
  mutating func unlockWithParkedKeys() -> Bool {
    guard case .locked(_, .some(let parked)) = state else { return false }
    state = .unlocked(parked)
    return true
  }
}
