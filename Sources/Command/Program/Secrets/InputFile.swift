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

/// Standard input as the bytes it holds, to its end; nothing is added or left out.
struct StandardInput {
  private let interrupts: Interrupts

  /// - Throws: `usage` where a passcode, or `other`, is to come from there, too.
  init(_ invocation: Invocation, beside other: GivenPasscode? = nil) throws(Failure) {
    try SecretSource.checkDistinct(
      [invocation.given?.source, other?.source, .standardInput].compactMap { $0 })
    interrupts = invocation.interrupts
  }

  /// Reads to the end, straight into locked memory.
  /// - Returns: nil where there are more bytes than `limit`.
  /// - Throws: `usage` where it cannot be read.
  func read(limit: Int) throws(Failure) -> SecretBytes? {
    // One byte more: a longer input is seen.
    var buffer = SecretBytes(count: limit + 1)
    var filled = 0
    while filled < buffer.count {
      let count = try fill(&buffer, from: filled)
      if count == 0 { return buffer.extracting(0..<filled) }
      filled += count
    }
    return nil
  }

  /// Gives `body` one part after the other, to the end.
  /// - Throws: `usage` where it cannot be read, and what `body` throws.
  func readParts(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
    var buffer = SecretBytes(count: 64 << 10)
    while true {
      let count = try fill(&buffer, from: 0)
      if count == 0 { return }
      try body(buffer.bytes.extracting(first: count))
    }
  }

  /// One read(2) into the rest of a buffer; 0 at the end.
  private func fill(_ buffer: inout SecretBytes, from start: Int) throws(Failure) -> Int {
    try interrupts.fill(&buffer, from: start, of: STDIN_FILENO, named: "standard input")
  }
}

extension Interrupts {
  /// One read(2) into the rest of a buffer; 0 at the end. A signal while nothing comes ends the wait.
  func fill(
    _ buffer: inout SecretBytes, from start: Int, of descriptor: Int32, named name: String
  ) throws(Failure) -> Int {
    while true {
      try awaitReadable(descriptor)
      let count = unsafe buffer.withUnsafeMutableBytes { target in
        unsafe Glibc.read(
          descriptor, target.baseAddress.map { unsafe $0 + start }, target.count - start)
      }
      if count >= 0 { return count }
      guard errno == EINTR || errno == EAGAIN else {
        throw Failure(.usage, "Cannot read \(name): \(SystemCallError.text(of: errno))")
      }
    }
  }
}
