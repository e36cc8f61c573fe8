import AuthcoreABI
import Cryptography
import Protocol

extension KeyRing {
  /// Makes sure that what is about to be sealed is found again, and under a generation.
  func prepareSealing() throws(Failure) {
    try state.storeNewEnclave()
    guard !state.isPasscodeSet, state.keybag.wrapped.generationsKey == nil else { return }
    unlock(try introduceGenerations(to: held, under: state.derivedKey(for: .deviceClasses)))
  }

  /// Brings a keybag of an earlier version into the present form.
  /// - Returns: the keys with their first generation.
  func introduceGenerations(
    to keys: ClassKeys, under wrapping: borrowing SymmetricKey
  ) throws(Failure) -> ClassKeys {
    let keys = try renewed(keys)
    var next = state.keybag
    next.wrapped = try cryptographic { () throws(CryptographyError) in
      try WrappedClassKeys(keys, under: wrapping)
    }
    try state.replaceKeybag(next, for: .newForm)
    return keys
  }

  /// The keys with another generation, and another key of the list of them.
  func renewed(_ keys: ClassKeys) throws(Failure) -> ClassKeys {
    var keys = keys
    if try !keys.renew(state.nextSerial, state.platform.randomKey) { warnOfManyGenerations() }
    return keys
  }

  /// Begins a generation in `keybag` without the passcode at hand, by the key that giving it
  /// opened.
  func renew(_ keybag: inout Keybag, with key: HeldKey) throws(Failure) -> Generations {
    let number = state.nextSerial
    let secret = try state.platform.randomKey()
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
    state.platform.log(
      ac_log_level_t(AC_LOG_WARNING),
      """
      the keybag holds \(Generations.most) generations and no more: an old copy of it opens what is \
      added from here on
      """)
  }
}
