import Glibc
import LinuxSystem
import PluginHosting

/// What common.h forbids a plugin and nothing else prevents: printing, and changing what signals
/// do. Looked at after each call, on the thread that made it.
struct ConductCheck: Sendable {
  /// The end at which arrives what is printed; -1 where nobody listens.
  private let printed: Int32
  private var mask = sigset_t()
  private var actions: [Int32: UInt] = [:]

  /// Listens to standard output and error from here on. Before the sandbox: it allows no new
  /// descriptors.
  static func listening() -> ConductCheck {
    // Does not block, so that a driver that prints a lot is not kept from being ended for it.
    guard let pipe = try? Pipe(nonBlocking: .both) else { return ConductCheck(printed: -1) }
    dup2(pipe.writer, STDOUT_FILENO)
    dup2(pipe.writer, STDERR_FILENO)
    // Open until the process ends.
    return ConductCheck(printed: pipe.takeReader().release())
  }

  /// Listens to nothing: a library that opens devices itself, or umockdev's, may complain where it
  /// likes.
  static var deaf: ConductCheck { ConductCheck(printed: -1) }

  private init(printed: Int32) { self.printed = printed }

  /// Remembers how things are before the plugin is called. The thread that will make the calls.
  mutating func remember() {
    unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
    actions = Self.signalActions()
  }

  /// The rule that was broken since, as the end of a sentence about the plugin; nil: none.
  func breach() -> String? {
    if hasPrinted { return "wrote to standard output or error; a driver logs by host->log" }
    var current = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, nil, &current)
    if Self.bytes(of: current) != Self.bytes(of: mask) {
      return "left the signal mask of its thread changed"
    }
    let now = Self.signalActions()
    if let changed = actions.first(where: { now[$0.key] != $0.value })?.key {
      return "changed what signal \(changed) does"
    }
    return nil
  }

  private var hasPrinted: Bool {
    guard printed >= 0 else { return false }
    var count: Int32 = 0
    return unsafe ioctl(printed, UInt(FIONREAD), &count) == 0 && count > 0
  }

  private static func signalActions() -> [Int32: UInt] {
    var actions: [Int32: UInt] = [:]
    // SIGSYS is the sandbox's own, which does not allow to ask for it.
    for number in Int32(1)...31 where number != SIGSYS {
      var action = sigaction()
      guard unsafe sigaction(number, nil, &action) == 0 else { continue }
      // The union of two pointers to functions (sigaction(2)); which one does not matter.
      actions[number] = unsafe withUnsafeBytes(of: &action.__sigaction_handler) {
        unsafe $0.load(as: UInt.self)
      }
    }
    return actions
  }

  private static func bytes(of mask: sigset_t) -> [UInt8] {
    unsafe withUnsafeBytes(of: mask) { unsafe Array($0) }
  }
}
