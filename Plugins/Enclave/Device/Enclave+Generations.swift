import AuthcoreABI
import Cryptography
import EngineKit
import Wire

extension Enclave {
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
    guard let newest = lock.keys.generations.newest else { throw Self.closed }
    let key = try classKey(accessibility, of: .generation(newest.number))
    return SealingKey(mark: try mark(of: newest.number), held: key)
  }

  /// The key of a class that something was sealed with.
  /// - Throws: `errSecInteractionNotAllowed` while the class is closed; `errSecDecode` when it went
  ///   with the passcode; `stateDamaged` for a generation that this keybag does not hold.
  func classKey(
    _ accessibility: Accessibility, of origin: GenerationMarks.Origin
  ) throws(Failure) -> HeldKey {
    let own = try openClass(accessibility)
    guard case .generation(let number) = origin else { return own }
    let key = try cryptographic { () throws(CryptographyError) in
      try lock.keys.key(accessibility, in: number)
    }
    guard let key else {
      noteLostGeneration(number)
      throw Self.lostGeneration
    }
    return key
  }

  private func openClass(_ accessibility: Accessibility) throws(Failure) -> HeldKey {
    if let key = lock.keys.classes[accessibility] { return key }
    throw keybag.passcode == nil ? Self.damagedItem : Self.closed
  }

  /// Makes sure that what is about to be sealed is found again, and under a generation.
  func prepareSealing() throws(Failure) {
    try storeNewEnclave()
    guard keybag.passcode == nil, keybag.wrapped.generationsKey == nil else { return }
    let key = try cryptographic { () throws(CryptographyError) in
      try root.derivedKey(for: .deviceClasses)
    }
    lock.unlock(try introduceGenerations(to: lock.keys, under: key))
  }

  /// Brings a keybag of an earlier version into the present form.
  /// - Returns: the keys with their first generation.
  func introduceGenerations(
    to keys: ClassKeys, under wrapping: borrowing SymmetricKey
  ) throws(Failure) -> ClassKeys {
    var keys = keys
    try renew(&keys)
    var next = keybag
    next.wrapped = try cryptographic { () throws(CryptographyError) in
      try WrappedClassKeys(keys, under: wrapping)
    }
    try replaceKeybag(next, for: .newForm)
    return keys
  }

  /// Begins a generation and another key of the list.
  func renew(_ keys: inout ClassKeys) throws(Failure) {
    if try !keys.renew(nextSerial, platform.randomKey) { warnOfManyGenerations() }
  }

  /// Begins a generation in `keybag` without the passcode at hand, by the key that giving it
  /// opened.
  func renew(_ keybag: inout Keybag, with key: HeldKey) throws(Failure) -> Generations {
    let number = nextSerial
    let secret = try platform.randomKey()
    let sealed = keybag.wrapped.generations
    var generations = try cryptographic { () throws(CryptographyError) in
      try Generations(opening: sealed, with: key.key)
    }
    if !generations.begin(number, secret) { warnOfManyGenerations() }
    keybag.wrapped.generations = try cryptographic { () throws(CryptographyError) in
      try generations.sealed(with: key.key)
    }
    return generations
  }

  private func warnOfManyGenerations() {
    platform.log(
      ac_log_level_t(AC_LOG_WARNING),
      """
      the keybag holds \(Generations.most) generations and no more: an old copy of it opens what is \
      added from here on
      """)
  }

  /// Something was sealed beside a newer keybag than the one that is here.
  static var lostGeneration: Failure {
    Failure(
      .stateDamaged,
      """
      the item was stored later than the keybag in the state folder: an old copy of the keybag has \
      been put back
      """,
      hint: """
        put the newest keybag and attempts back from a backup of the state folder; until then the \
        item stays closed, and it is not changed
        """)
  }
}
