public import CoreFoundationTypes
import Cryptography
import Protocol

/// A source of random bytes. The only one is the kernel.
public typealias SecRandomRef = OpaquePointer

/// The kernel's source of random bytes.
public var kSecRandomDefault: SecRandomRef? { nil }

/// Writes random bytes from the kernel (`getrandom(2)`).
/// - Parameters:
///   - rnd: has no effect.
///   - count: how many bytes.
///   - bytes: receives them.
/// - Returns: `errSecSuccess`; `errSecParam` for a negative count; `errSecInternalComponent` if the
///   kernel gives none, after which the memory must not be used.
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
    // Values above a multiple of the alphabet's size would make its first characters likelier.
    let byte = Int(random.bytes[0])
    if byte < 256 / alphabet.count * alphabet.count {
      password.append(alphabet[byte % alphabet.count])
    }
  }
  return String(decoding: password, as: UTF8.self) as NSString
}

/// Shares a password with a web site. This is not possible here: browsers of this system do not ask
/// the keychain.
/// - Parameters:
///   - fqdn: the site.
///   - account: whose password it is.
///   - password: the password; nil ends sharing it.
///   - completionHandler: called once, before this returns, with `errSecUnimplemented` of
///     `NSOSStatusErrorDomain`.
public func SecAddSharedWebCredential(
  _ fqdn: CFString, _ account: CFString, _ password: CFString?,
  _ completionHandler: (CFError?) -> Void
) {
  completionHandler(noSharing)
}

/// Asks for passwords that are shared with web sites. There are none here; see
/// ``SecAddSharedWebCredential(_:_:_:_:)``.
/// - Parameters:
///   - fqdn: the site; nil: any.
///   - account: whose password; nil for any.
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

// Lists of trusted programs, from macOS's file-based keychains. Here the kernel and access groups
// decide who owns an item: these lists can be made, but have no effect.

/// A list of trusted programs, which has no effect; see `kSecAttrAccessGroup`.
public final class SecAccess: NSObject, @unchecked Sendable {
  private let descriptor: String

  fileprivate init(_ descriptor: String) { self.descriptor = descriptor }

  public override var description: String { "<SecAccess: \(descriptor)>" }
}

/// A program in such a list.
public final class SecTrustedApplication: NSObject, @unchecked Sendable {
  private let path: String?

  fileprivate init(_ path: String?) { self.path = path }

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

/// Makes a list of trusted programs, which has no effect. Returns `errSecSuccess`.
@discardableResult public func SecAccessCreate(
  _ descriptor: CFString, _ trustedlist: CFArray?,
  _ accessRef: UnsafeMutablePointer<SecAccess?>
) -> OSStatus {
  unsafe accessRef.pointee = SecAccess(descriptor as String)
  return errSecSuccess
}

/// Makes an entry of such a list; nil stands for this program. Returns `errSecSuccess`.
@discardableResult public func SecTrustedApplicationCreateFromPath(
  _ path: UnsafePointer<CChar>?, _ app: UnsafeMutablePointer<SecTrustedApplication?>
) -> OSStatus {
  unsafe app.pointee = SecTrustedApplication(path.map { unsafe String(cString: $0) })
  return errSecSuccess
}
