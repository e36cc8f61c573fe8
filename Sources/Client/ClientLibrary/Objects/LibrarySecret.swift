import CClientLibrary
import Protocol

/// Bytes that the library owns (`ac_client_secret_t`); wiped with it.
final class LibrarySecret: LibraryObject {
  fileprivate let secret: SecretBytes

  init(_ secret: consuming SecretBytes) { self.secret = secret }
}

/// The bytes of a secret, for as long as it is not freed (client.h).
@c @implementation
public func ac_client_secret_bytes(_ secret: OpaquePointer!) -> UnsafePointer<UInt8>! {
  // The memory stays where it is until the object ends, which is the caller's to decide.
  unsafe LibrarySecret.object(secret)?.secret.withUnsafeBytes { bytes in
    unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
  }
}

/// How many bytes a secret has (client.h).
@c @implementation
public func ac_client_secret_count(_ secret: OpaquePointer!) -> Int {
  unsafe LibrarySecret.object(secret)?.secret.count ?? 0
}

/// Wipes a secret (client.h).
@c @implementation
public func ac_client_secret_free(_ secret: OpaquePointer!) {
  unsafe LibrarySecret.takeBack(secret)
}
