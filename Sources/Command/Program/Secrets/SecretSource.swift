import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// A secret that is not typed: it comes from an open descriptor or a file, never from an argument.
struct SecretSource: Equatable {
  /// The option that named it, for messages.
  let option: String
  private let place: Place

  private enum Place: Equatable {
    case descriptor(Int32)
    case file(String)
  }

  /// The source that `--NAME-fd` or `--NAME-file` names; nil if neither was given.
  /// - Throws: `usage` for both, and for a descriptor that is not open.
  init?(name: String, descriptor: Int32?, file: String?) throws(Failure) {
    switch (descriptor, file) {
    case (nil, nil): return nil
    case (.some, .some):
      throw .usage("--\(name)-fd and --\(name)-file cannot both be given")
    case (.some(let number), nil):
      option = "--\(name)-fd"
      guard number >= 0, fcntl(number, F_GETFD) >= 0 else {
        throw .usage(
          "\(option) \(number) is not an open descriptor",
          hint: "In a shell: authcore \(option) 3 … 3<FILE")
      }
      place = .descriptor(number)
    case (nil, .some("-")):
      option = "--\(name)-file"
      place = .descriptor(STDIN_FILENO)
    case (nil, .some(let path)):
      option = "--\(name)-file"
      guard unsafe access(path, R_OK) == 0 else {
        throw .usage(
          "Cannot read \(path.printable) (\(option)): \(SystemCallError.text(of: errno))")
      }
      place = .file(path)
    }
  }

  private init(option: String, place: Place) {
    (self.option, self.place) = (option, place)
  }

  /// Standard input, as what a command works on.
  static let standardInput = SecretSource(
    option: "the command itself", place: .descriptor(STDIN_FILENO))

  /// The descriptor it is read from, if that is known before it is opened. It cannot be shared.
  var sharedDescriptor: Int32? {
    switch place {
    case .descriptor(let number): number
    case .file(let path):
      Self.namesStandardInput(path) ? STDIN_FILENO : nil
    }
  }

  /// Whether a path of the command line means standard input.
  static func namesStandardInput(_ path: String) -> Bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].contains(path)
  }

  /// Refuses to read one descriptor twice: nothing says where the first secret ends.
  static func checkDistinct(_ sources: [SecretSource]) throws(Failure) {
    for (index, source) in sources.enumerated() {
      guard let descriptor = source.sharedDescriptor,
        let other = sources[..<index].first(where: { $0.sharedDescriptor == descriptor })
      else { continue }
      let place = descriptor == STDIN_FILENO ? "Standard input" : "Descriptor \(descriptor)"
      throw .usage(
        "\(place) is read twice: for \(other.option) and for \(source.option)",
        hint: "Give one of them in a file.")
    }
  }

  /// What becomes of a newline at the end.
  enum FinalNewline {
    /// It belongs to the secret.
    case kept
    /// One newline is left out, which an editor or `echo` has added.
    case leftOut
  }

  /// Reads to the end, straight into locked memory. `limit` is without a newline that is left out.
  /// - Throws: `usage` if it cannot be read or is too long.
  func read(
    _ newline: FinalNewline = .leftOut, limit: Int, interrupts: Interrupts
  ) throws(Failure) -> SecretBytes {
    switch place {
    case .descriptor(let number):
      let name = number == STDIN_FILENO ? "standard input" : option
      return try read(number, named: name, newline, limit, interrupts)
    case .file(let path):
      let name = path.printable
      let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard number >= 0 else { throw .cannotRead(name) }
      let file = Descriptor(owning: number)
      return try read(file.number, named: name, newline, limit, interrupts)
    }
  }

  private func read(
    _ descriptor: Int32, named name: String, _ newline: FinalNewline, _ limit: Int,
    _ interrupts: Interrupts
  ) throws(Failure) -> SecretBytes {
    let read = try interrupts.readToEnd(descriptor, named: name, limit: limit + 1)
    guard let read else { throw Self.tooLong(name, limit) }
    let endsWithNewline = read.count > 0 && read.bytes[read.count - 1] == 0x0A
    let count = newline == .leftOut && endsWithNewline ? read.count - 1 : read.count
    guard count <= limit else { throw Self.tooLong(name, limit) }
    return SecretBytes(copying: read.bytes.extracting(first: count))
  }

  private static func tooLong(_ name: String, _ limit: Int) -> Failure {
    Failure(.usage, "The secret from \(name) is longer than \(limit) bytes")
  }
}

/// A passcode or application password that need not be asked for: one from an option, which is read
/// once when it is needed, or one that this command has just set.
final class GivenPasscode: GivenAnswers.Secret {
  /// Nil if it is known already.
  let source: SecretSource?
  private let interrupts: Interrupts
  private var passcode: SecretBytes?

  init(_ source: SecretSource, _ interrupts: Interrupts) {
    (self.source, self.interrupts) = (source, interrupts)
  }

  init(_ passcode: consuming SecretBytes, _ interrupts: Interrupts) {
    source = nil
    self.interrupts = interrupts
    self.passcode = consume passcode
  }

  func read() throws(Failure) -> SecretBytes {
    if passcode == nil {
      passcode = try source?.read(limit: longestPasscode, interrupts: interrupts)
    }
    return passcode?.duplicate() ?? SecretBytes(count: 0)
  }
}
