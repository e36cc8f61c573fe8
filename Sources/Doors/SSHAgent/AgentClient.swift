import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// One client's connection, served on a thread of its own.
struct AgentClient: ~Copyable {
  private let socket: Descriptor
  private let desk: SigningDesk
  private let caller: Caller
  /// Names the caller to the core.
  private let core: ApplicationClient
  private var session = AgentSession()
  /// Who has written into the connection, which others may have inherited.
  private var writers = MessageWriters()
  private var upstream: UpstreamAgent?

  /// - Parameters:
  ///   - socket: the client's.
  ///   - desk: signs.
  ///   - own: the agent's client of the core.
  ///   - upstream: the path of the agent behind this one; nil for none.
  init(
    _ socket: consuming Descriptor, _ desk: SigningDesk, _ own: ApplicationClient,
    upstream: String?
  ) {
    caller = Caller(connectedTo: socket.number)
    core = ApplicationClient(
      own.settings, actingFor: RunningProcess(connectedTo: socket.number), beside: own)
    self.socket = socket
    self.desk = desk
    self.upstream = upstream.map { UpstreamAgent($0) }
  }

  /// Answers until the client leaves, gives way, or sends what is no message.
  mutating func serve(in seat: ClientSeats.Seat) {
    // While its socket is open: the number of a closed one may be another client's.
    defer { seat.leave() }
    var cutter = MessageCutter()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      do throws(DecodeError) {
        while let message = try cutter.next() {
          let answer = answer(to: message)
          seat.answer()
          guard AgentSocket.send(answer, to: socket.number), seat.begin() else { return }
        }
      } catch {
        return
      }
      seat.wait()
      var polled = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
      while unsafe poll(&polled, 1, -1) < 0, errno == EINTR {}
      guard seat.begin() else { return }
      let count = writers.read(socket.number, into: &buffer)
      guard count > 0 else { return }
      cutter.append(buffer[..<count])
    }
  }

  private mutating func answer(to message: [UInt8]) -> [UInt8] {
    let (desk, core) = (desk, core)
    switch session.take(message, isOurs: { desk.keys.find($0, by: core) != nil }) {
    case .answer(let answer): return answer
    case .list: return list(message)
    case .sign(let request):
      return desk.answer(
        request, by: caller.asking(by: writers, on: socket.number), core, on: socket.number)
    case .refuse(let request, let why): return desk.refuse(request, by: caller, core, why: why)
    case .tell(let message, let answer):
      _ = upstream?.answer(to: message)
      return answer
    case .forward(let message):
      guard upstream != nil else {
        if message[0] == AgentMessage.add || message[0] == AgentMessage.addConstrained {
          desk.refuse(
            "add", by: caller,
            why: "keys are added to another agent, which --upstream names; there is none")
        }
        return [AgentMessage.failure]
      }
      return upstream?.answer(to: message) ?? [AgentMessage.failure]
    }
  }

  /// The enclave's keys, each with its certificates behind it, and those of the upstream that are
  /// not the enclave's.
  private mutating func list(_ message: [UInt8]) -> [UInt8] {
    let keys = desk.keys.list(by: core)
    let certificates = desk.keys.certificates()
    var listed = keys.flatMap { key in
      ([key.blob] + certificates.filter { $0.point == key.point }.map(\.blob)).map {
        AgentMessage.Identity(blob: $0, comment: Array(key.name.utf8))
      }
    }
    if let others = upstream?.answer(to: message).flatMap(AgentMessage.identities) {
      let points = Set(keys.map(\.point))
      // What a client cannot read, or more than it takes, would cost it our keys too.
      var room = AgentMessage.longest - AgentMessage.size(of: listed)
      for other in others.prefix(max(0, AgentMessage.mostIdentities - listed.count)) {
        guard other.isKey, (try? PublicKeyBlob(other.blob))?.p256Point.map(points.contains) != true
        else { continue }
        room -= other.size
        guard room >= 0 else { break }
        listed.append(other)
      }
    }
    let answer = AgentMessage.list(listed)
    return answer.count <= AgentMessage.longest ? answer : [AgentMessage.failure]
  }
}
