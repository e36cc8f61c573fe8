import LinuxSystem

/// Sees whether a process runs code that is not root's, as far as that can be seen
/// (docs/decisions/0043).
///
/// To look takes the lock of the process's memory, which its user can hold as long as they like. So
/// another thread looks, for a limited time. What was not seen counts as somebody's. A user who let
/// it wait is not looked at for a while, so that the next one does not wait for them again.
final class CodeInspector: Sendable {
  /// Users who are not looked at, and until when.
  private let paused = Guarded<[UInt32: UInt64]>([:])

  /// How long a look may take, in nanoseconds. The witness must answer before the core gives it up.
  private let limit: UInt64
  /// For how long a user who exceeds that is left out.
  static let pause: UInt64 = 60_000_000_000

  init(limit: UInt64 = 1_000_000_000) { self.limit = limit }

  /// Looks at a process.
  /// - Parameters:
  ///   - process: its number.
  ///   - user: whose it is.
  ///   - look: what looks.
  /// - Returns: whether it runs code that root did not put there, or could not be looked at in time.
  func isForeign(
    in process: Int32, of user: UInt32,
    look: @escaping @Sendable (Int32) -> LoadedCode? = { LoadedCode(of: $0) }
  ) -> Bool {
    let (began, limit) = (Deadline.now, limit)
    let mayLook = paused.update { paused in
      guard paused[user, default: 0] <= began else { return false }
      paused[user] = .max
      return true
    }
    guard mayLook else { return true }
    let found = Guarded<Bool?>(nil)
    SystemThread.start(name: "looks at code") { [paused] in
      let isForeign = look(process).map(Self.isForeign) ?? true
      let now = Deadline.now
      paused.update { $0[user] = now - began < limit ? nil : now + Self.pause }
      found.update { $0 = isForeign }
    }
    return found.wait(nanoseconds: limit) { $0 } ?? true
  }

  /// Whether something of it is not root's.
  static func isForeign(_ code: LoadedCode) -> Bool {
    !RootOwnedPath.areRootOwned(code.mapped)
  }
}
