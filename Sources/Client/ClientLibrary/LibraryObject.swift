import CClientLibrary
import Glibc
import Protocol

/// An object that callers in C hold as a pointer to an opaque struct.
///
/// A caller owns one reference from ``handOut()`` to ``takeBack(_:)``. Every call with the pointer
/// holds another one for its duration.
class LibraryObject {
  /// A pointer for the caller, which then owns a reference.
  final func handOut() -> OpaquePointer {
    unsafe OpaquePointer(Unmanaged.passRetained(self).toOpaque())
  }

  /// The object behind a caller's pointer, or nil for NULL. The caller is trusted to pass one of
  /// this kind.
  @unsafe static func object(_ pointer: OpaquePointer?) -> Self? {
    unsafe pointer.map {
      unsafe Unmanaged<Self>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue()
    }
  }

  /// Ends the caller's reference. NULL is accepted.
  @unsafe static func takeBack(_ pointer: OpaquePointer?) {
    if let pointer = unsafe pointer {
      unsafe Unmanaged<Self>.fromOpaque(UnsafeRawPointer(pointer)).release()
    }
  }
}

/// The failure of one call, in C strings that live as long as this (`ac_client_error_t`).
@safe
final class LibraryError: LibraryObject {
  fileprivate let code: Int32
  fileprivate let name: UnsafeMutablePointer<CChar>
  fileprivate let message: UnsafeMutablePointer<CChar>
  fileprivate let hint: UnsafeMutablePointer<CChar>?

  init(_ failure: Failure) {
    code = failure.code.number
    unsafe name = Self.copy(failure.code.rawValue)
    unsafe message = Self.copy(failure.message)
    unsafe hint = failure.hint.map { unsafe Self.copy($0) }
  }

  /// A C string of the text, up to a NUL in it.
  private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
    guard let copy = unsafe strdup(text) else { fatalError("no memory for a message") }
    return unsafe copy
  }

  deinit {
    unsafe free(name)
    unsafe free(message)
    unsafe free(hint)
  }
}

/// An empty text that is never freed.
private nonisolated(unsafe) let nothing = unsafe UnsafePointer<CChar>(strdup(""))

/// The number of an error (client.h).
@c @implementation
public func ac_client_error_code(_ error: OpaquePointer!) -> Int32 {
  unsafe LibraryError.object(error)?.code ?? AC_CLIENT_OK
}

/// The name of an error, for as long as that is not freed (client.h).
@c @implementation
public func ac_client_error_name(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  unsafe LibraryError.object(error).map { unsafe UnsafePointer($0.name) } ?? nothing
}

/// What an error says, for as long as it is not freed (client.h).
@c @implementation
public func ac_client_error_message(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  unsafe LibraryError.object(error).map { unsafe UnsafePointer($0.message) } ?? nothing
}

/// What to do about an error, for as long as that is not freed (client.h).
@c @implementation
public func ac_client_error_hint(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  unsafe LibraryError.object(error)?.hint.map { unsafe UnsafePointer($0) }
}

/// Frees an error (client.h).
@c @implementation
public func ac_client_error_free(_ error: OpaquePointer!) { unsafe LibraryError.takeBack(error) }

/// Carries out a call. A failure becomes the returned number, and an error if the caller wants one.
@unsafe func answer(
  _ ret_error: UnsafeMutablePointer<OpaquePointer?>?, _ body: () throws(Failure) -> Void
) -> Int32 {
  do throws(Failure) {
    try body()
    return AC_CLIENT_OK
  } catch {
    unsafe ret_error?.pointee = LibraryError(error).handOut()
    return error.code.number
  }
}

/// Bytes that the library owns (`ac_client_secret_t`); wiped with it.
final class LibrarySecret: LibraryObject {
  fileprivate let secret: SecretBytes

  init(_ secret: consuming SecretBytes) { self.secret = secret }
}

/// The bytes of a secret, for as long as it is not freed (client.h).
@c @implementation
public func ac_client_secret_bytes(_ secret: OpaquePointer!) -> UnsafePointer<UInt8>! {
  // The memory does not move until the caller frees the object.
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
