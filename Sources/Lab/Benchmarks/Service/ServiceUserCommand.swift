import ArgumentParser
import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// `authcore-bench service-user`: one user of the service, in a process that ``MadeUpUser`` starts.
struct ServiceUserCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "service-user", abstract: "Be one user of a service that is measured.",
    shouldDisplay: false)

  @Argument(help: "The service's socket.") var socket: String

  @Flag(help: "Take as much of the service as it gives, until the process is killed.")
  var hostile = false

  @Option(help: "How often each request is measured.") var runs = 300

  func run() throws {
    OpenDescriptors.allow(4096)
    if hostile { flood() } else { try measure() }
  }

  private func connect() throws(Failure) -> CoreConnection {
    try CoreAccess(to: .service(socket: socket), program: "/none").connect()
  }

  /// Prints the medians of a request and of a connection with one, in microseconds, and how many
  /// were refused.
  private func measure() throws {
    let connection = try connect()
    try addItem(over: connection)
    var (getting, connecting, refused) = (Sample(), Sample(), 0)
    for _ in 0..<runs {
      if let own = duration(over: connection), let new = duration(over: nil) {
        getting.add(own)
        connecting.add(new)
      } else {
        refused += 1
      }
    }
    let unit = Duration.microseconds(1)
    print(rounded(getting.median / unit), rounded(connecting.median / unit), refused)
  }

  /// Adds the item to ask for, unless this user was measured before. Swift 6.3 never finishes
  /// compiling the loop above if it contains this.
  private func addItem(over connection: CoreConnection) throws(Failure) {
    do throws(Failure) {
      try ServiceItems.add(0, to: connection)
    } catch {
      guard error.code == .errSecDuplicateItem else { throw error }
    }
  }

  /// How long a request takes, over a new connection unless one is given; nil if it is refused.
  private func duration(over given: CoreConnection?) -> Duration? {
    let start = ContinuousClock.now
    do throws(Failure) {
      let connection = if let given { given } else { try connect() }
      try ServiceItems.get(0, from: connection)
      return ContinuousClock.now - start
    } catch {
      return nil
    }
  }

  /// Requests without a pause, connections that come and go, and connections that announce long
  /// messages and send none.
  private func flood() {
    // The service hangs up on what it refuses.
    _ = signal(SIGPIPE, SIG_IGN)
    while (try? ServiceItems.add(0, to: connect())) == nil {}
    for _ in 0..<4 { SystemThread.start(name: "requests") { ask() } }
    SystemThread.start(name: "connects") {
      while true { _ = try? UnixSocket.connect(to: socket) }
    }
    var held: [DescriptorList] = []
    while true {
      if held.count == 1000 { held.removeFirst(100) }
      if let client = longMessage() { held.append(client) }
    }
  }

  private func longMessage() -> DescriptorList? {
    guard let client = try? UnixSocket.connect(to: socket) else { return nil }
    let length: [UInt8] = [0, 1, 0xFF, 0xFF, 20]
    _ = unsafe write(client.number, length, length.count)
    return DescriptorList(owning: [client.release()])
  }

  private func ask() {
    while true {
      do throws(Failure) {
        let connection = try connect()
        while true { try ServiceItems.get(0, from: connection) }
      } catch {
        // It was disconnected, and connects again.
      }
    }
  }
}

/// A process of a made-up user of a service (`authcore-bench service-user`), ended with the value.
/// Only root can be other users.
final class MadeUpUser {
  private let process: ChildProcess
  private let output: Pipe

  /// - `user`: A number that no account has.
  /// - `socket`: The service's, which that user may reach.
  /// - `arguments`: After the socket.
  init(_ user: UInt32, of socket: String, _ arguments: [String]) throws {
    guard let program = RunningExecutable.ofThisProcess()?.path else {
      throw BenchmarkFailure("cannot tell where this program lies")
    }
    var pipe = try Pipe(nonBlocking: .writer)
    var launch = ProgramLaunch(
      path: "/usr/bin/setpriv",
      arguments: [
        "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--inh-caps=-all",
        String(decoding: program, as: UTF8.self), "service-user", socket,
      ] + arguments)
    launch.environment = ["PATH=/usr/bin:/bin"]
    launch.standardStreams = [nil, pipe.writer, 2]
    process = try launch.start()
    pipe.closeWriter()
    output = pipe
  }

  var hasEnded: Bool { process.wait(milliseconds: 0) != nil }

  /// Waits until it has ended, and returns its output.
  func end() -> String {
    var said: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 256)
    while true {
      let count = unsafe read(output.reader, &bytes, bytes.count)
      guard count > 0 else { break }
      said += bytes[..<count]
    }
    return String(decoding: said, as: UTF8.self)
  }

  deinit {
    process.kill()
    _ = process.wait(milliseconds: 20_000)
  }
}
