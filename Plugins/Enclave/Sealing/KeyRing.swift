import Cryptography
import Protocol

/// The keys in the enclave's memory, and what is sealed and opened with them.
///
/// Items, attributes and templates are sealed by extensions of this type, which reach its state
/// through what is declared here alone.
final class KeyRing {
  let state: StoredState
  /// Hashes what rows are found by; open in every state.
  let indexKey: HeldKey
  /// The cost of trying an application password of what is sealed.
  let appPasswordCost: Scrypt
  private var lock: DeviceLock { didSet { newestKeys = [:] } }
  /// The keys of classes in the newest generation that were asked for since the lock state or the
  /// generations last changed: deriving one takes as long as opening an item.
  private var newestKeys: [Accessibility: HeldKey] = [:]
  private var marks: GenerationMarks

  /// The keys of a device that has just started: all of them where no passcode is set, else none.
  /// - Throws: `stateDamaged` when the keybag does not hold what it should.
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

  /// The keys that may be used at this moment.
  var held: ClassKeys { lock.keys }
  /// Whether everything is open.
  var isUnlocked: Bool { lock.isUnlocked }
  /// Whether the passcode has been given since the start. True without one.
  var isFirstUnlocked: Bool { lock.isFirstUnlocked }
  /// Whether keys wait for a match.
  var isParked: Bool { lock.isParked }

  /// The passcode was given for it.
  func unlock(_ keys: ClassKeys) { lock.unlock(keys) }

  /// Drops what a locked device must not hold; parks it where a match may bring it back.
  func lockDevice(isArmed: Bool) { lock.lock(isArmed: isArmed) }

  /// From here only the passcode unlocks.
  func disarm() { lock.disarm() }

  /// Brings parked keys back; the caller knows that a match permits it.
  /// - Returns: whether there were any.
  func unlockWithParkedKeys() -> Bool { lock.unlockWithParkedKeys() }

  /// Uses other generations in whatever keys are held.
  func use(_ generations: Generations, under key: HeldKey?) { lock.renew(generations, under: key) }

  // MARK: Class keys

  /// A class key to seal with, and the mark of its generation, which lies in front of what it
  /// seals.
  struct SealingKey {
    let mark: [UInt8]
    let held: HeldKey
  }

  /// The key of a class in the newest generation.
  /// - Throws: as ``classKey(_:of:)``.
  func sealingKey(_ accessibility: Accessibility) throws(Failure) -> SealingKey {
    _ = try openClass(accessibility)
    guard let newest = held.generations.newest else { throw .closedClass }
    let key = try classKey(accessibility, of: .generation(newest.number))
    let mark = try cryptographic { () throws(CryptographyError) in
      try marks.mark(of: newest.number)
    }
    return SealingKey(mark: mark, held: key)
  }

  /// The key of a class that something was sealed with.
  /// - Throws: `errSecInteractionNotAllowed` while the class is closed; `errSecDecode` when it went
  ///   with the passcode; `stateDamaged` for a generation that this keybag does not hold.
  func classKey(
    _ accessibility: Accessibility, of origin: GenerationMarks.Origin
  ) throws(Failure) -> HeldKey {
    let own = try openClass(accessibility)
    guard case .generation(let number) = origin else { return own }
    let isNewest = number == held.generations.newest?.number
    if isNewest, let key = newestKeys[accessibility] { return key }
    let key = try cryptographic { () throws(CryptographyError) in
      try held.key(accessibility, in: number)
    }
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

  /// What the bytes in front of something sealed say of its generation.
  func origin(of bytes: some Collection<UInt8>) throws(Failure) -> GenerationMarks.Origin {
    try cryptographic { () throws(CryptographyError) in try marks.origin(of: bytes) }
  }
}

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
