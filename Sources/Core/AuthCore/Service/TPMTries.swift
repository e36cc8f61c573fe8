import Protocol
import Synchronization

/// The wrong passcodes that the machine's TPM remembers, by user. A value.
///
/// The TPM has one lock for all users, and a right passcode does not make it forget a wrong one. So
/// each user may use a third of the tries that are left, and some are always left for others. The
/// TPM forgets one try an hour after the last wrong one; here the oldest one is dropped.
struct TPMTries: Equatable, Sendable {
  /// One fewer than lock the TPM, as the enclave configures it.
  static let most = 31
  /// How many of them only root, and PAM before a login, may use.
  static let reserve = 4
  /// How long the TPM remembers one, in nanoseconds.
  static let memory: UInt64 = 3600 * 1_000_000_000

  /// Their users, the oldest first, including those being judged.
  private var users: [UInt32] = []
  /// When the last wrong one came, or the last one was forgotten.
  private var since: UInt64 = 0

  /// Takes a try for a user before the TPM is asked. ``settle(_:wasCounted:at:)`` must follow.
  /// - Returns: nil, or nanoseconds until a try is possible.
  mutating func take(_ user: UInt32, isRoot: Bool, at now: UInt64) -> UInt64? {
    forget(at: now)
    let own = users.count { $0 == user }
    let left = Self.most - (isRoot ? 0 : Self.reserve) - users.count
    guard 2 * own < left else { return since + Self.memory - min(now, since + Self.memory) }
    // The hour begins before the try is judged, or it would be forgotten at once.
    if users.isEmpty { since = now }
    users.append(user)
    return nil
  }

  /// Gives a try back that was not counted.
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

final class TPMTryLedger: Sendable {
  private let tries = Mutex(TPMTries())

  /// Has a passcode judged that costs a try of the TPM if it is wrong.
  /// - Parameters:
  ///   - user: whose passcode it is.
  ///   - isRoot: whether root asks.
  ///   - clock: tells the time.
  ///   - judge: has the enclave judge it.
  /// - Throws: `tpmLockout` without asking, and what `judge` throws.
  func judging(
    _ user: UInt32, isRoot: Bool, _ clock: BootClock, _ judge: () throws(Failure) -> Void
  ) throws(Failure) {
    if let wait = tries.withLock({ $0.take(user, isRoot: isRoot, at: clock.now()) }) {
      throw Self.refusal(minutes: wait / 60_000_000_000 + 1)
    }
    // An interrupted try counts, because it may have been judged.
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
