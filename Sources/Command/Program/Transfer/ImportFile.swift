import CoreClient
import Glibc
import ItemTransfer
import LinuxSystem
import Protocol

/// A CSV file that is read from front to back, through locked memory.
final class ImportFile {
  private let descriptor: Descriptor
  /// As it was named.
  private let path: String
  private let interrupts: Interrupts

  /// - Throws: `usage` where it cannot be opened, or the passcode comes from there, too.
  init(_ path: String, _ invocation: Invocation) throws(Failure) {
    self.path = path
    interrupts = invocation.interrupts
    if SecretSource.namesStandardInput(path) {
      try SecretSource.checkDistinct(
        [invocation.given?.source, .standardInput].compactMap { $0 })
    }
    let number =
      path == "-"
      ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else {
      throw Failure(.usage, "Cannot read \(path.printable): \(SystemCallError.text(of: errno))")
    }
    descriptor = Descriptor(owning: number)
  }

  /// Gives every item in it to a receiver.
  /// - Parameters:
  ///   - receiver: is given them.
  ///   - checksFirst: reads to the end once before anything is given, where it can be read twice: so
  ///     that a file that is broken in its middle adds nothing.
  /// - Returns: what it was.
  /// - Throws: `importUnreadable` naming the file, and what the receiver throws.
  func read(
    into receiver: any ImportReceiver, checksFirst: Bool
  ) throws(Failure) -> ImportedSource {
    if checksFirst, isRegular {
      _ = try readOnce(into: Checking())
      lseek(descriptor.number, 0, SEEK_SET)
    }
    return try readOnce(into: receiver)
  }

  private var isRegular: Bool {
    var status = stat()
    return unsafe fstat(descriptor.number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private func readOnce(into receiver: any ImportReceiver) throws(Failure) -> ImportedSource {
    var reader = CSVImport(to: receiver)
    var buffer = SecretBytes(count: 64 << 10)
    do throws(Failure) {
      while true {
        let count = try fill(&buffer)
        if count == 0 { break }
        try reader.read(buffer.bytes.extracting(first: count))
      }
      try reader.finish()
    } catch  where error.code == .importUnreadable {
      let name = path == "-" ? "standard input" : path.printable
      throw Failure(error.code, "\(name): \(error.message)", hint: error.hint)
    }
    return ImportedSource(
      name: reader.program ?? "", unkeptColumns: reader.unkeptColumns,
      readableFile: isRegular && path != "-" ? path : nil)
  }

  /// One read(2); 0 at the end.
  private func fill(_ buffer: inout SecretBytes) throws(Failure) -> Int {
    while true {
      try interrupts.awaitReadable(descriptor.number)
      let count = unsafe buffer.withUnsafeMutableBytes { target in
        unsafe Glibc.read(descriptor.number, target.baseAddress, target.count)
      }
      if count >= 0 { return count }
      guard errno == EINTR || errno == EAGAIN else {
        throw Failure(.usage, "Cannot read \(path.printable): \(SystemCallError.text(of: errno))")
      }
    }
  }

  /// Takes everything and does nothing.
  private final class Checking: ImportReceiver {
    func take(_ item: consuming ImportedItem) throws(Failure) {}
    func skip(_ entry: SkippedEntry) {}
  }
}
