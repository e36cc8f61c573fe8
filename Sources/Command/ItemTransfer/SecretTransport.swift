import Cryptography
import DBus
import Protocol

/// How secrets cross the bus.
enum SecretTransport: ~Copyable {
  /// As they are: the bus is a local one.
  case plain
  /// Under a key that the bus does not see (`dh-ietf1024-sha256-aes128-cbc-pkcs7`), so that none
  /// lies in the memory of the bus.
  case encrypted(SecretBytes)

  /// Our side of agreeing on a key.
  struct Exchange: ~Copyable {
    /// What the service knows it by.
    static let name = "dh-ietf1024-sha256-aes128-cbc-pkcs7"

    private let side: OakleyGroup2
    /// What the service is told.
    var publicValue: [UInt8] { side.publicValue }

    /// - Returns: nil where libcrypto has no such thing.
    init?() {
      do throws(CryptographyError) {
        side = try OakleyGroup2()
      } catch {
        return nil
      }
    }

    /// What the service's answer makes of it; nil where it makes no key.
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

  /// A secret that came; nil where it cannot be opened.
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

/// A session with a Secret Service, in which secrets are handed over.
struct SecretSession: ~Copyable {
  /// Its object.
  let path: String
  let transport: SecretTransport
}

extension BusConnection {
  /// The bus of the session whose keyring is meant.
  /// - Parameter address: where it listens; nil: as the session says.
  /// - Returns: a connection to it.
  /// - Throws: `errSecNotAvailable` where there is no bus, or nothing to speak to it with.
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
