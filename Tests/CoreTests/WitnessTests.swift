import Foundation
import LinuxSystem
import Protocol
import Testing

@testable import AuthCore

@Suite("The witness of who is calling")
struct WitnessTests {
  /// A witness on a thread of this process.
  private func witness(_ losses: Guarded<Int> = Guarded(0)) throws -> ProcessWitness {
    let pair = try SocketPair()
    let far = dup(pair.far.number)
    SystemThread.start(name: "witness") { WitnessProcess.serve(Descriptor(owning: far)) }
    return ProcessWitness(pair.takeNear()) { losses.update { $0 += 1 } }
  }

  private struct NoSuchProcess: Error {}

  /// `#require` takes no value that cannot be copied.
  private func held(_ identifier: Int32) throws -> RunningProcess {
    guard let process = RunningProcess(identifier) else { throw NoSuchProcess() }
    return process
  }

  @Test("it says what a process runs, since when, and whose it is")
  func observes() throws {
    let witness = try witness()
    let own = try held(getpid())
    let seen = witness.observe(own)
    let observed = try #require(seen)
    #expect(observed.executable == RunningExecutable.ofThisProcess())
    #expect(observed.user == getuid())
    #expect(observed.startTime == ProcessStatus(of: getpid())?.startTime)
  }

  @Test("FINDINGS A12: it says whose code a process runs")
  func code() throws {
    let witness = try witness()
    let child = try ProgramLaunch(path: "/bin/sleep", arguments: ["600"]).start()
    defer {
      child.kill()
      _ = child.wait()
    }
    let process = try held(child.identifier)
    let isForeign = witness.seesForeignCode(in: process, of: getuid())
    // This one was built, and not installed by root.
    let own = try held(getpid())
    let isOwnForeign = witness.seesForeignCode(in: own, of: getuid())
    #expect(!isForeign)
    #expect(isOwnForeign || getuid() == 0)
  }

  @Test("of a process that has ended it says nothing")
  func ended() throws {
    let witness = try witness()
    let child = try ProgramLaunch(path: "/bin/sleep", arguments: ["600"]).start()
    let process = try held(child.identifier)
    let before = witness.observe(process)
    #expect(before != nil)
    child.kill()
    _ = child.wait()
    let after = witness.observe(process)
    #expect(after == nil)
  }

  @Test("one that is gone, or answers what makes no sense, names nobody; the first is said")
  func lost() throws {
    let losses = Guarded(0)
    // The other end is closed with the pair.
    let gone = ProcessWitness(try SocketPair().takeNear()) { losses.update { $0 += 1 } }
    let own = try held(getpid())
    let seen = gone.observe(own)
    #expect(seen == nil)
    #expect(losses.read { $0 } == 1)
    for bytes: [UInt8] in [[], [2], [1], [1, 0, 0, 0, 9], [0, 0]] {
      let observed: ObservedProcess? = WitnessProcess.decode(bytes.span)
      #expect(observed == nil)
    }
    let isForeign = gone.seesForeignCode(in: own, of: getuid())
    #expect(isForeign)
  }

  @Test("what it says arrives as it was said")
  func encoding() throws {
    let observed = ObservedProcess(
      executable: RunningExecutable(path: [47, 255, 10], device: 1 << 40, inode: 7), startTime: 9,
      user: 4_294_967_294, controlGroup: "/system.slice/x.service",
      confinement: "snap.a.b (enforce)", isApart: true)
    var encoder = WireEncoder()
    encoder.write(Optional(observed))
    let bytes = encoder.finish()
    let decoded: ObservedProcess? = WitnessProcess.decode(bytes.bytes)
    #expect(decoded == observed)
  }

  @Test("the one hierarchy of version 2 counts, whatever others there are")
  func groups() {
    let text = "12:cpu:/x\n1:name=systemd:/y\n0::/system.slice/z.service\n"
    #expect(ObservedProcess.unifiedGroup(in: text) == "/system.slice/z.service")
    #expect(ObservedProcess.unifiedGroup(in: "1:name=systemd:/y\n") == "")
  }

  @Test("a process has a number in each process namespace below that of /proc")
  func numbers() {
    #expect(ObservedProcess.numbers(in: "Pid:\t7\nNSpid:\t7\nNSsid:\t7\n") == 1)
    #expect(ObservedProcess.numbers(in: "Pid:\t7\nNSpid:\t7\t3\t1\n") == 3)
    #expect(ObservedProcess.numbers(in: "Pid:\t7\n") == 0)
  }

  // MARK: Holding a client to it

