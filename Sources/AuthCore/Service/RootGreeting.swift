import ClientProtocol
import Glibc
import LinuxSystem
import Wire

/// What a client of root says before it is known which user it is served as: `Hello`, and perhaps
/// ``ClientProtocol/ServeUser``. What comes after that is left in the socket for that user's core.
struct RootGreeting {
  /// How the conversation goes on.
  struct Outcome {
    var user: UInt32 = 0
    /// How far the client has introduced itself.
    var greeting = Greeting()
    /// The request for a user, which is to be answered.
    var request: UInt32?
  }

  /// How long it may take to say `Hello`, and how long it may still name a user after that.
  private static let deadlines: (hello: Int32, user: Int32) = (5_000, 60_000)
  /// The length of a message, and its number.
  private static let peeked = 5

  /// Listens to a client; returns at the latest a minute after its last word.
  static func listen(to socket: borrowing Descriptor) -> Outcome {
    var outcome = Outcome()
    do {
      let stream = MessageStream(
        try socket.duplicate(), limit: ApplicationRequest.longestMessage)
      guard next(on: socket, within: deadlines.hello) == Hello.number else { return outcome }
      let hello = try stream.receive(milliseconds: deadlines.hello)
      let welcome = outcome.greeting.answer(
        try ClientEnvelope.decode(hello.bytes.bytes), isService: true)
      let request = try ClientEnvelope.header(hello.bytes.bytes).request
      try stream.send(ClientEnvelope.encode(welcome, request: request))
      guard outcome.greeting == .done,
        next(on: socket, within: deadlines.user) == ServeUser.number
      else { return outcome }
      let serve = try stream.receive(milliseconds: deadlines.hello)
      outcome.user = try ClientEnvelope.decode(serve.bytes.bytes, as: ServeUser.self).user
      outcome.request = try ClientEnvelope.header(serve.bytes.bytes).request
    } catch {
      // Its connection is out of step, and the core of root says so and ends it.
    }
    return outcome
  }

  /// The number of the next message, which stays in the socket; nil where none comes in time.
  private static func next(
    on socket: borrowing Descriptor, within milliseconds: Int32
  ) -> UInt8? {
    var polled = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&polled, 1, milliseconds) == 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: peeked)
    // A message that arrives in pieces so short comes from no client that wants another user.
    let count = unsafe recv(
      socket.number, &bytes, bytes.count, Int32(MSG_PEEK | MSG_DONTWAIT))
    return count == bytes.count ? bytes[peeked - 1] : nil
  }
}
