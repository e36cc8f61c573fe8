package import PluginHosting
package import Protocol

/// A process that runs one plugin, as the core talks to it: `HostProcess`, or what a test puts in
/// its place.
package protocol PluginProcess: Sendable {
  /// The plugin's file.
  var path: String { get }
  /// What the process was granted, what it lacks, and what it runs.
  var ready: HostReady { get }
  /// Hands over one message. Any thread. Throws when the process is gone.
  func send(_ message: borrowing some WireMessage & ~Copyable, descriptors: [Int32]) throws(Failure)
  /// Hands over a request for its engine that lies in two parts. Any thread. Throws when the
  /// process is gone.
  func call(_ head: [UInt8], _ rest: Span<UInt8>) throws(Failure)
  /// The next message of the process; nil when `milliseconds` (negative: for ever) have passed. One
  /// thread at a time. Throws when the process is gone, and says why.
  func receive(milliseconds: Int32) throws(Failure) -> HostEvent?
  /// Waits until there is something to receive or the process has ended; may return without a
  /// cause. One thread at a time.
  func waitForArrival()
  /// Leaves the thread in ``waitForArrival()`` asleep until the process ends, because the calling
  /// thread receives what arrives.
  func holdArrivals()
  /// Ends ``holdArrivals()``; what was not received is reported.
  func releaseArrivals()
  /// Ends the process and waits until it is gone. Any thread, any number of times.
  func end()
}

extension PluginProcess {
  /// Hands over one message without descriptors.
  func send(_ message: borrowing some WireMessage & ~Copyable) throws(Failure) {
    try send(message, descriptors: [])
  }
}
