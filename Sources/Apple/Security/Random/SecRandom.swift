import Cryptography

/// A source of random bytes. There is one, that of the kernel.
public typealias SecRandomRef = OpaquePointer

/// The kernel's source of random bytes.
public var kSecRandomDefault: SecRandomRef? { nil }

/// Writes random bytes of the kernel's (`getrandom(2)`).
/// - Parameters:
///   - rnd: without effect: there is one source.
///   - count: how many.
///   - bytes: where there is room for them.
/// - Returns: `errSecSuccess`; `errSecParam` for a negative count; `errSecInternalComponent` where
///   the kernel gives none, after which nothing of what is there may be used.
@discardableResult public func SecRandomCopyBytes(
  _ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer
) -> Int32 {
  guard count >= 0 else { return errSecParam }
  let target = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: count)
  return unsafe RandomBytes.fill(target) == 0 ? errSecSuccess : errSecInternalComponent
}
