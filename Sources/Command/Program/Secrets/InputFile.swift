import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// A file that a command line names, or standard input, as the bytes it holds.
struct InputFile {
  /// What it is called in messages.
  let name: String
  private let path: String?
  private let interrupts: Interrupts
  private let standardInput: StandardInput?

  /// - Parameters:
  ///   - path: nil and `-` are standard input.
  ///   - invocation: of the command that reads it.
  /// - Throws: `usage` where a passcode is to come from standard input, too.
  init(_ path: String?, _ invocation: Invocation) throws(Failure) {
    let isStandardInput = path.map(SecretSource.namesStandardInput) ?? true
    self.path = isStandardInput ? nil : path
    name = isStandardInput ? "standard input" : path?.printable ?? ""
    interrupts = invocation.interrupts
    standardInput = isStandardInput ? try StandardInput(invocation) : nil
  }

  /// Reads to the end.
  /// - Returns: nil where there are more bytes than `limit`.
  /// - Throws: `usage` where it cannot be read.
  func read(limit: Int) throws(Failure) -> SecretBytes? {
    guard let path else { return try standardInput?.read(limit: limit) }
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else {
      throw Failure(.usage, "Cannot read \(name): \(SystemCallError.text(of: errno))")
    }
    let file = Descriptor(owning: number)
    // One byte more: a longer file is seen.
    var buffer = SecretBytes(count: limit + 1)
    var filled = 0
    while filled < buffer.count {
      let count = try interrupts.fill(&buffer, from: filled, of: file.number, named: name)
      if count == 0 { return buffer.extracting(0..<filled) }
      filled += count
    }
    return nil
  }
}
