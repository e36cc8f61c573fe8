import Foundation
import Protocol
import Synchronization
import TestSupport
import Testing

@testable import LocalAuthentication

@Suite("LAContext, through the programs", .timeLimit(.minutes(60)))
struct LAContextTests {
  private let device: TestHome
  private let biometrics = LAPolicy.deviceOwnerAuthenticationWithBiometrics
  private let owner = LAPolicy.deviceOwnerAuthentication

  init() throws {
    device = try TestHome()
    try device.setUp()
  }

  private func touched() throws -> LAContext {
    device.context(driver: try device.ownerTouch())
  }

  @Test("a reply comes once, later, and on another thread than that which asked")
  func replies() async throws {
    let context = try touched()
    let asking = pthread_self()
    let isOtherThread = Mutex<Bool?>(nil)
    let replies = Replies()
    let mayAnswer = DispatchSemaphore(value: 0)
    context.evaluatePolicy(biometrics, localizedReason: "prove it") { isSuccess, error in
      mayAnswer.wait()
      isOtherThread.withLock { $0 = pthread_equal(asking, pthread_self()) == 0 }
      replies.take(isSuccess, error)
    }
    // If it were answered at once, this would not be reached.
    mayAnswer.signal()
    #expect(await replies.codes(1) == [nil])
    #expect(isOtherThread.withLock { $0 } == true)
    context.invalidate()
    #expect(await context.failure(of: biometrics) == .invalidContext)
    #expect(replies.count == 1)
  }

  @Test("a reply may check, evaluate, wait, and invalidate")
  func insideReply() async throws {
    let shared = SharedContext(try touched())
    let (biometrics, owner) = (biometrics, owner)
    let (outer, inner) = (Replies(), Replies())
    shared.context.evaluatePolicy(biometrics, localizedReason: "first") { isSuccess, error in
      #expect(shared.context.obstacle(to: biometrics) == nil)
      let isAnswered = DispatchSemaphore(value: 0)
      shared.context.evaluatePolicy(owner, localizedReason: "second") { isSuccess, error in
        inner.take(isSuccess, error)
        isAnswered.signal()
      }
      isAnswered.wait()
      shared.context.invalidate()
      shared.context.evaluatePolicy(owner, localizedReason: "third", reply: inner.take)
      outer.take(isSuccess, error)
    }
    #expect(await outer.codes(1) == [nil])
    #expect(await inner.codes(2) == [nil, .invalidContext])
  }

