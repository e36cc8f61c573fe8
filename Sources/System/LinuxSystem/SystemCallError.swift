import Glibc

package struct SystemCallError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The name in section 2 of the manual.
  package let call: String
  /// `errno`.
  package let number: Int32

  package init(_ call: String, number: Int32 = errno) {
    (self.call, self.number) = (call, number)
  }

  /// For example "No space left on device".
  package var reason: String { Self.text(of: number) }

  /// Whether the path itself is impossible: a file in place of a folder, too long a name, or a
  /// circle of links.
  package var isOfPath: Bool { [ENOTDIR, ENAMETOOLONG, ELOOP].contains(number) }

  package var description: String { "\(call): \(reason)" }

  package static func text(of number: Int32) -> String {
    // The text is copied before another call replaces it.
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }
}

package enum StreamError: Error, Equatable, Sendable {
  /// The other side closed the stream between messages.
  case closed
  /// The other side closed the stream inside a message.
  case truncated
  case timedOut
  case tooLong(count: Int, limit: Int)
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
      "\(call): \(SystemCallError.text(of: number))"
    }
  }
}
