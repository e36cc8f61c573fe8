public import CoreFoundationTypes
package import Protocol

/// What has to be proved, and how several proofs combine. The bits are Apple's.
public struct SecAccessControlCreateFlags: OptionSet, Hashable, Sendable {
  public let rawValue: CFOptionFlags

  public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

  /// A finger or the passcode; no finger has to be enrolled.
  public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)
  /// A finger that is enrolled at the time of use.
  public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)
  /// The earlier name of ``biometryAny``.
  public static let touchIDAny = biometryAny
  /// A finger, as long as the set of fingers is the same as at the time of creation.
  public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
  /// The earlier name of ``biometryCurrentSet``.
  public static let touchIDCurrentSet = biometryCurrentSet
  public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
  /// A watch nearby. It cannot be proved here, so it is refused unless ``or`` joins it to another
  /// proof.
  public static let watch = SecAccessControlCreateFlags(rawValue: 1 << 5)
  /// The later name of ``watch``.
  public static let companion = watch
  /// One of the proofs suffices. Excludes ``and``.
  public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)
  /// All of the proofs are needed, which is the default.
  public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)
  /// It guards the use of an enclave key.
  public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
  /// A password of the application enters the key. It is needed however the proofs combine.
  public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)

  static let proofs: SecAccessControlCreateFlags = [
    .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .watch,
  ]
  static let known = proofs.union([.or, .and, .privateKeyUsage, .applicationPassword])
}

extension SecAccessControlCreateFlags {
  /// The access control that these flags describe, or nil if they demand nothing.
  /// - Throws: `errSecParam` for combinations that are invalid (APPLE.md 1.5) or not supported
  ///   here.
  func accessControl() throws(Failure) -> AccessControl? {
    guard subtracting(.known).isEmpty else {
      throw refusal("there are unknown bits", "use the names of the flags")
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
        "a watch is not supported",
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
    Failure(.errSecParam, "these flags do not make an access control: \(reason)", hint: hint)
  }
}

/// When an item can be reached, as a program states it (`kSecAttrAccessible…`).
///
/// Two classes that Apple has deprecated do not exist in the keychain. They are remembered beside
/// the class that protects instead.
struct AccessibilityValue: Hashable, Sendable {
  let text: String
  /// The class that protects.
  let accessibility: Accessibility
  /// Whether Apple has deprecated it, so that the text differs from that of the class that
  /// protects.
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

  /// Nil if the text is not one of the constants.
  init?(_ text: String) {
    guard let known = (Self.kept + Self.deprecated).first(where: { $0.text == text }) else {
      return nil
    }
    self = known
  }

  init(_ accessibility: Accessibility) {
    self = Self.kept.first { $0.accessibility == accessibility } ?? Self.kept[0]
  }

  /// The object that programs compare with.
  var constant: CFString { Security.constant(text) }
}

/// When an item or a key can be reached, and what has to be proved for it. Immutable; any thread.
public final class SecAccessControl: NSObject, @unchecked Sendable {
  let protection: AccessibilityValue
  /// The given flags.
  let flags: SecAccessControlCreateFlags
  /// Nil if nothing has to be proved.
  package let accessControl: AccessControl?

  init(
    protection: AccessibilityValue, flags: SecAccessControlCreateFlags,
    accessControl: AccessControl?
  ) {
    (self.protection, self.flags, self.accessControl) = (protection, flags, accessControl)
  }

  convenience init(_ accessibility: AccessibilityValue, _ accessControl: AccessControl) {
    self.init(
      protection: accessibility, flags: SecAccessControlCreateFlags(accessControl),
      accessControl: accessControl)
  }

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

  /// The access control, in the words of the command line.
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
///   - allocator: has no effect.
///   - protection: when the item can be reached: one of the texts `kSecAttrAccessible…`.
///   - flags: what has to be proved; empty for nothing.
///   - error: receives an error, which the caller owns: `errSecParam` of `NSOSStatusErrorDomain`
///     for another protection, for `or` with `and`, any finger with the current ones, presence with
///     another proof, a watch without another proof, and unknown bits.
/// - Returns: the access control, or nil.
@discardableResult public func SecAccessControlCreateWithFlags(
  _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
  do throws(Failure) {
    guard let text = protection as? String, let value = AccessibilityValue(text) else {
      throw Failure(
        .errSecParam, "the protection is not one of the texts kSecAttrAccessible…",
        hint: "give kSecAttrAccessibleWhenUnlockedThisDeviceOnly, for example")
    }
    return SecAccessControl(
      protection: value, flags: flags, accessControl: try flags.accessControl())
  } catch let failure {
    return unsafe refuse(failure, at: error)
  }
}