  private func writer(_ process: Int32) -> MessageWriter {
    MessageWriter(process: process, user: getuid(), group: getgid())
  }

  @Test("K2: what another process writes is refused, and so is what nobody knows the writer of")
  func anotherWriter() throws {
    let process = try held(getpid())
    let seen = ObservedProcess(of: process)
    let observed = try #require(seen)
    let program = PeerProgram(process, observed, look: nil)
    #expect(program.objection(to: writer(getpid())) == nil)
    #expect(program.objection(to: writer(getppid()))?.code == .errSecMissingEntitlement)
    #expect(program.objection(to: nil)?.code == .errSecMissingEntitlement)
  }

  @Test("where the kernel began late to say who writes, only what came before is taken unknown")
  func lateBeginning() throws {
    let process = try held(getpid())
    let seen = ObservedProcess(of: process)
    let observed = try #require(seen)
    let program = PeerProgram(process, observed, mayBeginUnknown: true, look: nil)
    #expect(program.objection(to: nil) == nil)
    #expect(program.objection(to: nil) == nil)
    #expect(program.objection(to: writer(getpid())) == nil)
    #expect(program.objection(to: nil)?.code == .errSecMissingEntitlement)
    #expect(program.objection(to: writer(getppid()))?.code == .errSecMissingEntitlement)
  }

  @Test("K2: a process that has ended leaves its name to nobody who gets its number")
  func deadPeer() throws {
    let child = try ProgramLaunch(path: "/bin/sleep", arguments: ["600"]).start()
    let process = try held(child.identifier)
    let seen = ObservedProcess(of: process)
    let observed = try #require(seen)
    let program = PeerProgram(process, observed, look: nil)
    #expect(program.objection(to: writer(child.identifier)) == nil)
    child.kill()
    _ = child.wait()
    #expect(program.objection(to: writer(child.identifier)) != nil)
  }

  /// Gives every client a name that protects.
  private struct ProtectingNaming: ApplicationNaming {
    func client(connectedTo socket: Int32, _ peer: PeerCredentials) -> NamedClient {
      guard let process = RunningProcess(peer.process), let seen = ObservedProcess(of: process)
      else { return NamedClient(application: "", isAgentProgram: false) }
      let program = PeerProgram(process, seen, look: { ObservedProcess(of: $0) })
      return NamedClient(application: "/bin/x", isAgentProgram: false, program: program)
    }
  }

  @Test("K2: a name that protects is for who waits to be welcomed: what came before is nobody's")
  func eager() throws {
    let test = TestCore(naming: ProtectingNaming())
    let patient = try test.greetedClient()
    try patient.send(GetStatus())
    _ = try patient.receive(CoreStatus.self)
    let eager = try test.connect { client in
      try client.send(Hello(protocolVersion: ClientEnvelope.version, softwareVersion: "test"))
      try client.send(GetStatus())
    }
    let failure = try eager.receive(Failure.self)
    #expect(failure.code == .errSecMissingEntitlement && failure.message.contains("before Welcome"))
    #expect(eager.isDisconnected())
  }

  @Test("K2: a process that runs another program has lost the name of the first")
  func replaced() throws {
    let input = try LinuxSystem.Pipe(nonBlocking: .both)
    let output = try LinuxSystem.Pipe(nonBlocking: .writer)
    // The shell reads one byte at a time, so that the rest is left for what takes its place.
    _ = fcntl(input.reader, F_SETFL, 0)
    var launch = ProgramLaunch(path: "/bin/sh", arguments: ["-c", "read first; exec /bin/cat"])
    launch.standardStreams = [input.reader, output.writer, nil]
    let child = try launch.start()
    defer {
      child.kill()
      _ = child.wait()
    }
    let process = try held(child.identifier)
    let seen = ObservedProcess(of: process)
    let observed = try #require(seen)
    let program = PeerProgram(
      process, observed,
      look: { (process: borrowing RunningProcess) in ObservedProcess(of: process) })
    let label = PeerProgram(try held(child.identifier), observed, look: nil)
    #expect(program.objectionToProgram() == nil)
    let lines = Array("first\nsecond\n".utf8)
    #expect(unsafe write(input.writer, lines, lines.count) == lines.count)
    var byte: UInt8 = 0
    // The second line comes from the other program.
    #expect(unsafe read(output.reader, &byte, 1) == 1)
    let failure = try #require(program.objectionToProgram())
    #expect(
      failure.code == .errSecMissingEntitlement && failure.message.contains("another program"))
    // A label is worth no look: any program of the user can have it.
    #expect(label.objectionToProgram() == nil)
  }
}
