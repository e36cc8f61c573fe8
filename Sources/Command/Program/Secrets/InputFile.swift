import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// A file that the command line names, or standard input.
final class InputFile {
  /// As messages call it.
  let name: String
  let isStandardInput: Bool
  /// In bytes; nil if it is not a regular file.
  let size: UInt64?
  private let descriptor: Descriptor
  private let interrupts: Interrupts
  private let readingFailed: FailureCode

  /// - Parameters:
  ///   - path: nil and `-` are standard input.
  ///   - invocation: the command that reads it.
  ///   - others: secrets that this command reads besides the passcode.
  ///   - readingFailed: the code of a failure to read what was opened.
  /// - Throws: `usage` if it cannot be opened, or a secret comes from standard input too.
  init(
    _ path: String?, _ invocation: Invocation, beside others: [SecretSource?] = [],
    readingFailed: FailureCode = .usage
  ) throws(Failure) {
    (interrupts, self.readingFailed) = (invocation.interrupts, readingFailed)
    let number: Int32
    if let path, !SecretSource.namesStandardInput(path) {
      (name, isStandardInput) = (path.printable, false)
      number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    } else {
      try SecretSource.checkDistinct(
        ([invocation.given?.source] + others + [.standardInput]).compactMap(\.self))
      (name, isStandardInput) = ("standard input", true)
      number = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    }
    guard number >= 0 else { throw .cannotRead(name) }
    descriptor = Descriptor(owning: number)
    var status = stat()
    let isFile = unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = isFile ? UInt64(clamping: status.st_size) : nil
  }

  /// Reads to the end, straight into locked memory.
  /// - Returns: nil if there are more bytes than `limit`.
  func read(limit: Int) throws(Failure) -> SecretBytes? {
    try interrupts.readToEnd(descriptor.number, named: name, limit: limit, readingFailed)
  }

  /// Fills a buffer as far as one read(2) does.
  /// - Returns: how many bytes there are; 0 at the end.
  func readPart(_ buffer: inout SecretBytes) throws(Failure) -> Int {
    try interrupts.fill(&buffer, from: 0, of: descriptor.number, named: name, readingFailed)
  }

  /// The same for what is no secret.
  func readPart(_ buffer: inout [UInt8]) throws(Failure) -> Int {
    while true {
      try interrupts.awaitReadable(descriptor.number)
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe Glibc.read(descriptor.number, $0.baseAddress, $0.count)
      }
      if count >= 0 { return count }
      guard errno == EINTR || errno == EAGAIN else { throw .cannotRead(name, readingFailed) }
    }
  }

  /// Goes back to the beginning of a regular file.
  func rewind() { lseek(descriptor.number, 0, SEEK_SET) }
}

extension Interrupts {
  /// Reads a descriptor to its end.
  /// - Returns: nil if there are more bytes than `limit`.
  func readToEnd(
    _ descriptor: Int32, named name: String, limit: Int, _ code: FailureCode = .usage
  ) throws(Failure) -> SecretBytes? {
    // One byte more, so that a longer input is seen.
    var buffer = SecretBytes(count: limit + 1)
    var filled = 0
    while filled < buffer.count {
      let count = try fill(&buffer, from: filled, of: descriptor, named: name, code)
      if count == 0 { return buffer.extracting(0..<filled) }
      filled += count
    }
    return nil
  }

  /// One read(2) into the rest of a buffer. A signal while nothing comes ends the wait.
  /// - Returns: how many bytes came; 0 at the end.
  fileprivate func fill(
    _ buffer: inout SecretBytes, from start: Int, of descriptor: Int32, named name: String,
    _ code: FailureCode
  ) throws(Failure) -> Int {
    while true {
      try awaitReadable(descriptor)
      let count = unsafe buffer.withUnsafeMutableBytes { target in
        unsafe Glibc.read(
          descriptor, target.baseAddress.map { unsafe $0 + start }, target.count - start)
      }
      if count >= 0 { return count }
      guard errno == EINTR || errno == EAGAIN else { throw .cannotRead(name, code) }
    }
  }
}

extension Failure {
  /// A command line that cannot be carried out.
  static func usage(_ message: String, hint: String? = nil) -> Failure {
    Failure(.usage, message, hint: hint)
  }

  /// Says by `errno` why something cannot be read. A folder is an error of usage.
  static func cannotRead(_ name: String, _ code: FailureCode = .usage) -> Failure {
    Failure(
      errno == EISDIR ? .usage : code, "Cannot read \(name): \(SystemCallError.text(of: errno))")
  }
}
