public import CoreFoundationTypes
package import Protocol

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

  /// The same for equal ones.
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
