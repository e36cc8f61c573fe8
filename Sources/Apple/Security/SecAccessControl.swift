public import CoreFoundationTypes
package import Protocol

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

extension SecAccessControlCreateFlags {
  /// What these flags mean to the keychain; nil: nothing has to be proved.
  /// - Throws: `errSecParam` for flags that go together nowhere (APPLE.md 1.5), or not here.
  func accessControl() throws(Failure) -> AccessControl? {
    guard subtracting(.known).isEmpty else {
      throw refusal("there are bits without a meaning", "use the names of the flags")
    }
    guard !isSuperset(of: [.or, .and]) else {
      throw refusal("or and and exclude each other", "leave one of them out")
    }
    guard
      !contains(.userPresence)
        || subtracting([.userPresence, .applicationPassword, .privateKeyUsage]).isEmpty
    else {
      throw refusal(
        "userPresence already means a finger or the passcode",
        "leave the other proofs out, or userPresence")
    }
    let proofs = intersection(.proofs)
    guard !proofs.contains(.watch) || (contains(.or) && proofs != .watch) else {
      throw refusal(
        "a watch proves nothing here",
        "leave it out, or join it to another proof with or")
    }
    var additions: AccessControl.Additions = []
    if contains(.applicationPassword) { additions.insert(.appPassword) }
    if contains(.privateKeyUsage) { additions.insert(.privateKeyUsage) }
    let constraints = Self.meanings.reduce(into: AccessControl.Constraints()) { constraints, pair in
      if contains(pair.flag) { constraints.insert(pair.constraint) }
    }
    guard !constraints.isEmpty || !additions.isEmpty else { return nil }
    do throws(AccessControl.Problem) {
      return try AccessControl(
        constraints, joinedBy: contains(.or) ? .or : .and, with: additions)
    } catch {
      throw refusal(
        "any finger and the current ones exclude each other", "leave one of them out")
    }
  }

  /// The flags that make an access control of this meaning.
  init(_ accessControl: AccessControl) {
    self = []
    for (flag, constraint) in Self.meanings where accessControl.constraints.contains(constraint) {
      insert(flag)
    }
    if accessControl.junction == .or { insert(.or) }
    if accessControl.needsAppPassword { insert(.applicationPassword) }
    if accessControl.additions.contains(.privateKeyUsage) { insert(.privateKeyUsage) }
  }

  private static let meanings:
    [(flag: SecAccessControlCreateFlags, constraint: AccessControl.Constraints)] = [
      (.userPresence, .presence), (.biometryAny, .biometryAny),
      (.biometryCurrentSet, .biometryCurrent), (.devicePasscode, .passcode),
    ]

  private func refusal(_ reason: String, _ hint: String) -> Failure {
    Failure(.errSecParam, "these flags make no access control: \(reason)", hint: hint)
  }
}

/// When an item can be reached, as a program says it (`kSecAttrAccessible…`).
///
/// The two classes that Apple has deprecated and the keychain has not are remembered beside the one
/// that protects in their place.
struct AccessibilityValue: Hashable, Sendable {
  let text: String
  /// What protects.
  let accessibility: Accessibility
  /// Whether Apple has deprecated it, so that the text is not that of what protects.
  var isDeprecated: Bool { Self.deprecated.contains { $0.text == text } }

  private static let kept: [AccessibilityValue] = [
    AccessibilityValue(text: "ak", accessibility: .whenUnlocked),
    AccessibilityValue(text: "ck", accessibility: .afterFirstUnlock),
    AccessibilityValue(text: "aku", accessibility: .whenUnlockedThisDeviceOnly),
    AccessibilityValue(text: "cku", accessibility: .afterFirstUnlockThisDeviceOnly),
    AccessibilityValue(text: "akpu", accessibility: .whenPasscodeSetThisDeviceOnly),
  ]
  private static let deprecated: [AccessibilityValue] = [
    AccessibilityValue(text: "dk", accessibility: .afterFirstUnlock),
    AccessibilityValue(text: "dku", accessibility: .afterFirstUnlockThisDeviceOnly),
  ]

  private init(text: String, accessibility: Accessibility) {
    (self.text, self.accessibility) = (text, accessibility)
  }

  /// What a program says; nil if that is none of the constants.
  init?(_ text: String) {
    guard let known = (Self.kept + Self.deprecated).first(where: { $0.text == text }) else {
      return nil
    }
    self = known
  }

  /// The constant of a class of the keychain's.
  init(_ accessibility: Accessibility) {
    self = Self.kept.first { $0.accessibility == accessibility } ?? Self.kept[0]
  }

  /// The constant as programs compare with it.
  var constant: CFString { Security.constant(text) }
}

/// When an item or a key can be reached, and what has to be proved for it. It never changes; any
/// thread.
public final class SecAccessControl: NSObject, @unchecked Sendable {
  /// When it can be reached, as it was given.
  let protection: AccessibilityValue
  /// As they were given.
  let flags: SecAccessControlCreateFlags
  /// What has to be proved; nil: nothing.
  package let accessControl: AccessControl?

  /// - Parameters:
  ///   - protection: when it can be reached.
  ///   - flags: those that `accessControl` was made of.
  ///   - accessControl: what has to be proved.
  init(
    protection: AccessibilityValue, flags: SecAccessControlCreateFlags,
    accessControl: AccessControl?
  ) {
    (self.protection, self.flags, self.accessControl) = (protection, flags, accessControl)
  }

  /// That of an item or a key of the keychain's.
  convenience init(_ accessibility: AccessibilityValue, _ accessControl: AccessControl) {
    self.init(
      protection: accessibility, flags: SecAccessControlCreateFlags(accessControl),
      accessControl: accessControl)
  }

  /// Two are equal that want the same.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecAccessControl else { return false }
    return protection == other.protection && accessControl == other.accessControl
  }

  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(protection)
    hasher.combine(accessControl)
    return hasher.finalize()
  }

  /// What it wants, in the words of the command line.
  public override var description: String {
    "<SecAccessControl: \(protection.accessibility.name), "
      + "\(accessControl.map(\.text) ?? "nothing has to be proved")>"
  }
}

/// The number of the class of access controls.
@discardableResult public func SecAccessControlGetTypeID() -> CFTypeID {
  typeIdentifier(of: SecAccessControl.self)
}

/// Makes an access control.
/// - Parameters:
///   - allocator: without effect.
///   - protection: when what it guards can be reached: one of the texts `kSecAttrAccessible…`.
///   - flags: what has to be proved; none: nothing.
///   - error: where an error goes: `errSecParam` of `NSOSStatusErrorDomain` for another protection,
///     for `or` together with `and`, any finger together with the current ones, presence together
///     with another proof, a watch without another proof beside it, and bits without a meaning. The
///     caller owns it.
/// - Returns: the access control, or nil.
@discardableResult public func SecAccessControlCreateWithFlags(
  _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
  do throws(Failure) {
    guard let text = protection as? String, let value = AccessibilityValue(text) else {
      throw Failure(
        .errSecParam, "the protection is none of the texts kSecAttrAccessible…",
        hint: "give kSecAttrAccessibleWhenUnlockedThisDeviceOnly, for example")
    }
    return SecAccessControl(
      protection: value, flags: flags, accessControl: try flags.accessControl())
  } catch let failure {
    return unsafe refuse(failure, at: error)
  }
}
