import Glibc
import Protocol
import TestSupport
import Testing

@testable import LinuxSystem

@Suite("Descriptors that others sent")
struct DescriptorCloserTests {
  private let closer = DescriptorCloser()

  /// How what was received is dropped.
  enum Way: CaseIterable {
    case message, list, one, duplicate, noProcess, incomplete, tooMany, urgent, stream, unread
  }

  /// Receives a descriptor and drops it.
  private func receive(_ number: Int32, _ way: Way, closedBy line: ClosingLine) throws {
    var ends: [Int32] = [-1, -1]
    #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let near = Descriptor(owning: ends[0], closedBy: line)
    let far = Descriptor(owning: ends[1])
    UnixSocket.takeUrgentBytes(from: near)
    var intake = MessageIntake(limit: 10, mostDescriptors: 1, closedBy: line)
    let bytes: [UInt8] = way == .incomplete ? [0, 0, 0, 2, 1] : [0, 0, 0, 1, 7]
    let isUrgent = way == .urgent
    let isSent = sendTogether(
      isUrgent ? [0] : bytes, way == .tooMany ? [number, number] : [number], isUrgent: isUrgent,
      to: far.number)
    #expect(isSent)
    if way == .unread { return }
    if way == .stream {
      let received = try MessageStream(try near.duplicate(), limit: 10).receive()
      #expect(received.descriptors.count == 1)
      return
    }
    if isUrgent { #expect(sendTogether([0, 0, 1, 7], [], to: far.number)) }
    var found: ReceivedMessage?
    do throws(StreamError) {
      for _ in 0..<4 {
        found = try intake.next(from: near.number, hasRoom: { _, _ in true })
        if found != nil { break }
      }
    } catch {
      #expect(way == .tooMany && error == .tooManyDescriptors(limit: 1))
    }
    guard var message = found.take() else {
      #expect(way == .tooMany || way == .incomplete)
      return intake.drop()
    }
    #expect(message.descriptors.count == 1)
    switch way {
    case .list: _ = DescriptorList(taking: &message.descriptors)
    case .one: _ = message.descriptors.takeLast()
    case .duplicate: _ = try message.descriptors.takeFirst()?.duplicate()
    case .noProcess:
      if let first = message.descriptors.takeFirst(), RunningProcess(heldBy: first) != nil {
        Issue.record("a socket counts as a process")
      }
    default: break
    }
  }

  @Test(
    "FINDINGS A2: what came is closed in its sender's line, whoever drops it and how",
    arguments: Way.allCases)
  func dropped(way: Way) throws {
    let slow = try SlowToClose()
    try receive(slow.number, way, closedBy: ClosingLine(closer, of: .user(1)))
    // Now the last number is this process's own, whose close waits too.
    slow.giveAway()
    let watched = try WatchedDescriptor()
    try receive(watched.number, way, closedBy: ClosingLine(closer, of: .user(2)))
    #expect(watched.isClosed())
    withExtendedLifetime(slow) {}
  }

  @Test("FINDINGS A2: who has many that wait has a long line, nobody else; sockets do not count")
  func long() throws {
    let (line, other) = (ClosingLine(closer, of: .user(1)), ClosingLine(closer, of: .user(2)))
    let place = Guarded(0)
    var slow: SlowToClose? = try SlowToClose()
    do {
      final class Place: Sendable {
        let count: Guarded<Int>
        init(_ count: Guarded<Int>) { self.count = count }
        deinit { count.update { $0 += 1 } }
      }
      let sockets = ClosingLine(closer, ofSocket: .user(1), holding: Place(place))
      sockets.close([try #require(slow).take()])
      for _ in 0..<ClosingLine.long { sockets.close([dup(0)]) }
    }
    #expect(!line.isLong)
    line.close((0..<ClosingLine.long).map { _ in dup(0) })
    #expect(!other.isLong)
    slow = nil
    #expect(eventually { !line.isLong })
    #expect(place.wait { $0 == 1 ? true : nil })
  }

  @Test("FINDINGS A11: who accepts is not held up by what a client left in its socket")
  func accepted() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/socket"
    let listening = try UnixSocket.listen(at: path, permissions: 0o600, queue: 8)
    let slow = try SlowToClose()
    for isUrgent in [false, true] {
      guard let client = try UnixSocket.connect(to: path) else { throw SystemCallError("connect") }
      #expect(sendTogether([0], [slow.number], isUrgent: isUrgent, to: client.number))
    }
    slow.giveAway()
    var peers: [Int32] = []
    for _ in 0..<2 {
      try UnixSocket.accept(listening) { peer in
        ClosingLine(closer, ofSocket: .process(peer.process), holding: nil)
      } _: { client, peer in
        peers.append(peer.process)
      }
    }
    #expect(peers == [getpid(), getpid()])
    withExtendedLifetime(slow) {}
  }
}
