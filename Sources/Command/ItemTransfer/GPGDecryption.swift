import Glibc
import LinuxSystem
import Protocol

/// Decrypts files with the user's gpg, whose agent may ask for the passphrase.
struct GPGDecryption {
  enum Outcome: ~Copyable {
    case plain(SecretBytes)
    /// A sentence without a full stop.
    case refused(String)
  }

  private let program: String
  private let environment: [String]

  /// The longest text of an entry, in bytes: a secret and notes.
  static let longestText = 2 * largestItemSecret

  /// - Throws: `errSecNotAvailable` if the search path has no gpg.
  init(environment: [String]) throws(Failure) {
    let path = environment.first { $0.hasPrefix("PATH=") }?.dropFirst(5) ?? ""
    let folders = path.split(separator: ":").filter { $0.hasPrefix("/") }
    let programs = folders.map { "\($0)/gpg" }
    guard let program = programs.first(where: { unsafe access($0, X_OK) == 0 }) else {
      throw Failure(
        .errSecNotAvailable, "There is no gpg, which decrypts the entries of pass",
        hint: "Install it; on Debian: apt install gnupg")
    }
    self.program = program
    self.environment = environment + Self.terminal(environment)
  }

  /// Names the terminal for the agent, which gpg cannot find by itself: its streams are a file and
  /// a pipe.
  private static func terminal(_ environment: [String]) -> [String] {
    if environment.contains(where: { $0.hasPrefix("GPG_TTY=") }) { return [] }
    for descriptor in [STDIN_FILENO, STDERR_FILENO] {
      // The text of ttyname is copied before another call can replace it.
      if let name = unsafe ttyname(descriptor) {
        return ["GPG_TTY=" + (unsafe String(cString: name))]
      }
    }
    return []
  }

  /// Decrypts an open file. The text goes from gpg's pipe straight into locked memory.
  /// - Throws: `userCancel` if the person cancels the prompt, `coreFailed` if gpg cannot be
  ///   started.
  func decrypt(_ file: borrowing Descriptor) throws(Failure) -> Outcome {
    var text = try Pipe(nonBlocking: .reader)
    var status = try Pipe(nonBlocking: .reader)
    var launch = ProgramLaunch(
      path: program, arguments: ["--quiet", "--batch", "--yes", "--status-fd", "3", "--decrypt"])
    launch.environment = environment
    launch.standardStreams = [file.number, text.writer, nil]
    launch.descriptors = [status.writer]
    let child: ChildProcess
    do throws(SystemCallError) {
      child = try launch.start()
    } catch {
      throw Failure(.coreFailed, "Cannot start \(program): \(error.reason)")
    }
    text.closeWriter()
    status.closeWriter()
    var reading = GPGReading(limit: Self.longestText)
    reading.readToEnd(text.reader, status.reader)
    if reading.isTooLong { child.kill() }
    let end = child.wait()
    if reading.isTooLong {
      return .refused("it is longer than \(Self.longestText) bytes")
    }
    if end == .exited(0) { return .plain(reading.finish()) }
    switch reading.reason {
    case .cancelled:
      throw Failure(
        .userCancel, "gpg was not given the passphrase",
        hint: "Run the command again; what was added stays, and is reported as a duplicate.")
    case .noKey: return .refused("gpg has no secret key for it")
    case .unknown: return .refused("gpg does not decrypt it: gpg --decrypt shows why")
    }
  }
}

/// The output of gpg: the text, and status lines for programs (DETAILS in GnuPG's documentation).
private struct GPGReading: ~Copyable {
  enum Reason { case cancelled, noKey, unknown }

  private var text: SecretBytes
  private var count = 0
  private var status: [UInt8] = []
  private(set) var isTooLong = false

  /// The most bytes of status lines that are kept.
  private static let longestStatus = 64 << 10
  /// GPG_ERR_CANCELED and GPG_ERR_FULLY_CANCELED. The code is in the low 16 bits (libgpg-error).
  private static let cancellations: Set<Int> = [99, 198]

  init(limit: Int) { text = SecretBytes(count: limit + 1) }

  /// Reads both pipes to the end, or until the text is too long.
  mutating func readToEnd(_ textEnd: Int32, _ statusEnd: Int32) {
    var open = [textEnd, statusEnd]
    var part = [UInt8](repeating: 0, count: 4096)
    while !open.isEmpty, !isTooLong {
      var polled = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard unsafe poll(&polled, nfds_t(polled.count), -1) > 0 || errno == EINTR else { return }
      for entry in polled where entry.revents != 0 {
        let count = entry.fd == textEnd ? readText(textEnd) : readStatus(statusEnd, &part)
        if count == 0 { open.removeAll { $0 == entry.fd } }
      }
    }
  }

  /// - Returns: 0 at the end.
  private mutating func readText(_ descriptor: Int32) -> Int {
    let start = count
    let read = unsafe text.withUnsafeMutableBytes { target in
      unsafe Glibc.read(
        descriptor, target.baseAddress.map { unsafe $0 + start }, target.count - start)
    }
    if read < 0 { return errno == EINTR || errno == EAGAIN ? 1 : 0 }
    count += read
    isTooLong = count == text.count
    return read
  }

  private mutating func readStatus(_ descriptor: Int32, _ part: inout [UInt8]) -> Int {
    let read = unsafe Glibc.read(descriptor, &part, part.count)
    if read < 0 { return errno == EINTR || errno == EAGAIN ? 1 : 0 }
    status += part[..<min(read, Self.longestStatus - status.count)]
    return read
  }

  /// Why there is no text.
  var reason: Reason {
    var reason = Reason.unknown
    for line in String(decoding: status, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 2, words[0] == "[GNUPG:]" else { continue }
      if words[1] == "NO_SECKEY" { reason = .noKey }
      if words[1] == "ERROR", words.count >= 4, let code = Int(words[3]),
        Self.cancellations.contains(code & 0xFFFF)
      {
        return .cancelled
      }
    }
    return reason
  }

  consuming func finish() -> SecretBytes {
    let count = count
    return text.extracting(0..<count)
  }
}
