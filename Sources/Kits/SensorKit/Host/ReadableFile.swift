internal import Glibc

/// A regular file opened for reading. It is closed when the value dies, unless the host owns it.
public struct ReadableFile: ~Copyable {
  /// In bytes.
  public let size: Int
  private let descriptor: Int32
  private let isOurs: Bool

  /// Opens the file at `path`.
  ///
  /// - Throws: ``SensorFailure/Code/notFound``, ``SensorFailure/Code/permission`` or
  ///   ``SensorFailure/Code/inputOutput`` with a reason that does not name the file.
  public init(path: String) throws(SensorFailure) {
    // Without O_NONBLOCK a FIFO of that name would block forever.
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.failure(errno) }
    self = try ReadableFile(descriptor, isOurs: true)
  }

  /// Reads from a descriptor that the host opened and will close.
  public init(borrowing descriptor: Int32) throws(SensorFailure) {
    self = try ReadableFile(descriptor, isOurs: false)
  }

  private init(_ descriptor: Int32, isOurs: Bool) throws(SensorFailure) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      if isOurs { close(descriptor) }
      throw SensorFailure(.inputOutput, "it is not a regular file")
    }
    size = Int(status.st_size)
    (self.descriptor, self.isOurs) = (descriptor, isOurs)
  }

  deinit {
    if isOurs { close(descriptor) }
  }

  /// Reads at most `count` bytes from `offset` on, fewer at the end of the file.
  public borrowing func read(from offset: Int, count: Int) throws(SensorFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, min(count, size - offset)))
    var filled = 0
    while filled < bytes.count {
      let moved = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled,
          off_t(offset + filled))
      }
      if moved < 0 && errno == EINTR { continue }
      guard moved >= 0 else { throw Self.failure(errno) }
      if moved == 0 { break }
      filled += moved
    }
    bytes.removeSubrange(filled...)
    return bytes
  }

  private static func failure(_ number: Int32) -> SensorFailure {
    let code: SensorFailure.Code =
      switch number {
      case ENOENT, ENOTDIR: .notFound
      case EACCES, EPERM, ELOOP: .permission
      default: .inputOutput
      }
    let reason = unsafe strerror(number).map { unsafe String(cString: $0) }
    return SensorFailure(code, reason ?? "failure \(number)")
  }
}
