import CoreClient
import Foundation
import LocalAuthentication
import Synchronization
import TestSupport
import Testing

/// Collects the replies of evaluations, and notices superfluous ones.
final class Replies: Sendable {
  private struct State: Sendable {
    /// Nil for success.
    var codes: [LAError.Code?] = []
    var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.codes.count } }

  /// The reply of one evaluation: no error on success, else an LAError.
  var take: @Sendable (Bool, (any Error)?) -> Void {
    { [self] isSuccess, error in
      let code = isSuccess && error == nil ? nil : (error as? LAError)?.code ?? .invalidDimensions
      let waiter = state.withLock { state in
        state.codes.append(code)
        guard let waiter = state.waiter, state.codes.count >= waiter.count else {
          return CheckedContinuation<Void, Never>?.none
        }
        state.waiter = nil
        return waiter.continuation
      }
      waiter?.resume()
    }
  }

  /// Waits for this many replies.
  /// - Returns: the replies in order, including superfluous ones.
  func codes(_ count: Int) async -> [LAError.Code?] {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.codes.count >= count { return true }
        state.waiter = (count, continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
    return state.withLock { $0.codes }
  }
}

extension TestHome {
  /// An application's client of this device; `driver` is what `AUTHCORE_DRIVER` names.
  func client(driver: String? = nil) -> ApplicationClient {
    ApplicationClient(
      ApplicationSettings(
        environment: ClientEnvironment(
          home: home, driver: driver, stateFolder: nil,
          workingFolder: FileManager.default.currentDirectoryPath),
        applicationName: "Tests", program: Products.program("authcored")))
  }

  /// A context of an application of this device.
  func context(driver: String? = nil) -> LAContext {
    ApplicationClient.$replacement.withValue(client(driver: driver)) { LAContext() }
  }

  /// Waits until the core has started the driver of a tape: a touch is awaited, or is about to be.
  /// It blocks: a task that yields could be too late if other tests keep all threads busy.
  func waitUntilDriverRuns() throws {
    let deadline = ContinuousClock.now + .seconds(300)
    while !isDriverRunning {
      try #require(ContinuousClock.now < deadline, "no driver was started")
      sched_yield()
    }
  }

  /// Waits until the driver of a client that is gone has ended.
  func waitUntilNoDriverRuns() { while isDriverRunning { sched_yield() } }

  private var isDriverRunning: Bool {
    guard let core else { return false }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.contains { process in
      Int(process) != nil && text("/proc/\(process)/cmdline").contains("driver-replay")
        && text("/proc/\(process)/status").contains("PPid:\t\(core)\n")
    }
  }

  private func text(_ file: String) -> String {
    FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// A tape without touches.
  func untouched() throws -> String { try tape([String]()) + ",hold=1" }
}

extension LAContext {
  /// Why a policy cannot be evaluated, or nil.
  func obstacle(to policy: LAPolicy) -> LAError.Code? {
    var error: NSError?
    let can = unsafe canEvaluatePolicy(policy, error: &error)
    guard !can else { return nil }
    return (error as? LAError)?.code
  }

  /// The error of an evaluation, or nil.
  nonisolated(nonsending) func failure(
    of policy: LAPolicy, reason: String = "prove it"
  ) async -> LAError.Code? {
    await failure { try await $0.evaluatePolicy(policy, localizedReason: reason) }
  }

  /// The error of `body`, or nil.
  nonisolated(nonsending) func failure(
    of body: nonisolated(nonsending) (LAContext) async throws -> Bool
  ) async -> LAError.Code? {
    do {
      return try await body(self) ? nil : .invalidDimensions
    } catch {
      return (error as? LAError)?.code ?? .invalidDimensions
    }
  }
}

/// A context for several tasks, which its documentation permits but its type does not state.
struct SharedContext: @unchecked Sendable {
  let context: LAContext

  init(_ context: LAContext) { self.context = context }
}
