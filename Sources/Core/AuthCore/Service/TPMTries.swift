import Protocol
import Synchronization

/// The wrong passcodes that the TPM of the machine remembers, by the user who gave them. A value.
///
/// The TPM has one lock for all users, and a right passcode does not make it forget a wrong one. So
/// each user may have it remember a third of what is left, and there is always something left for
/// others. It forgets one an hour after the last wrong one, whoever gave it; here that is the oldest.
struct TPMTries: Equatable, Sendable {
  /// One fewer than lock the TPM, as the enclave sets that up.
  static let most = 31
  /// How many of them only root, and PAM on the way to a login, may use.
  static let reserve = 4
  /// After how long the TPM forgets one, in nanoseconds.
  static let memory: UInt64 = 3600 * 1_000_000_000

  /// Whose they are, the oldest first; those that are being judged at this moment too.
  private var users: [UInt32] = []
  /// When the last wrong one came, or one was forgotten since.
  private var since: UInt64 = 0

  /// Takes a try for a user before the TPM is asked; `isRoot` says whether root asks. What comes of it
  /// is told by ``settle(_:wasCounted:at:)``.
  /// - Returns: nanoseconds after which there may be one, where there is none now; else nil.
  mutating func take(_ user: UInt32, isRoot: Bool, at now: UInt64) -> UInt64? {
    forget(at: now)
    let own = users.count { $0 == user }
    let left = Self.most - (isRoot ? 0 : Self.reserve) - users.count
    guard 2 * own < left else { return since + Self.memory - min(now, since + Self.memory) }
    // The hour begins before the try is judged, else it would be forgotten at once.
    if users.isEmpty { since = now }
    users.append(user)
    return nil
  }

  /// The try of a user was judged, or not. One that was not counted is given back.
  mutating func settle(_ user: UInt32, wasCounted: Bool, at now: UInt64) {
    if wasCounted {
      since = now
    } else if let index = users.lastIndex(of: user) {
      users.remove(at: index)
    }
  }

  private mutating func forget(at now: UInt64) {
    while !users.isEmpty, now >= since + Self.memory {
      users.removeFirst()
      since += Self.memory
    }
  }
}

/// Keeps the ``TPMTries`` of a process. Any thread.
final class TPMTryLedger: Sendable {
  private let tries = Mutex(TPMTries())

  /// Has a passcode judged that costs a try of the TPM if it is wrong.
  /// - Parameters:
  ///   - user: whose passcode it is.
  ///   - isRoot: whether root asks.
  ///   - clock: what time it is.
  ///   - judge: has the enclave judge it.
  /// - Throws: `tpmLockout` without asking, and what `judge` throws.
  func judging(
    _ user: UInt32, isRoot: Bool, _ clock: BootClock, _ judge: () throws(Failure) -> Void
  ) throws(Failure) {
    if let wait = tries.withLock({ $0.take(user, isRoot: isRoot, at: clock.now()) }) {
      throw Self.refusal(minutes: wait / 60_000_000_000 + 1)
    }
    // What is interrupted may have been judged: it counts.
    var wasCounted = true
    defer { tries.withLock { $0.settle(user, wasCounted: wasCounted, at: clock.now()) } }
    do throws(Failure) {
      try judge()
      wasCounted = false
    } catch {
      wasCounted = error.code != .passcodeDelayed && error.code != .tpmLockout
      throw error
    }
  }

  private static func refusal(minutes: UInt64) -> Failure {
    Failure(
      .tpmLockout, "too many wrong passcodes were given on this machine for its TPM to judge yours",
      hint: "wait \(minutes) minutes; the TPM forgets one an hour after the last wrong one")
  }
}
