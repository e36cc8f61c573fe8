import Glibc
import LinuxSystem
import Protocol
import Testing

@Suite("Message streams")
struct MessageStreamTests {
  private func makePair(limit: Int = 1 << 16) throws -> StreamPair {
    let pair = try SocketPair()
    return StreamPair(
      here: MessageStream(try pair.near.duplicate(), limit: limit),
      there: MessageStream(try pair.far.duplicate(), limit: limit))
  }

  @Test("a message arrives as it was sent")
  func delivery() throws {
    let pair = try makePair()
    try pair.here.send(SecretBytes(copying: [9, 8, 7].span))
    let message = try pair.there.receive()
    let isSame = holds(message.bytes, [9, 8, 7])
    #expect(isSame)
    #expect(message.descriptors.count == 0)
  }

  @Test("descriptors travel beside a message and are owned by who takes them")
  func descriptors() throws {
    let pair = try makePair()
    let null = Descriptor(owning: unsafe open("/dev/null", O_RDONLY))
    try pair.here.send(SecretBytes(copying: [1].span), descriptors: [null.number, null.number])
    var message = try pair.there.receive()
    #expect(message.descriptors.count == 2)
    guard let first = message.descriptors.takeFirst() else { return }
    let number = first.release()
    #expect(fcntl(number, F_GETFD) == FD_CLOEXEC)
    #expect(number != null.number)
    #expect(close(number) == 0)
  }

  @Test("a message says who wrote it, where that is asked for and one process wrote all of it")
  func writers() throws {
    let silent = try makePair()
    try silent.here.send(SecretBytes(copying: [1].span))
    #expect(try silent.there.receive().writer == nil)

    let pair = try makePair()
    try MessageWriter.receive(on: pair.there.descriptor)
    let me = MessageWriter(process: getpid(), user: getuid(), group: getgid())
    try pair.here.send(SecretBytes(count: 40_000))
    #expect(try pair.there.receive().writer == me)
    // Another process, through the same socket.
    let other = try writeByAnother([0, 0, 0, 2, 7, 7], to: pair.here.descriptor.number)
    #expect(try pair.there.receive().writer == other)
    #expect(other != me)
    // The length by one, the rest by another.
    #expect(unsafe write(pair.here.descriptor.number, [0, 0, 0, 2] as [UInt8], 4) == 4)
    _ = try writeByAnother([7, 7], to: pair.here.descriptor.number)
    let mixed = try pair.there.receive()
    #expect(mixed.writer == nil && mixed.bytes.count == 2)
    try pair.here.send(SecretBytes(count: 3))
    #expect(try pair.there.receive().writer == me)
  }

  /// Has another process write into a socket.
  /// - Returns: who that was.
  private func writeByAnother(_ bytes: [UInt8], to socket: Int32) throws -> MessageWriter {
    let pipe = try Pipe(nonBlocking: .writer)
    #expect(unsafe write(pipe.writer, bytes, bytes.count) == bytes.count)
    var launch = ProgramLaunch(path: "/usr/bin/head", arguments: ["-c", "\(bytes.count)"])
    launch.standardStreams = [pipe.reader, socket, nil]
    let process = try launch.start()
    #expect(process.wait() == .exited(0))
    return MessageWriter(process: process.identifier, user: getuid(), group: getgid())
  }

  @Test("as many descriptors as a message may have arrive, in order")
  func mostDescriptors() throws {
    let pair = try makePair()
    let pipes = try (0..<MessageStream.maximumDescriptors).map { _ in try SharedPipe() }
    try pair.here.send(SecretBytes(count: 1), descriptors: pipes.map { $0.pipe.writer })
    var message = try pair.there.receive()
    #expect(message.descriptors.count == MessageStream.maximumDescriptors)
    for (index, pipe) in pipes.enumerated() {
      guard let arrived = message.descriptors.takeFirst() else { return }
      var byte = UInt8(index)
      #expect(unsafe write(arrived.number, &byte, 1) == 1)
      #expect(unsafe read(pipe.pipe.reader, &byte, 1) == 1)
      #expect(byte == UInt8(index))
    }
  }

