public import CoreFoundationTypes
import Cryptography
import Protocol

/// Makes a password that is easy to read aloud: four groups of three characters, joined by hyphens,
/// from 55 letters and digits of which no two look alike. That is 69 bits of chance.
/// - Returns: the password; nil where the kernel gives no random bytes.
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
