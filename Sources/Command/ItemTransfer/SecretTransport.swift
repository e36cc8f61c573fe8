import Cryptography
import DBus
import Protocol

enum SecretTransport: ~Copyable {
  /// In the clear, over the local bus.
  case plain
  /// Encrypted under a key that the bus does not see (`dh-ietf1024-sha256-aes128-cbc-pkcs7`), so
  /// that none is left in its memory.
  case encrypted(SecretBytes)

  /// This side of a key exchange.
  struct Exchange: ~Copyable {
    /// The name of the algorithm.
    static let name = "dh-ietf1024-sha256-aes128-cbc-pkcs7"

    private let side: OakleyGroup2
    /// Sent to the service.
    var publicValue: [UInt8] { side.publicValue }

    /// - Returns: nil if libcrypto does not support it.
    init?() {
      do throws(CryptographyError) {
        side = try OakleyGroup2()
      } catch {
        return nil
      }
    }

    /// The transport for the service's answer; nil if that is invalid.
    borrowing func transport(with answer: [UInt8]) -> SecretTransport? {
      do throws(CryptographyError) {
        let shared = try side.sharedSecret(with: answer)
        return .encrypted(
          try HKDFSHA256.deriveKey(
            from: shared.bytes, salt: [], purpose: [], count: AES128CBC.size))
      } catch {
        return nil
      }
    }
  }

  /// Decrypts a secret; nil on failure.
  borrowing func open(_ bytes: Span<UInt8>, parameters: [UInt8]) -> SecretBytes? {
    switch self {
    case .plain: return SecretBytes(copying: bytes)
    case .encrypted(let key):
      do throws(CryptographyError) {
        return try AES128CBC.decrypt(bytes, key: key, vector: parameters)
      } catch {
        return nil
      }
    }
  }
}

/// A session with a Secret Service.
struct SecretSession: ~Copyable {
  /// The path of its object.
  let path: String
  let transport: SecretTransport
}

extension BusConnection {
  /// Connects to the session bus.
  static func ofSession(at address: String?) throws(Failure) -> BusConnection {
    do throws(BusError) {
      return try BusConnection(to: address.map { .at($0) } ?? .session)
    } catch .noLibrary {
      throw Failure(
        .errSecNotAvailable, "There is no libsystemd, which speaks to the session bus",
        hint: "Install it; on Debian: apt install libsystemd0")
    } catch {
      throw Failure(
        .errSecNotAvailable, "There is no session bus: \(error.reason)",
        hint: "Run the command in the session whose keyring is meant.")
    }
  }
}
