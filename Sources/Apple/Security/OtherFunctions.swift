public import CoreFoundationTypes
import Cryptography
import Protocol

/// A source of random bytes. There is one, that of the kernel.
public typealias SecRandomRef = OpaquePointer

/// The kernel's source of random bytes.
public var kSecRandomDefault: SecRandomRef? { nil }

/// Writes random bytes of the kernel's (`getrandom(2)`).
/// - Parameters:
///   - rnd: without effect: there is one source.
///   - count: how many.
///   - bytes: where there is room for them.
/// - Returns: `errSecSuccess`; `errSecParam` for a negative count; `errSecInternalComponent` if
///   the kernel gives none, after which nothing of what is there may be used.
@discardableResult public func SecRandomCopyBytes(
  _ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer
) -> Int32 {
  guard count >= 0 else { return errSecParam }
  let target = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: count)
  return unsafe RandomBytes.fill(target) == 0 ? errSecSuccess : errSecInternalComponent
}

/// Makes a password that is easy to read aloud: four groups of three characters, joined by hyphens,
/// from 55 letters and digits of which no two look alike. That is 69 bits of chance.
/// - Returns: the password; nil if the kernel gives no random bytes.
@discardableResult public func SecCreateSharedWebCredentialPassword() -> CFString? {
  let alphabet = Array("abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)
  var password: [UInt8] = []
  while password.count < 15 {
    guard password.count % 4 != 3 else {
      password.append(UInt8(ascii: "-"))
      continue
    }
    let random: SecretBytes
    do throws(CryptographyError) {
      random = try RandomBytes.secret(count: 1)
    } catch {
      return nil
    }
    // What is left of 256 above a multiple would make the first characters likelier.
    let byte = Int(random.bytes[0])
    if byte < 256 / alphabet.count * alphabet.count {
      password.append(alphabet[byte % alphabet.count])
    }
  }
  return String(decoding: password, as: UTF8.self) as NSString
}

/// Shares a password with a web site. There is nobody here to share it with: browsers of this system
/// do not ask the keychain.
/// - Parameters:
///   - fqdn: the site.
///   - account: whose password it is.
///   - password: the password; nil: it is shared no longer.
///   - completionHandler: called once, before this returns, with `errSecUnimplemented` of
///     `NSOSStatusErrorDomain`.
public func SecAddSharedWebCredential(
  _ fqdn: CFString, _ account: CFString, _ password: CFString?,
  _ completionHandler: (CFError?) -> Void
) {
  completionHandler(noSharing)
}

/// Asks for passwords that are shared with web sites. There are none here, see
/// ``SecAddSharedWebCredential(_:_:_:_:)``.
/// - Parameters:
///   - fqdn: the site; nil: any.
///   - account: whose password; nil: anybody's.
///   - completionHandler: called once, before this returns, with no passwords and
///     `errSecUnimplemented` of `NSOSStatusErrorDomain`.
public func SecRequestSharedWebCredential(
  _ fqdn: CFString?, _ account: CFString?,
  _ completionHandler: (CFArray?, CFError?) -> Void
) {
  completionHandler(nil, noSharing)
}

private var noSharing: CFError {
  Failure(
    .unsupported, "passwords are not shared with web sites here",
    hint: "keep it as an internet password, with SecItemAdd"
  ).statusError
}

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
