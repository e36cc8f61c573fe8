import Cryptography
import Protocol

/// Keys of the accessibility classes, in the clear, as far as the lock state lets the enclave hold
/// them.
struct ClassKeys: Sendable {
  /// One key for each open class.
  var classes: [Accessibility: HeldKey] = [:]
  /// Needed by every item with access control besides its class key; exists only with a passcode.
  var accessControl: HeldKey?
  /// Enter the class keys; without a class key they open nothing.
  var generations = Generations()
  /// Seals ``generations`` in the keybag, so that a generation can be stored without the passcode;
  /// new with every passcode.
  var generationsKey: HeldKey?

  private static let closedByLock: Set<Accessibility> = [
    .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly,
  ]

  /// The keys that stay in memory on a locked device: those of after-first-unlock classes, and
  /// those that open nothing without a class key.
  var keptWhileLocked: ClassKeys {
    var kept = self
    kept.classes = classes.filter { !Self.closedByLock.contains($0.key) }
    return kept
  }

  /// The key of a class in a generation; nil as a number stands for items sealed before there were
  /// generations. Nil if either key is not held.
  func key(
    _ accessibility: Accessibility, in number: UInt32?
  ) throws(CryptographyError) -> HeldKey? {
    guard let own = classes[accessibility], let number else { return classes[accessibility] }
    guard let generation = generations.generation(number) else { return nil }
    return HeldKey(
      try SymmetricKey.combining(
        own.key.bytes, generation.secret.key.bytes, for: .generation))
  }

  /// Begins a generation, under a new key of the list: an earlier passcode opens neither.
  /// - Returns: false if there are too many generations.
  mutating func renew(
    _ number: UInt32, _ random: () throws(Failure) -> SymmetricKey
  ) throws(Failure) -> Bool {
    generationsKey = HeldKey(try random())
    return generations.begin(number, try random())
  }

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

/// Class keys as the keybag stores them: wrapped by the passcode key, or by a key of the device.
struct WrappedClassKeys: Equatable, Sendable {
  var classes: [Accessibility: [UInt8]] = [:]
  /// Exists only with a passcode.
  var accessControl: [UInt8]?
  /// Wraps the key of ``generations``; nil in a keybag of an earlier version.
  var generationsKey: [UInt8]?
  var generations: [UInt8] = []

  private static func purpose(_ accessibility: Accessibility) -> [UInt8] {
    Array("authcore class key".utf8) + [accessibility.rawValue]
  }

  private static let accessControlPurpose = Array("authcore access control key".utf8)
  private static let generationsPurpose = Array("authcore generations key".utf8)

  init(_ keys: ClassKeys, under key: borrowing SymmetricKey) throws(CryptographyError) {
    for (accessibility, held) in keys.classes {
      classes[accessibility] = try key.wrapping(held.key, for: Self.purpose(accessibility))
    }
    if let held = keys.accessControl {
      accessControl = try key.wrapping(held.key, for: Self.accessControlPurpose)
    }
    if let held = keys.generationsKey {
      generationsKey = try key.wrapping(held.key, for: Self.generationsPurpose)
      generations = try keys.generations.sealed(with: held.key)
    }
  }

  /// - Throws: ``CryptographyError/notAuthentic`` under another key than the one that wrapped them.
  func keys(under key: borrowing SymmetricKey) throws(CryptographyError) -> ClassKeys {
    var keys = ClassKeys()
    for (accessibility, wrapped) in classes {
      keys.classes[accessibility] = HeldKey(
        try key.unwrapping(wrapped, for: Self.purpose(accessibility)))
    }
    if let accessControl {
      keys.accessControl = HeldKey(
        try key.unwrapping(accessControl, for: Self.accessControlPurpose))
    }
    if let generationsKey {
      let held = HeldKey(try key.unwrapping(generationsKey, for: Self.generationsPurpose))
      keys.generations = try Generations(opening: generations, with: held.key)
      keys.generationsKey = held
    }
    return keys
  }

  func encode(into encoder: inout WireEncoder) {
    encoder.writeArray(Accessibility.allCases.filter { classes[$0] != nil }) {
      $0.writeByte($1.rawValue)
      $0.writeBytes(classes[$1] ?? [])
    }
    encoder.writeOptional(accessControl) { $0.writeBytes($1) }
    encoder.writeOptional(generationsKey) { $0.writeBytes($1) }
    encoder.writeBytes(generations)
  }

  init(from decoder: inout WireDecoder, version: UInt32) throws(DecodeError) {
    let entries = try decoder.readArray(limit: Accessibility.allCases.count, elementSize: 5) {
      (decoder) throws(DecodeError) in
      (try Accessibility(from: &decoder), try decoder.readBytes(limit: 64))
    }
    for (accessibility, wrapped) in entries { classes[accessibility] = wrapped }
    accessControl = try decoder.readOptional { (decoder) throws(DecodeError) in
      try decoder.readBytes(limit: 64)
    }
    guard version >= Keybag.firstWithGenerations else { return }
    generationsKey = try decoder.readOptional { (decoder) throws(DecodeError) in
      try decoder.readBytes(limit: 64)
    }
    generations = try decoder.readBytes(limit: Keybag.limit)
  }
}
