import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

@Suite("X6: clearing a reader that several users of the machine share")
struct ReaderClearingTests {
  private struct Commands: ApplicationNaming {
    func client(connectedTo socket: Int32, _ peer: PeerCredentials) -> NamedClient {
      NamedClient(application: commandApplication, isAgentProgram: false)
    }
  }

  /// One of the service's cores, whose reader holds so many templates of others, time after time.
  private func core(others: [UInt32]) throws -> TestCore {
    let test = TestCore(
      others.map { others in
        .outcome(
          .chip(
            ReaderContents(own: 1, leftovers: 0, others: others, capacity: 10), isLast: true))
      }, naming: Commands())
    try test.devices.install("alpha", for: .alpha)
    test.devices.plug(.alpha)
    return test
  }

  private let clearing = WorkOnReader(work: .clear, options: .test())

  @Test("an ordinary user may not clear templates of others, and is told who may before any prompt")
  func ordinary() throws {
    let test = try core(others: [2])
    let client = try test.greetedClient()
    try client.send(clearing)
    let failure = try client.receive(Failure.self)
    #expect(failure.code == .refusedByService)
    #expect(failure.hint?.contains("sudo authcore finger clear-reader") == true)
    #expect(failure.hint?.contains("authcore finger remove") == true)
    #expect(test.enclave.state.read { $0.chipWork } == [.list])
  }

  @Test("a user who enrolled while the passcode was typed keeps the template")
  func later() throws {
    let test = try core(others: [0, 1])
    let client = try test.greetedClient()
    let id = try client.send(clearing)
    try client.answer(try client.receivePrompt(), .passcode, "1234", request: id)
    #expect(try client.receiveFailure() == .refusedByService)
    #expect(test.enclave.state.read { $0.chipWork } == [.list, .list])
  }

  @Test("an ordinary user clears a reader without templates of others, and root any reader")
  func allowed() throws {
    for (user, others, work) in [
      (TestCore.serviceUser, [0, 0, 0], [.list, .list, .clear]), (0, [2], [.clear]),
    ] as [(UInt32, [UInt32], [ChipWork])] {
      let test = try core(others: others)
      let client = try test.greetedClient(as: user)
      let id = try client.send(clearing)
      try client.answer(try client.receivePrompt(), .passcode, "1234", request: id)
      let report = try client.receiveAfterProgress(ReaderReport.self).value
      #expect(report.contents.capacity == 10)
      #expect(test.enclave.state.read { $0.chipWork } == work)
    }
  }
}
