import Glibc
import Protocol
import Testing

@testable import LinuxSystem

@Suite("Many clients on one thread")
struct ManyClientsTests {
  /// Two ends of which the near one does not block.
  private let line = ClosingLine(DescriptorCloser(), of: .user(0))

  private func pair() throws -> SocketPair {
    let pair = try SocketPair()
    _ = fcntl(pair.near.number, F_SETFL, O_NONBLOCK)
    return pair
  }

  private func message(_ count: Int, of byte: UInt8 = 7) -> SecretBytes {
    SecretBytes(copying: [UInt8](repeating: byte, count: count).span)
  }

  private func write(_ bytes: [UInt8], to socket: Int32) {
    #expect(unsafe Glibc.write(socket, bytes, bytes.count) == bytes.count)
  }

  // MARK: Messages

  @Test("a message that comes a byte at a time is whole with its last byte, and the next begins")
  func byteByByte() throws {
    let pair = try pair()
    var intake = MessageIntake(limit: 100, closedBy: line)
    let bytes: [UInt8] = [0, 0, 0, 3, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 1, 9]
    var whole: [(after: Int, bytes: [UInt8])] = []
    for (index, byte) in bytes.enumerated() {
      write([byte], to: pair.far.number)
      guard let message = try intake.next(from: pair.near.number, hasRoom: { _, _ in true }) else {
        let isInside = intake.isInsideMessage
        #expect(isInside)
        continue
      }
      whole.append((index, message.bytes.copied))
      let (isWhole, isInside) = (message.isWhole, intake.isInsideMessage)
      #expect(isWhole && !isInside)
    }
    #expect(whole.map(\.after) == [6, 10, 15])
    #expect(whole.map(\.bytes) == [[1, 2, 3], [], [9]])
  }

  @Test("a message without room is read past however it comes, and only its beginning is kept")
  func withoutRoom() throws {
    let pair = try pair()
    var intake = MessageIntake(limit: 1 << 20, closedBy: line)
    let count = 100_000
    write([0, 1, 0x86, 0xA0], to: pair.far.number)
    var sent = 0
    var found: (beginning: Int, isWhole: Bool)?
    while found == nil {
      if sent < count {
        write([UInt8](repeating: 5, count: 10_000), to: pair.far.number)
        sent += 10_000
      }
      if let message = try intake.next(from: pair.near.number, hasRoom: { _, _ in false }) {
        found = (message.bytes.count, message.isWhole)
      }
    }
    #expect(sent == count && found?.beginning == 16 && found?.isWhole == false)
    write([0, 0, 0, 1, 8], to: pair.far.number)
    guard let next = try intake.next(from: pair.near.number, hasRoom: { _, _ in true }) else {
      Issue.record("the next message does not come")
      return
    }
    let bytes = next.bytes.copied
    #expect(bytes == [8])
  }

  @Test("the end between two messages, inside one, and a length beyond the limit are told apart")
  func ends() throws {
    for (bytes, expected) in [
      ([], .closed), ([0], .truncated), ([0, 0, 0, 2, 1], .truncated),
      ([0, 0, 0, 11], .tooLong(count: 11, limit: 10)),
    ] as [([UInt8], StreamError)] {
      let near: Int32
      do {
        let pair = try pair()
        near = dup(pair.near.number)
        write(bytes, to: pair.far.number)
      }
      defer { close(near) }
      var intake = MessageIntake(limit: 10, closedBy: line)
      var found: StreamError?
      while found == nil {
        do throws(StreamError) {
          _ = try intake.next(from: near, hasRoom: { _, _ in true })
        } catch {
          found = error
        }
      }
      #expect(found == expected)
    }
  }

  // MARK: Sending

