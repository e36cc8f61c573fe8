public import CoreFoundationTypes

/// What has to be proved, and how several of it combine. The bits are Apple's.
public struct SecAccessControlCreateFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: CFOptionFlags

  /// A set from its bits, known or not.
  public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

  /// A finger or the passcode; no finger need be enrolled.
  public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)
  /// A finger, one of those that are enrolled at the time of use.
  public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)
  /// The same as ``biometryAny``, as it was called before.
  public static let touchIDAny = biometryAny
  /// A finger, as long as the set of fingers is the one at the time of making.
  public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
  /// The same as ``biometryCurrentSet``, as it was called before.
  public static let touchIDCurrentSet = biometryCurrentSet
  /// The owner's passcode.
  public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
  /// A watch near by. Nothing here proves that, so that it goes with ``or`` and something else, and
  /// is refused otherwise.
  public static let watch = SecAccessControlCreateFlags(rawValue: 1 << 5)
  /// The same as ``watch``, as it is called since.
  public static let companion = watch
  /// One of the proofs suffices. Not together with ``and``.
  public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)
  /// All of the proofs are needed, which is so without it, too.
  public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)
  /// It guards the uses of a private key of the enclave's.
  public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
  /// A password of the application's enters the key. It is needed whatever combines the rest.
  public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)

  /// Those that ask for a proof of presence.
  static let proofs: SecAccessControlCreateFlags = [
    .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .watch,
  ]
  /// Those that have a meaning.
  static let known = proofs.union([.or, .and, .privateKeyUsage, .applicationPassword])
}
