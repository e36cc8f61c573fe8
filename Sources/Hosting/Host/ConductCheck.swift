import Glibc
import LinuxSystem
import PluginHosting

/// Checks what common.h forbids and nothing else prevents: printing, and changing what signals do.
/// Used after each call, on the thread that made it.
struct ConductCheck: Sendable {
  /// The end from which printed bytes are read; -1 if none.
  private let printed: Int32
  private var mask = sigset_t()
  private var actions: [Int32: UInt] = [:]

  /// Listens to standard output and error from now on. Call it before the sandbox closes, which
  /// allows no new descriptors.
  static func listening() -> ConductCheck {
    // Does not block, so that a driver that prints a lot can still be ended for it.
    guard let pipe = try? Pipe(nonBlocking: .both) else { return ConductCheck(printed: -1) }
    dup2(pipe.writer, STDOUT_FILENO)
    dup2(pipe.writer, STDERR_FILENO)
    // Open until the process ends.
    return ConductCheck(printed: pipe.takeReader().release())
  }

  /// Listens to nothing, for libraries that open devices themselves, and umockdev's, which may
  /// print.
  static var deaf: ConductCheck { ConductCheck(printed: -1) }

  private init(printed: Int32) { self.printed = printed }

  /// Remembers the signals before the plugin is called. The thread that will make the calls.
  mutating func remember() {
    unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
    actions = Self.signalActions()
  }

  /// The rule that was broken since, as the end of a sentence about the plugin; nil if none.
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
    // SIGSYS belongs to the sandbox, which does not let it be read.
    for number in Int32(1)...31 where number != SIGSYS {
      var action = sigaction()
      guard unsafe sigaction(number, nil, &action) == 0 else { continue }
      // A union of two function pointers (sigaction(2)); which one does not matter.
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
