import BackupFormat
import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// A backup that is read from its beginning to its end: a file, or standard input.
final class BackupSource {
  private let name: String
  private let descriptor: Descriptor
  private let interrupts: Interrupts
  /// Bytes of the file; nil where it cannot be known.
  let knownSize: UInt64?
  /// Bytes that were read.
  private(set) var position: UInt64 = 0
  /// Read and not yet given away.
  private var buffer: [UInt8] = []
  private var used = 0

  private static let bufferSize = 64 << 10

  /// - Throws: `usage` where it cannot be opened, or a secret is to come from the same place.
  init(
    _ file: String, beside passphrase: BackupPassphraseOptions, _ invocation: Invocation
  ) throws(Failure) {
    interrupts = invocation.interrupts
    let number: Int32
    if SecretSource.namesStandardInput(file) {
      let secrets = [try passphrase.source(), invocation.given?.source].compactMap(\.self)
      guard !secrets.contains(where: { $0.sharedDescriptor == STDIN_FILENO }) else {
        throw Failure(
          .usage, "Standard input cannot hold both the backup and a secret",
          hint: "Give one of them in a file.")
      }
    }
    if file == "-" {
      name = "standard input"
      number = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    } else {
      name = invocation.environment.absolute(file)
      number = unsafe open(name, O_RDONLY | O_CLOEXEC)
    }
    guard number >= 0 else { throw Self.cannotRead(name, .usage) }
    descriptor = Descriptor(owning: number)
    var status = stat()
    let isFile = unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    knownSize = isFile ? UInt64(clamping: status.st_size) : nil
  }

  /// For a bar: how much there is, or how much there was.
  var size: UInt64 { knownSize ?? position }

  func reader() throws(Failure) -> BackupReader {
    try BackupReader { [self] (count) throws(Failure) in try next(count) }
  }

  /// The next `count` bytes; fewer at the end.
  private func next(_ count: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      if used == buffer.count, try !refill() { break }
      let taken = min(count - bytes.count, buffer.count - used)
      bytes += buffer[used..<used + taken]
      used += taken
    }
    position += UInt64(bytes.count)
    return bytes
  }

  private func refill() throws(Failure) -> Bool {
    var part = [UInt8](repeating: 0, count: Self.bufferSize)
    while true {
      try interrupts.awaitReadable(descriptor.number)
      let count = unsafe part.withUnsafeMutableBytes {
        unsafe read(descriptor.number, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { throw Self.cannotRead(name, .storageFailed) }
      buffer = Array(part[..<count])
      used = 0
      return count > 0
    }
  }

  private static func cannotRead(_ name: String, _ code: FailureCode) -> Failure {
    Failure(
      errno == EISDIR ? .usage : code,
      "Cannot read \(name.printable): \(SystemCallError.text(of: errno))")
  }
}
