import Glibc
package import Protocol

/// Two connected stream sockets, closed on exec: a mailbox, or the way of frames from a driver's
/// host to the enclave's.
package struct SocketPair: ~Copyable, Sendable {
  /// One end.
  package let near: Descriptor
  /// The other.
  package let far: Descriptor

  /// Makes a pair.
  /// - Throws: `coreFailed` where the process may open no more descriptors.
  package init() throws(Failure) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw Failure(
        .coreFailed, "Cannot make a pair of sockets: \(SystemCallError("socketpair").reason)",
        hint: "check the limit on open files (ulimit -n)")
    }
    near = Descriptor(owning: ends[0])
    far = Descriptor(owning: ends[1])
  }

  /// Gives up one end and closes the other.
  package consuming func takeNear() -> Descriptor { near }
}
