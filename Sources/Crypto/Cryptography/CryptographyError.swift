/// Why a primitive gave no result. Never tells anything about a key or a plaintext.
package enum CryptographyError: Error, Equatable, Sendable {
  /// `field` has to be `expected` bytes long.
  case wrongSize(field: StaticString, expected: Int, found: Int)
  /// A parameter is outside of what the algorithm takes: `field` names it.
  case invalidParameter(field: StaticString)
  /// Sealed bytes that were changed, cut, sealed under another key or for another purpose. Which of
  /// these it was cannot be told.
  case notAuthentic
  /// A point or scalar that is not a key on the curve.
  case invalidKey
  /// libcrypto refused `operation`; `reason` is its error number (`ERR_GET_REASON`).
  case libraryFailed(operation: StaticString, reason: Int32)
  /// The kernel gave no random bytes (`getrandom(2)`).
  case randomUnavailable(errno: Int32)

  package static func == (left: CryptographyError, right: CryptographyError) -> Bool {
    "\(left)" == "\(right)"
  }
}
