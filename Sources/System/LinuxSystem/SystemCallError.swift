import Glibc

package struct SystemCallError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Its name, as in section 2 of the manual.
  package let call: String
  /// The value of `errno`.
  package let number: Int32

  /// Describes a failure; `number` defaults to the `errno` of this thread.
  package init(_ call: String, number: Int32 = errno) {
    (self.call, self.number) = (call, number)
  }

  /// The reason alone: "No space left on device".
  package var reason: String { Self.text(of: number) }

  /// Whether the path can be none, wherever it is looked for: a file stands where it wants a folder,
  /// a name is too long, or links lead in a circle.
  package var isOfPath: Bool { [ENOTDIR, ENAMETOOLONG, ELOOP].contains(number) }

  /// Call and reason.
  package var description: String { "\(call): \(reason)" }

  /// What the C library says about an `errno` value.
  package static func text(of number: Int32) -> String {
    // strerror's text is copied before any other call can replace it.
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }
}
