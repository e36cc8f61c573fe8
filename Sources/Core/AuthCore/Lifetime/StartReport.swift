import Glibc
import LinuxSystem
package import Protocol

/// Tells whoever started the core, once, that it serves or why it does not.
package struct StartReport: Sendable {
  private let descriptor: Int32?

  /// - Parameter descriptor: a pipe or socket; nil: a failure goes to standard error as a command's
  ///   would.
  package init(to descriptor: Int32?) { self.descriptor = descriptor }

  /// The core serves.
  func send(_ ready: CoreReady) {
    guard let descriptor else { return }
    Self.write(ready.encoded(), to: descriptor)
  }

  /// What an application asked about a driver.
  package func send(_ resolved: ResolvedDriver) {
    guard let descriptor else { return }
    Self.write(resolved.encoded(), to: descriptor)
  }

  /// The core does not serve.
  /// - Returns: the exit status of the process.
  package func send(_ failure: Failure) -> Int32 {
    if let descriptor {
      Self.write(failure.encoded(), to: descriptor)
    } else {
      CoreLog.write(failure.message)
      if let hint = failure.hint { CoreLog.write(hint, prefix: "hint") }
    }
    return failure.code.exitCode
  }

  /// Writes one message and closes the descriptor. Nobody is told when that fails: the reader is
  /// gone.
  private static func write(_ message: borrowing SecretBytes, to descriptor: Int32) {
    let count = UInt32(message.count)
    var bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    bytes += message.copied
    _ = DescriptorBytes.write(bytes.span, to: descriptor)
    close(descriptor)
  }
}
