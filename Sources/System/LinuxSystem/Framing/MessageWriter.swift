import CSystemCalls

/// Who wrote a message, by the kernel's word about each piece of it (`SCM_CREDENTIALS`, unix(7)). A
/// socket that is passed on, or inherited, says by this that somebody else speaks.
package struct MessageWriter: Equatable, Sendable {
  /// In this process's namespace.
  package let process: Int32
  /// Its real ids.
  package let user, group: UInt32

  /// Describes a writer.
  package init(process: Int32, user: UInt32, group: UInt32) {
    (self.process, self.user, self.group) = (process, user, group)
  }

  /// Has everything that is received from here on say who wrote it, also on sockets that are
  /// accepted from this one (`SO_PASSCRED`).
  package static func receive(on socket: borrowing Descriptor) throws(SystemCallError) {
    guard ac_tell_writers(socket.number) == 0 else { throw SystemCallError("setsockopt") }
  }
}

/// The writers of the pieces of one message.
struct MessageWriters {
  private var first: MessageWriter?
  private var isClear = true

  /// Nobody has written anything.
  init() {}

  /// The one who wrote all of it; nil where the kernel does not say, cannot name that process here,
  /// or names several.
  var only: MessageWriter? { isClear ? first : nil }

  /// Notes who wrote a piece; a process of 0 is one that cannot be named.
  mutating func note(_ piece: ac_writer) {
    let writer = MessageWriter(process: piece.process, user: piece.user, group: piece.group)
    isClear = isClear && piece.process != 0 && (first ?? writer) == writer
    first = first ?? writer
  }
}