  @Test("one proof serves a hundred tasks that use one context")
  func hundredTasks() async throws {
    let shared = SharedContext(try touched())
    let (biometrics, owner) = (biometrics, owner)
    let failures = await withTaskGroup(of: LAError.Code?.self) { group in
      for number in 0..<100 {
        group.addTask {
          await shared.context.failure(of: number % 2 == 0 ? biometrics : owner)
        }
      }
      return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
    }
    // The tape holds one touch.
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test("of a hundred evaluations that wait when the context is invalidated, each is answered once")
  func hundredInvalidated() async throws {
    let context = device.context(driver: try device.untouched())
    let replies = Replies()
    for _ in 0..<100 {
      context.evaluatePolicy(biometrics, localizedReason: "wait", reply: replies.take)
    }
    try device.waitUntilDriverRuns()
    context.invalidate()
    #expect(await replies.codes(100) == Array(repeating: .appCancel, count: 100))
  }

  @Test("cancelling one task ends its evaluation and none of the others")
  func cancelOne() async throws {
    let context = device.context(driver: try device.untouched())
    let (first, second) = (Replies(), Replies())
    context.evaluatePolicy(biometrics, localizedReason: "wait", reply: first.take)
    try device.waitUntilDriverRuns()
    let ticket = EvaluationTicket()
    EvaluationTicket.$current.withValue(ticket) {
      context.evaluatePolicy(biometrics, localizedReason: "wait too", reply: second.take)
    }
    ticket.cancel()
    #expect(first.count == 0)
    context.invalidate()
    #expect(await second.codes(1) == [.appCancel])
    #expect(await first.codes(1) == [.appCancel])
  }

  @Test("an evaluation outlives its context, and is answered")
  func released() async throws {
    let replies = Replies()
    weak var released: LAContext?
    do {
      let context = try touched()
      released = context
      context.evaluatePolicy(biometrics, localizedReason: "prove it", reply: replies.take)
    }
    #expect(await replies.codes(1) == [nil])
    #expect(released == nil)
  }

  @Test("a proof ends with a lock; the context goes on, and asks again")
  func lock() async throws {
    let context = try touched()
    #expect(await context.failure(of: biometrics) == nil)
    #expect(try device.authcore("lock").status == 0)
    context.interactionNotAllowed = true
    #expect(await context.failure(of: biometrics) == .notInteractive)
    context.interactionNotAllowed = false
    #expect(await context.failure(of: biometrics) == nil)
  }

  @Test("L7: an unlock by touch answers evaluatePolicy for as long as the context says, silently")
  func reuse() async throws {
    #expect(try device.authcore("lock").status == 0)
    let unlock = try device.authcore("--driver", device.ownerTouch(), "unlock")
    #expect(unlock.json["by"]?.string == "biometry", "\(unlock.account)")
    let (fresh, reusing) = (try touched(), try touched())
    (fresh.interactionNotAllowed, reusing.interactionNotAllowed) = (true, true)
    reusing.touchIDAuthenticationAllowableReuseDuration = 1000
    #expect(reusing.touchIDAuthenticationAllowableReuseDuration == 300)
    #expect(await fresh.failure(of: biometrics) == .notInteractive)
    #expect(await reusing.failure(of: biometrics) == nil)
    for nonsense in [-1, -.infinity, .nan] as [TimeInterval] {
      reusing.touchIDAuthenticationAllowableReuseDuration = nonsense
      #expect(reusing.touchIDAuthenticationAllowableReuseDuration == 0)
    }
  }

  @Test("the domain state is known once biometry could be, or was, evaluated; fingers change it")
  func domainState() async throws {
    let asked = try touched()
    #expect(asked.evaluatedPolicyDomainState == nil && asked.biometryType == .none)
    #expect(asked.obstacle(to: owner) == nil)
    #expect(asked.evaluatedPolicyDomainState == nil && asked.biometryType == .touchID)
    #expect(asked.obstacle(to: biometrics) == nil)
    let state = try #require(asked.evaluatedPolicyDomainState)
    let evaluated = try touched()
    #expect(await evaluated.failure(of: owner) == nil)
    #expect(evaluated.evaluatedPolicyDomainState == state)
    #expect(asked.domainState.biometry.stateHash == state)
    #expect(asked.domainState.stateHash == state)
    #expect(asked.domainState.biometry.biometryType == .touchID)
    let companion = asked.domainState.companion
    #expect(companion.stateHash == nil && companion.availableCompanionTypes.isEmpty)
    #expect(companion.stateHash(for: .watch) == nil)
    try device.enroll(Array(Prints.second.get().prefix(5)), name: "thumb")
    #expect(asked.obstacle(to: biometrics) == nil)
    #expect(asked.evaluatedPolicyDomainState != state)
    #expect(asked.domainState.biometry.stateHash == asked.evaluatedPolicyDomainState)
  }

  @Test("titles, the reason and the other settings are kept")
  func settings() throws {
    let context = device.context()
    #expect(context.localizedReason == "" && context.localizedCancelTitle == nil)
    #expect(context.localizedFallbackTitle == nil && context.maxBiometryFailures == nil)
    #expect(!context.interactionNotAllowed)
    context.localizedReason = "open the chest"
    context.localizedCancelTitle = "No"
    context.localizedFallbackTitle = ""
    context.maxBiometryFailures = 7
    #expect(context.localizedReason == "open the chest" && context.localizedCancelTitle == "No")
    #expect(context.localizedFallbackTitle == "" && context.maxBiometryFailures == 7)
  }

  @Test("an application password is set and removed; a smart card's PIN is refused")
  func credentials() throws {
    let context = device.context()
    let password = Data("correct".utf8)
    #expect(!context.isCredentialSet(.applicationPassword))
    for refused in [Data(), Data(count: 1025)] {
      #expect(!context.setCredential(refused, type: .applicationPassword))
    }
    #expect(!context.setCredential(password, type: .smartCardPIN))
    #expect(!context.isCredentialSet(.smartCardPIN))
    #expect(context.setCredential(password, type: .applicationPassword))
    #expect(context.isCredentialSet(.applicationPassword))
    #expect(context.setCredential(nil, type: .applicationPassword))
    #expect(!context.isCredentialSet(.applicationPassword))
    #expect(context.setCredential(Data(count: 1024), type: .applicationPassword))
    context.invalidate()
    #expect(!context.isCredentialSet(.applicationPassword))
  }
}
