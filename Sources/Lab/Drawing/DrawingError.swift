/// Why a drawing could not be made into a file's bytes.
package struct DrawingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A sentence with cairo's own words for it.
  package let description: String

  init(_ doing: String, reason: String) {
    description = "cannot \(doing): \(reason)"
  }
}
