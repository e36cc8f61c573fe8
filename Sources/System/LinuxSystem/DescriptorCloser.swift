import Glibc
import Synchronization

/// Closes what may take long to close, as others like: descriptors that came by a socket, and
/// sockets in which others may lie unread (unix(7)). One that lingers (`SO_LINGER`) waits, and so
/// does a file on a file system of a user's own (FUSE).
///
/// Each owner has a thread while there is something to close, so nobody waits for another's.
package final class DescriptorCloser: Sendable {
  /// Whose descriptors wait for each other.
  package enum Owner: Hashable, Sendable {
    case user(UInt32)
    case process(Int32)
  }

  private struct Entry: Sendable {
    let number: Int32
    let line: ClosingLine
  }

  /// An owner is listed as long as its thread runs.
  private let waiting = Mutex<[Owner: [Entry]]>([:])

  package init() {}

  fileprivate func close(_ numbers: [Int32], _ line: ClosingLine) {
    guard !numbers.isEmpty else { return }
    let entries = numbers.map { Entry(number: $0, line: line) }
    let mustStart = waiting.withLock { waiting in
      defer { waiting[line.owner, default: []] += entries }
      return waiting[line.owner] == nil
    }
    guard mustStart else { return }
    SystemThread.start(name: "close") { [self] in
      while let number = first(of: line.owner) {
        Glibc.close(number)
        removeFirst(of: line.owner)
      }
    }
  }

  private func first(of owner: Owner) -> Int32? {
    waiting.withLock { waiting in
      if let entry = waiting[owner]?.first { return entry.number }
      waiting[owner] = nil
      return nil
    }
  }

  private func removeFirst(of owner: Owner) {
    // Released outside the lock, because it may hold last references.
    let entry = waiting.withLock { $0[owner]?.removeFirst() }
    withExtendedLifetime(entry) {}
  }

  fileprivate func count(of owner: Owner) -> Int {
    waiting.withLock { $0[owner]?.count { $0.line.counts } ?? 0 }
  }
}

/// How descriptors of one origin are closed: in line behind others of their owner, on a thread that
/// closes nobody else's.
package final class ClosingLine: Sendable {
  private let closer: DescriptorCloser
  fileprivate let owner: DescriptorCloser.Owner
  fileprivate let counts: Bool
  /// Held until the descriptors are closed.
  private let place: (any Sendable)?

  /// For descriptors that an owner sent, whose number nothing else bounds.
  package init(_ closer: DescriptorCloser, of owner: DescriptorCloser.Owner) {
    (self.closer, self.owner, counts, place) = (closer, owner, true, nil)
  }

  /// For an owner's socket.
  /// - Parameters:
  ///   - closer: does it.
  ///   - owner: who may have to wait.
  ///   - place: what the socket takes; it is given back when the socket is closed.
  package init(
    _ closer: DescriptorCloser, ofSocket owner: DescriptorCloser.Owner,
    holding place: (any Sendable)?
  ) {
    (self.closer, self.owner, counts, self.place) = (closer, owner, false, place)
  }

  /// Sent descriptors that wait before the line is long: more than any honest program leaves.
  package static let long = 64

  /// Whether its owner should send no more before these are closed.
  package var isLong: Bool { closer.count(of: owner) >= Self.long }

  /// Takes ownership of open descriptors. Returns at once.
  package func close(_ numbers: [Int32]) { closer.close(numbers, self) }
}
