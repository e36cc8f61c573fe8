import Wire

/// The passcode of `--passcode-fd` or `--passcode-file`: read when it is first asked for, then kept for the command's other requests.
final class GivenPasscode {
  /// Where it comes from.
  let source: SecretSource
  private let interrupts: Interrupts
  private var passcode: SecretBytes?

  init(_ source: SecretSource, _ interrupts: Interrupts) {
    self.source = source
    self.interrupts = interrupts
  }

  /// The longest passcode the core takes, in bytes.
  static let limit = 1024

  /// A copy of the passcode.
  func read() throws(Failure) -> SecretBytes {
    if passcode == nil { passcode = try source.read(limit: Self.limit, interrupts: interrupts) }
    return passcode?.duplicate() ?? SecretBytes(count: 0)
  }
}
