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

/// Why a message could not be sent or received.
package enum StreamError: Error, Equatable, Sendable {
  /// The other side closed the stream between two messages.
  case closed
  /// The other side closed the stream inside a message.
  case truncated
  /// The deadline passed.
  case timedOut
  /// A message says it is `count` bytes long; at most `limit` are taken.
  case tooLong(count: Int, limit: Int)
  /// More descriptors came with a message than it may bring.
  case tooManyDescriptors(limit: Int)
  case system(call: StaticString, errno: Int32)

  package static func == (left: StreamError, right: StreamError) -> Bool {
    left.description == right.description
  }
}

extension StreamError: CustomStringConvertible {
  /// One line for a log.
  package var description: String {
    switch self {
    case .closed: "the other side closed the connection"
    case .truncated: "the other side closed the connection inside a message"
    case .timedOut: "the deadline passed"
    case .tooLong(let count, let limit): "a message of \(count) bytes; at most \(limit) are taken"
    case .tooManyDescriptors(let limit):
      "a message brings \(limit == 0 ? "a descriptor" : "more than \(limit) descriptors")"
    case .system(let call, let number):
      "\(call): \(unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)")"
    }
  }
}