  @Test("descriptors that a reader does not expect are an error, and are closed")
  func unexpectedDescriptors() throws {
    let pair = try makePair()
    let pipe = try SharedPipe()
    try pair.here.send(SecretBytes(copying: [5].span), descriptors: [pipe.pipe.writer])
    var reader = MessageReader(limit: 10)
    #expect(throws: StreamError.tooManyDescriptors(limit: 0)) {
      while try reader.readAvailable(from: pair.there.descriptor.number) == nil {}
    }
    // With every copy of the other end closed there is the end to read.
    pipe.pipe.closeWriter()
    var byte: UInt8 = 0
    #expect(unsafe read(pipe.pipe.reader, &byte, 1) == 0)
  }

  @Test("a message longer than the limit is refused before it is allocated")
  func tooLong() throws {
    let pair = try makePair(limit: 10)
    try pair.here.send(SecretBytes(count: 11))
    #expect(throws: StreamError.tooLong(count: 11, limit: 10)) {
      _ = try pair.there.receive()
    }
  }

  @Test("nothing in time is a timeout, and the stream goes on")
  func timeout() throws {
    let pair = try makePair()
    #expect(throws: StreamError.timedOut) { _ = try pair.there.receive(milliseconds: 0) }
    try pair.here.send(SecretBytes(count: 1))
    let message = try pair.there.receive()
    #expect(message.bytes.count == 1)
  }

  @Test("the end of the other side is an error of its own")
  func closed() throws {
    let pair = try makePair()
    shutdown(pair.here.descriptor.number, Int32(SHUT_WR))
    #expect(throws: StreamError.closed) { _ = try pair.there.receive() }
  }

  @Test("an end inside a message is told apart")
  func truncated() throws {
    let pair = try makePair()
    let header: [UInt8] = [0, 0, 0, 9, 1, 2]
    let sent = unsafe write(pair.here.descriptor.number, header, header.count)
    #expect(sent == 6)
    shutdown(pair.here.descriptor.number, Int32(SHUT_WR))
    #expect(throws: StreamError.truncated) { _ = try pair.there.receive() }
  }

  @Test("sending to nobody is an error and no signal")
  func nobodyReads() throws {
    let pair = try makePair()
    shutdown(pair.there.descriptor.number, Int32(SHUT_RDWR))
    #expect(throws: StreamError.closed) { try pair.here.send(SecretBytes(count: 1)) }
  }
}

/// Both ends of one socket.
private struct StreamPair: ~Copyable {
  let here: MessageStream
  let there: MessageStream
}

/// A pipe that an array can hold.
private final class SharedPipe {
  var pipe: Pipe
  init() throws { pipe = try Pipe(nonBlocking: .writer) }
}

private func holds(_ secret: borrowing SecretBytes, _ bytes: [UInt8]) -> Bool {
  (0..<secret.count).map { secret.bytes[$0] } == bytes
}

@Suite("Unix sockets by their path")
struct UnixSocketTests {
  /// A path in the temporary folder of this process's own.
  private let path =
    (EnvironmentVariable.value(of: "TMPDIR") ?? "/tmp")
    + "/authcore-socket-\(getpid())-\(UInt64.random(in: 0 ... .max))"

  @Test("a client finds who listens, and each knows the other; what is left behind is nobody")
  func connecting() throws {
    #expect(try !connects())
    do {
      let listener = try UnixSocket.listen(at: path, permissions: 0o600, queue: 4)
      defer { unsafe unlink(path) }
      var status = stat()
      #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
      guard let client = try UnixSocket.connect(to: path) else {
        Issue.record("nobody listens")
        return
      }
      let me = PeerCredentials(process: getpid(), user: geteuid())
      var served: PeerCredentials?
      try UnixSocket.accept(listener) { _ in
        ClosingLine(DescriptorCloser(), of: .user(geteuid()))
      } _: { accepted, peer in
        #expect(fcntl(accepted.number, F_GETFD) == FD_CLOEXEC)
        #expect(PeerCredentials(of: accepted.number) == me)
        served = peer
      }
      #expect(served == me)
      #expect(PeerCredentials(of: client.number) == me)
    }
    #expect(try !connects())
  }

  private func connects() throws -> Bool { try UnixSocket.connect(to: path) != nil }

  @Test("a socket left behind is nobody, and is not replaced")
  func leftBehind() throws {
    defer { unsafe unlink(path) }
    _ = try UnixSocket.listen(at: path, permissions: 0o600, queue: 4)
    #expect(try !connects())
    #expect(throws: SystemCallError("bind", number: EADDRINUSE)) {
      _ = try UnixSocket.listen(at: path, permissions: 0o600, queue: 4)
    }
  }

  @Test("a path of 108 bytes is refused, and reached by its folder")
  func longPath() throws {
    let long = "/tmp/" + String(repeating: "x", count: 103)
    let error = try #require(throws: SystemCallError.self) { _ = try UnixSocket.connect(to: long) }
    #expect(error.number == ENAMETOOLONG)
    #expect(UnixSocket.path(in: 7, named: "socket") == "/proc/self/fd/7/socket")
  }

  @Test("what is no socket has no peer")
  func noSocket() throws {
    let pipe = try Pipe(nonBlocking: .reader)
    #expect(PeerCredentials(of: pipe.reader) == nil)
  }
}
