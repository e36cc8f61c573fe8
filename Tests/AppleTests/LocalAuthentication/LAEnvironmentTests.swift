import CoreClient
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LocalAuthentication

@Suite("LAEnvironment, through the programs", .timeLimit(.minutes(60)))
struct LAEnvironmentTests {
  private let device: TestHome
  init() throws { device = try TestHome() }

  private final class Witness: LAEnvironment.Observer {
    private let former = Mutex<LAEnvironment.State?>(nil)
    private let continuation: AsyncStream<LAEnvironment.State>.Continuation

    init(_ continuation: AsyncStream<LAEnvironment.State>.Continuation) {
      self.continuation = continuation
    }

    func environment(
      _ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State
    ) {
      continuation.yield(oldState)
    }
  }

  @Test("L2: the state has reader, fingers, lockout and passcode")
  func state() throws {
    let environment = LAEnvironment(device.client(driver: try device.strangerTouches(8)))
    let fresh = environment.state
    #expect(fresh.userPassword?.isSet == false && fresh.userPassword?.isUsable == false)
    #expect(fresh.biometry?.isEnrolled == false && fresh.biometry?.isUsable == false)
    #expect(fresh.biometry?.stateHash == Data() && fresh.companions.isEmpty)
    #expect(fresh.allMechanisms.count == 2)

    try device.setUp()
    let enrolled = environment.state
    #expect(enrolled.userPassword?.isSet == true && enrolled.userPassword?.isUsable == true)
    #expect(enrolled.biometry?.isEnrolled == true && enrolled.biometry?.isUsable == true)
    #expect(enrolled.biometry?.isLockedOut == false && enrolled.biometry?.stateHash != Data())
    #expect(enrolled.biometry?.biometryType == .touchID)
    #expect(enrolled.biometry?.builtInSensorInaccessible == false)
    #expect(enrolled != fresh && enrolled == environment.state)
    #expect(enrolled.hash == environment.state.hash)

    for _ in 0..<2 {
      _ = try device.authcore(
        "--driver", device.strangerTouches(3), "auth", "--policy", "biometrics", "--reason", "x")
    }
    let lockedOut = environment.state
    #expect(lockedOut.biometry?.isLockedOut == true && lockedOut.biometry?.isUsable == false)
    #expect(lockedOut.biometry?.isEnrolled == true)
    #expect(lockedOut.userPassword?.isUsable == true)
  }

  @Test("without a reader there is no biometry, and without a core nothing")
  func nothing() throws {
    let environment = LAEnvironment(device.client())
    #expect(environment.state.biometry == nil && environment.state.userPassword != nil)
    #expect(LAEnvironment.State(nil).allMechanisms.isEmpty)
  }

  @Test("an observer is told of changes until it is removed")
  func observers() async throws {
    let environment = LAEnvironment(device.client())
    let (states, continuation) = AsyncStream.makeStream(of: LAEnvironment.State.self)
    let observer = Witness(continuation)
    environment.addObserver(observer)
    environment.addObserver(observer)
    let set = try device.authcore("passcode", "set", passcode: TestHome.passcode)
    #expect(set.status == 0, "\(set.account)")
    var changes = states.makeAsyncIterator()
    let former = await changes.next()
    #expect(former?.userPassword?.isSet == false)
    environment.removeObserver(observer)
    continuation.finish()
    #expect(await changes.next() == nil)
  }
}
