import CoreClient
import Foundation
import Protocol

/// A key of the enclave that its application keeps as bytes, as it keeps those of CryptoKit. The
/// bytes name the key, which stays in the enclave, and are worth nothing elsewhere.
///
/// The key is removed with the last copy of this value unless ``representation`` was read. Queries
/// of SecItem do not find it. Any thread; uses block while the owner is asked. Errors are those of
/// `SecKeyCreateSignature`.
package struct RepresentedKey: Sendable {
  private let use: EnclaveKeyUse

  /// Makes a key; never prompts. Its uses are in `context`, if there is one. Without an access control
  /// it can be used while the device is unlocked.
  package init(
    guardedBy accessControl: SecAccessControl?, in context: (any _AuthenticationContext)?
  ) throws {
    let authentication = KeyAuthentication(context)
    use = try Self.reporting { () throws(Failure) in
      var message = CreateKey(
        name: "",
        accessibility: accessControl?.protection.accessibility.onThisDeviceOnly
          ?? .whenUnlockedThisDeviceOnly, accessControl: accessControl?.accessControl)
      message.applicationTag = EnclaveKeyUse.representedTag
      let key = try Keychain(.current, .forbidden, in: authentication.current?.context)
        .makeKey(message)
      return try EnclaveKeyUse(key, authentication, isTemporary: true)
    }
  }

  /// Finds the key that a ``representation`` names; never prompts. Nil if the bytes are damaged, or if
  /// their key was removed or belongs to another application or device.
  package init?(_ representation: Data, in context: (any _AuthenticationContext)?) throws {
    let bytes = [UInt8](representation)
    let point = Self.representationSize - Self.pointSize
    guard bytes.count == Self.representationSize, bytes.starts(with: Self.mark),
      let identifier = String(validating: bytes[Self.mark.count..<point], as: UTF8.self)
    else { return nil }
    let found = try Self.reporting { () throws(Failure) -> EnclaveKeyUse? in
      do throws(Failure) {
        let keys = try Keychain(.current, .forbidden).keys(KeyQuery(identifier: identifier))
        guard let key = keys.first, key.applicationTag == EnclaveKeyUse.representedTag,
          key.publicKey.elementsEqual(bytes[point...])
        else { return nil }
        return try EnclaveKeyUse(key, KeyAuthentication(context))
      } catch {
        guard error.code == .errSecItemNotFound else { throw error }
        return nil
      }
    }
    guard let found else { return nil }
    use = found
  }

  /// The form and its version. The digits of the key's identifier and its public half follow.
  private static let mark = Array("authcore key 1\n".utf8)
  private static let pointSize = 65
  /// In bytes.
  package static let representationSize = mark.count + 32 + pointSize

  /// Bytes that name the key in later runs of the application. Reading them keeps the key.
  package var representation: Data {
    use.keep()
    return Data(Self.mark + Array(use.key.identifier.utf8) + use.key.publicKey)
  }

  /// The public half: 4, x, y; 65 bytes (SEC 1 §2.3.3).
  package var publicKey: [UInt8] { use.key.publicKey }

  /// Signs a hash of any length but 0 by ECDSA. Returns both numbers, 32 bytes each.
  package func sign(_ digest: [UInt8]) throws -> [UInt8] {
    do throws(KeyProblem) {
      return try use.sign(digest.span, .digest(nil), .rfc4754)
    } catch {
      throw error.error
    }
  }

  /// Agrees on a secret with the owner of another ``publicKey``. `body` receives the shared x
  /// coordinate behind a 2: a point of the curve in its compressed form (SEC 1 §2.3.3). The pointer
  /// must not leave it.
  package func withSharedPoint<Result>(
    of point: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    var shared = SecretBytes(copying: [2].span)
    do throws(KeyProblem) {
      let secret = try use.exchange(point)
      shared = SecretBytes(count: 1 + secret.count)
      shared.copy([2].span)
      shared.copy(secret.bytes, at: 1)
    } catch {
      throw error.error
    }
    return try unsafe shared.withUnsafeBytes { bytes in try unsafe body(bytes) }
  }

  /// Whether the core can be reached, which makes keys.
  package static var canBeMade: Bool {
    (try? ApplicationClient.current.request(GetStatus(), for: CoreStatus.self)) != nil
  }

  private static func reporting<Result>(
    _ body: () throws(Failure) -> Result
  ) throws -> Result {
    do throws(Failure) {
      return try body()
    } catch {
      throw KeyProblem.failed(error).error
    }
  }
}
