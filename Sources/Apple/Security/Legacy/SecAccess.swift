public import CoreFoundationTypes

// Lists of trusted programs, of the keychain that macOS had in files. Whose an item is, the kernel's
// word and access groups decide here, so that these are made and kept, and let nobody in.

/// A list of trusted programs. It lets none of them in: see `kSecAttrAccessGroup`.
public final class SecAccess: NSObject, @unchecked Sendable {
  private let descriptor: String

  fileprivate init(_ descriptor: String) { self.descriptor = descriptor }

  /// What it was called.
  public override var description: String { "<SecAccess: \(descriptor)>" }
}

/// A program of such a list.
public final class SecTrustedApplication: NSObject, @unchecked Sendable {
  private let path: String?

  fileprivate init(_ path: String?) { self.path = path }

  /// Where the program lies.
  public override var description: String {
    "<SecTrustedApplication: \(path ?? "this program")>"
  }
}

/// The number of the class of lists of trusted programs.
@discardableResult public func SecAccessGetTypeID() -> CFTypeID {
  typeIdentifier(of: SecAccess.self)
}

/// The number of the class of trusted programs.
@discardableResult public func SecTrustedApplicationGetTypeID() -> CFTypeID {
  typeIdentifier(of: SecTrustedApplication.self)
}

/// Makes a list of trusted programs, which lets none of them in.
/// - Parameters:
///   - descriptor: what it is called.
///   - trustedlist: the programs; without effect.
///   - accessRef: where the list goes.
/// - Returns: `errSecSuccess`.
@discardableResult public func SecAccessCreate(
  _ descriptor: CFString, _ trustedlist: CFArray?,
  _ accessRef: UnsafeMutablePointer<SecAccess?>
) -> OSStatus {
  unsafe accessRef.pointee = SecAccess(descriptor as String)
  return errSecSuccess
}

/// Makes an entry of such a list.
/// - Parameters:
///   - path: where the program lies; nil: this one.
///   - app: where the entry goes.
/// - Returns: `errSecSuccess`.
@discardableResult public func SecTrustedApplicationCreateFromPath(
  _ path: UnsafePointer<CChar>?, _ app: UnsafeMutablePointer<SecTrustedApplication?>
) -> OSStatus {
  unsafe app.pointee = SecTrustedApplication(path.map { unsafe String(cString: $0) })
  return errSecSuccess
}
