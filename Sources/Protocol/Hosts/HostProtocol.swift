/// Numbers that both sides of a host's mailbox know.
package enum HostProtocol {
  /// Bytes of a request or reply of an engine, `AC_ENGINE_MAX_MESSAGE`.
  package static let maximumEngineMessage = 20 << 20
  /// Bytes of a message of the mailbox: an engine's, and what is put around it.
  package static let maximumMessage = maximumEngineMessage + 64
  /// Bytes of a message on a frame socket: the largest frame is 16 MiB.
  package static let maximumFrameMessage = 20 << 20
  /// The mailbox in the host.
  package static let mailbox: Int32 = 3
  /// The frame socket in a driver's host.
  package static let frames: Int32 = 4
}