  @Test("what a client does not take lies here and leaves in order, and its owner goes with it")
  func unsent() throws {
    final class Owner: Sendable {}
    let pair = try pair()
    var unsent = UnsentBytes()
    weak var held: Owner?
    do {
      let owner = Owner()
      held = owner
      for byte in 0..<40 as Range<UInt8> {
        try unsent.send(message(50_000, of: byte), on: pair.near.number, holding: owner)
      }
    }
    let waiting = unsent.count
    #expect(waiting > 1_000_000 && held != nil)
    let reader = MessageStream(Descriptor(owning: dup(pair.far.number)), limit: 1 << 20)
    var order: [UInt8] = []
    while order.count < 40 {
      _ = try unsent.sendRest(on: pair.near.number)
      let message = try reader.receive()
      let bytes = message.bytes.copied
      #expect(bytes.count == 50_000)
      order.append(bytes[49_999])
    }
    #expect(order == Array(0..<40))
    let (isEmpty, left) = (unsent.isEmpty, unsent.count)
    #expect(isEmpty && left == 0 && held == nil)
  }

  @Test("nobody is left to read: that is an end, and what lay here is dropped")
  func nobodyReads() throws {
    var unsent = UnsentBytes()
    let near: Int32
    do {
      let pair = try pair()
      near = dup(pair.near.number)
      try unsent.send(message(1_000_000), on: near, holding: nil)
    }
    defer { close(near) }
    var found: StreamError?
    do throws(StreamError) {
      _ = try unsent.sendRest(on: near)
    } catch {
      found = error
    }
    #expect(found == .closed)
    unsent.drop()
    let (isEmpty, left) = (unsent.isEmpty, unsent.count)
    #expect(isEmpty && left == 0)
  }

  // MARK: The loop

  /// A loop on a thread of its own, until this value goes.
  private final class RunningLoop {
    let loop: EventLoop

    init() throws {
      let loop = try EventLoop()
      self.loop = loop
      SystemThread.start(name: "loop") { loop.run() }
    }

    deinit { loop.end() }
  }

  @Test("a loop tells of what arrives, of room, and of nothing that was forgotten")
  func sockets() throws {
    let running = try RunningLoop()
    let loop = running.loop
    let pair = try pair()
    let (heard, name) = (Guarded([SocketReadiness]()), loop.newName())
    let number = pair.near.number
    let isWatched = loop.watch(number, as: name, for: .readable) { readiness in
      var byte: UInt8 = 0
      _ = unsafe read(number, &byte, 1)
      heard.update { $0.append(readiness) }
    }
    #expect(isWatched)
    write([1], to: pair.far.number)
    heard.wait { $0 == [.readable] ? () : nil }
    let told = Guarded(false)
    _ = loop.watch(number, as: name, for: .writable) { readiness in
      loop.forget(number, as: name)
      told.update { $0 = readiness == .writable }
    }
    told.wait { $0 ? () : nil }
    write([1], to: pair.far.number)
    let isPosted = Guarded(false)
    loop.post { isPosted.update { $0 = true } }
    isPosted.wait { $0 ? () : nil }
    #expect(heard.read { $0.count } == 1)
  }

  @Test("timers come in their order, once each, at their latest moment, and not when cancelled")
  func timers() throws {
    let running = try RunningLoop()
    let loop = running.loop
    let heard = Guarded([Int]())
    let now = Deadline.now
    let names = (0..<4).map { _ in loop.newName() }
    func set(_ index: Int, _ milliseconds: UInt64) {
      loop.set(names[index], at: now + milliseconds * 1_000_000) {
        heard.update { $0.append(index) }
      }
    }
    set(3, 3_600_000)
    set(2, 40)
    set(1, 20)
    set(0, 3_600_000)
    set(0, 10)
    loop.begin(names[1], at: now) { heard.update { $0.append(99) } }
    loop.cancel(names[3])
    heard.wait { $0.count == 3 ? () : nil }
    #expect(heard.read { $0 } == [0, 1, 2])
    #expect(Deadline.now - now >= 40_000_000)
  }

  @Test("what is posted runs in its order on the loop's thread, also what that posts itself")
  func tasks() throws {
    let running = try RunningLoop()
    let loop = running.loop
    let heard = Guarded([Int]())
    for index in 0..<100 {
      loop.post {
        heard.update { $0.append(loop.isOnThread ? index : -1) }
        if index == 99 { loop.post { heard.update { $0.append(100) } } }
      }
    }
    heard.wait { $0.count == 101 ? () : nil }
    #expect(heard.read { $0 } == Array(0...100))
    #expect(!loop.isOnThread)
  }
}
