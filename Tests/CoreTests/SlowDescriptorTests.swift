import Glibc
import Protocol
import TestSupport
import Testing

@testable import AuthCore
@testable import LinuxSystem

/// The service's clients are doors, which may send descriptors.
private struct Doors: ApplicationNaming {
  func client(connectedTo socket: Int32, _ peer: PeerCredentials) -> NamedClient {
    NamedClient(application: "/bin/x", isAgentProgram: false, door: .sshAgent)
  }
}

@Suite("Descriptors whose closing waits")
struct SlowDescriptorTests {
  /// What becomes of a descriptor that a client sends.
  enum Way: CaseIterable, Sendable {
    case withRequest, withGarbage, withUnknown, inLength, tooMany, noProcess, urgent
    case unfinished, behind
    // On demand alone.
    case used, replaced, wrongCount, queued, cancelled, tooManyWait

    static let ofDoor = allCases.prefix { $0 != .used }
  }

  /// A core, and a hostile client of it.
  private struct Attack {
    let neighbor: TestCore
    let core: TestCore
    let process: Int32

    /// In the service a user attacks another, on demand a process.
    init(isService: Bool) {
      guard isService else {
        core = TestCore()
        (neighbor, process) = (core, 7)
        return
      }
      neighbor = TestCore(naming: Doors(), servesUsers: true, user: 1)
      core = TestCore(naming: Doors(), beside: neighbor, user: 2)
      process = getpid()
    }

    var line: ClosingLine {
      core.core.connections.line(of: PeerCredentials(process: process, user: core.user))
    }

    func greeted() throws -> FakeClient { try core.greetedClient(from: process) }
  }

  private func send(
    _ bytes: [UInt8], _ descriptors: [Int32], isUrgent: Bool = false, to client: FakeClient
  ) {
    let socket = client.stream.descriptor.number
    #expect(sendTogether(bytes, descriptors, isUrgent: isUrgent, to: socket))
  }

  private func use(_ client: FakeClient, _ numbers: [Int32], id: UInt32 = 900) throws {
    try client.stream.send(
      ClientEnvelope.encode(UseDriver(driver: "fake", options: []), request: id),
      descriptors: numbers)
  }

  /// Sends a descriptor.
  private func carryOut(_ way: Way, _ number: Int32, in attack: Attack) throws {
    if way == .behind {
      // The first message ends the connection, so what is behind it is never read.
      _ = try attack.core.connect(from: attack.process) { client in
        send([0, 0, 0, 1, 0], [], to: client)
        send([0], [number], to: client)
      }
      return
    }
    let client = try attack.greeted()
    let identifier: [UInt8] = [0, 0, 3, 132]
    switch way {
    case .withRequest: send([0, 0, 0, 5, GetStatus.number] + identifier, [number], to: client)
    case .withGarbage:
      send([0, 0, 0, 6, ActFor.number] + identifier + [9], [number], to: client)
    case .withUnknown: send([0, 0, 0, 5, 250] + identifier, [number], to: client)
    case .inLength: send([255, 255, 255, 255], [number], to: client)
    case .tooMany: send([0], [Int32](repeating: number, count: 250), to: client)
    case .noProcess:
      try client.stream.send(
        ClientEnvelope.encode(ActFor(program: nil), request: 900), descriptors: [number])
      _ = try client.receiveFailure()
    case .urgent:
      send([0], [number], isUrgent: true, to: client)
      send([0, 0, 5, GetStatus.number] + identifier, [], to: client)
      #expect(try client.receiveFailure() == .usage)
    case .unfinished: send([0, 0, 0, 9, GetStatus.number], [number], to: client)
    case .used, .replaced:
      for descriptors in way == .used ? [[number]] : [[number], []] {
        try use(client, descriptors)
        _ = try client.receive(Done.self)
      }
    case .wrongCount:
      try use(client, [number, number, number])
      #expect(try client.receiveFailure() == .usage)
    case .queued, .cancelled, .tooManyWait:
      try client.send(Evaluate(policy: .owner, options: .test(prefersPasscode: true)))
      _ = try client.receive(Prompt.self)
      let count = way == .tooManyWait ? attack.core.core.limits.waitingRequests + 1 : 1
      for id in 0..<UInt32(count) { try use(client, [number], id: 900 + id) }
      if way == .cancelled {
        try client.send(Cancel(), request: 900)
        #expect(try client.receiveFailure() == .appCancel)
      }
      if way == .tooManyWait { #expect(try client.receiveFailure() == .busy) }
    case .behind: break
    }
  }

  private func isServed(_ client: FakeClient) throws {
    try client.send(GetStatus())
    _ = try client.receive(CoreStatus.self)
  }

  private func holdsUpNobody(_ way: Way, isService: Bool) throws {
    let attack = Attack(isService: isService)
    let neighbor = try attack.neighbor.greetedClient()
    do {
      let slow = try SlowToClose()
      try carryOut(way, slow.number, in: attack)
      slow.giveAway()
      for _ in 0..<5 { try isServed(neighbor) }
      try isServed(try attack.neighbor.greetedClient())
    }
    let watched = try WatchedDescriptor()
    try carryOut(way, watched.number, in: attack)
    #expect(watched.isClosed())
  }

  @Test(
    "FINDINGS A2: whatever a door sends with a descriptor, its closing holds up no other user",
    arguments: Way.ofDoor)
  func service(way: Way) throws { try holdsUpNobody(way, isService: true) }

  @Test(
    "FINDINGS A2: on demand, too, the closing of what one program sent holds up no other",
    arguments: Way.allCases)
  func onDemand(way: Way) throws { try holdsUpNobody(way, isService: false) }

  @Test("FINDINGS A2: of a user with many that wait to be closed nothing more is read, until then")
  func many() throws {
    let attack = Attack(isService: true)
    let neighbor = try attack.neighbor.greetedClient()
    var slow: SlowToClose? = try SlowToClose()
    attack.line.close([try #require(slow).take()])
    try carryOut(.tooMany, 0, in: attack)
    #expect(eventually { attack.line.isLong })
    let refused = try attack.core.connect(from: attack.process) { try $0.send(GetStatus()) }
    #expect(refused.isDisconnected())
    try isServed(neighbor)
    slow = nil
    #expect(eventually { !attack.line.isLong })
    try isServed(try attack.greeted())
  }
}
