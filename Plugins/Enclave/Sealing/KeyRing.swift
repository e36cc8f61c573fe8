import Cryptography
import Protocol

/// The keys in the enclave's memory, and everything sealed and opened with them.
///
/// Extensions seal items, attributes and templates; they reach the keys only through this type's
/// methods.
final class KeyRing {
  let state: StoredState
  /// Hashes the names that rows are found by; open in every lock state.
  let indexKey: HeldKey
  /// The cost of new application passwords.
  let appPasswordCost: Scrypt
  private var lock: DeviceLock { didSet { newestKeys = [:] } }
  /// Class keys in the newest generation, kept until the lock state or the generations change:
  /// deriving one takes as long as opening an item.
  private var newestKeys: [Accessibility: HeldKey] = [:]
  private var marks: GenerationMarks

  /// The keys of a device that has just started: all without a passcode, else none.
  /// - Throws: `stateDamaged`.
  init(_ state: StoredState, appPasswordCost: Scrypt) throws(Failure) {
    self.state = state
    self.appPasswordCost = appPasswordCost
    marks = GenerationMarks(try state.derivedKey(for: .generationMarks))
    indexKey = HeldKey(try state.derivedKey(for: .index))
    guard !state.isPasscodeSet else {
      lock = .beforeFirstUnlock
      return
    }
    let key = try state.derivedKey(for: .deviceClasses)
    do throws(CryptographyError) {
      lock = .unlocked(try state.keybag.wrapped.keys(under: key))
    } catch {
      throw StateDamage.changed.failure(file: Keybag.fileName)
    }
  }

  // MARK: Locking

  var held: ClassKeys { lock.keys }
  var isUnlocked: Bool { lock.isUnlocked }
  /// Whether the passcode was given since the start. True without one.
  var isFirstUnlocked: Bool { lock.isFirstUnlocked }
  var isParked: Bool { lock.isParked }

  func unlock(_ keys: ClassKeys) { lock.unlock(keys) }

  func lockDevice(isArmed: Bool) { lock.lock(isArmed: isArmed) }

  /// Leaves only the passcode to unlock.
  func disarm() { lock.disarm() }

  func unlockWithParkedKeys() -> Bool { lock.unlockWithParkedKeys() }

  /// Uses other generations in the keys that are held.
  func use(_ generations: Generations, under key: HeldKey?) { lock.renew(generations, under: key) }

  // MARK: Class keys

  /// A class key to seal with, and the mark of its generation, which precedes what it seals.
  struct SealingKey {
    let mark: [UInt8]
    let held: HeldKey
  }

  func sealingKey(_ accessibility: Accessibility) throws(Failure) -> SealingKey {
    _ = try openClass(accessibility)
    guard let newest = held.generations.newest else { throw .closedClass }
    let key = try classKey(accessibility, of: .generation(newest.number))
    let mark = try cryptographic(try marks.mark(of: newest.number))
    return SealingKey(mark: mark, held: key)
  }

  /// The class key that something was sealed with.
  /// - Throws: `errSecInteractionNotAllowed` while the class is closed; `errSecDecode` if it went
  ///   with the passcode; `stateDamaged` for a generation that this keybag does not hold.
  func classKey(
    _ accessibility: Accessibility, of origin: GenerationMarks.Origin
  ) throws(Failure) -> HeldKey {
    let own = try openClass(accessibility)
    guard case .generation(let number) = origin else { return own }
    let isNewest = number == held.generations.newest?.number
    if isNewest, let key = newestKeys[accessibility] { return key }
    let key = try cryptographic(try held.key(accessibility, in: number))
    if isNewest { newestKeys[accessibility] = key }
    guard let key else {
      state.noteLostGeneration(number)
      throw .lostGeneration
    }
    return key
  }

  private func openClass(_ accessibility: Accessibility) throws(Failure) -> HeldKey {
    if let key = held.classes[accessibility] { return key }
    throw state.isPasscodeSet ? .closedClass : .damagedItem
  }

  func origin(of bytes: some Collection<UInt8>) throws(Failure) -> GenerationMarks.Origin {
    try cryptographic(try marks.origin(of: bytes))
  }
}

/// Which class keys are in the enclave's memory. A value that knows no time and no file.
private struct DeviceLock: Sendable {
  private enum State {
    case beforeFirstUnlock
    case unlocked(ClassKeys)
    /// `parked` are all keys, held until a match; nil if only the passcode unlocks.
    case locked(kept: ClassKeys, parked: ClassKeys?)
  }

  private var state: State

  static var beforeFirstUnlock: DeviceLock { DeviceLock(state: .beforeFirstUnlock) }

  /// No passcode is set, or it has just been given.
  static func unlocked(_ keys: ClassKeys) -> DeviceLock { DeviceLock(state: .unlocked(keys)) }

  var keys: ClassKeys {
    switch state {
    case .beforeFirstUnlock: ClassKeys()
    case .unlocked(let keys): keys
    case .locked(let kept, _): kept
    }
  }

  var isUnlocked: Bool {
    if case .unlocked = state { true } else { false }
  }

  /// Whether the passcode was given since the start. True without one.
  var isFirstUnlocked: Bool {
    if case .beforeFirstUnlock = state { false } else { true }
  }

  var isParked: Bool {
    if case .locked(_, .some) = state { true } else { false }
  }

  mutating func unlock(_ keys: ClassKeys) { state = .unlocked(keys) }

  /// Drops the keys that a locked device must not hold, or parks them if `isArmed` lets a match
  /// bring them back.
  mutating func lock(isArmed: Bool) {
    guard case .unlocked(let keys) = state else { return }
    state = .locked(kept: keys.keptWhileLocked, parked: isArmed ? keys : nil)
  }

  /// Leaves only the passcode to unlock.
  mutating func disarm() {
    guard case .locked(let kept, _) = state else { return }
    state = .locked(kept: kept, parked: nil)
  }

  /// Uses other generations in the keys that are held.
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

  /// Brings parked keys back, if there are any; the caller knows that a match permits it.
  mutating func unlockWithParkedKeys() -> Bool {
    guard case .locked(_, .some(let parked)) = state else { return false }
    state = .unlocked(parked)
    return true
  }
}
