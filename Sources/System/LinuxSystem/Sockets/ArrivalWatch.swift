import CSystemCalls
package import Protocol

/// Lets one thread sleep until something arrives on a socket, without reading it, and lets another
/// keep it asleep meanwhile.
///
/// An epoll descriptor (epoll(7)) rather than `poll`: what is reported can change under the
/// sleeping thread, which need not wake for that. The end of the socket is reported in any case.
package struct ArrivalWatch: ~Copyable, Sendable {
  private let epoll: Descriptor
  private let socket: Int32

  /// Watches `socket`, which must stay open as long as this value is used.
  /// - Throws: `coreFailed` where the process may open no more descriptors.
  package init(_ socket: Int32) throws(Failure) {
    let number = ac_watch_input(socket)
    guard number >= 0 else {
      throw Failure(
        .coreFailed, "Cannot watch a mailbox: \(SystemCallError("epoll_create1").reason)",
        hint: "check the limit on open files (ulimit -n)")
    }
    epoll = Descriptor(owning: number)
    self.socket = socket
  }

  /// Waits for input that is reported, or the end; may return without either.
  package func wait() { _ = ac_wait_for_input(epoll.number) }

  /// Whether input is reported.
  package func report(_ isReported: Bool) {
    _ = ac_report_input(epoll.number, socket, isReported ? 1 : 0)
  }
}
