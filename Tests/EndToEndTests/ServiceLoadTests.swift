import CoreClient
import Foundation
import LinuxSystem
import Protocol
import TestSupport
import Testing

@Suite("The service under load", .timeLimit(.minutes(10)))
struct ServiceLoadTests {
  private static func connect(to socket: String) throws(Failure) -> CoreConnection {
    try CoreAccess(to: .service(socket: socket), program: "/none").connect()
  }

  private static func add(_ name: String, to connection: CoreConnection) throws(Failure) {
    var attributes = ItemAttributes()
    attributes.service = name
    let request = AddItem(
      attributes: attributes, secret: SecretBytes(copying: Array(name.utf8).span))
    let _: ItemAdded = try connection.ask(request)
  }

  private static func isThere(
    _ name: String, in connection: CoreConnection
  ) throws(Failure) -> Bool {
    var query = ItemQuery()
    query.service = name
    let got: GotItem = try connection.ask(GetItem(query: query))
    return got.secret.isEqual(to: Array(name.utf8).span)
  }

  @Test("more clients than it has threads are connected, and each is answered")
  func connected() throws {
    let service = try TestService()
    let clients = try (0..<300).map { _ in try Self.connect(to: service.socket) }
    for client in clients {
      let status: CoreStatus = try client.request(GetStatus())
      #expect(status.home.hasPrefix(service.state))
    }
  }

  @Test("clients that connect and say nothing keep nobody out")
  func silent() throws {
    let service = try TestService()
    _ = try Self.connect(to: service.socket)
    let silent = try (0..<300).map { _ in Silent(try UnixSocket.connect(to: service.socket)) }
    #expect(try service.authcore("status").status == 0)
    withExtendedLifetime(silent) {}
  }

  /// A client that says nothing.
  private final class Silent {
    private let socket: Descriptor?
    init(_ socket: consuming Descriptor?) { self.socket = socket }
  }

  private struct Written: Sendable {
    var names: [String] = []
    var ended = 0
    var isKilled = false
  }

  /// What is killed, and words in its command line.
  enum Killed: String, CaseIterable {
    case service
    case enclave = "--engine"
    case witness = "--witness"
  }

  @Test(
    "what was acknowledged is there after a kill, every pending call fails, and it is back at once",
    arguments: Killed.allCases)
  func killed(_ killed: Killed) throws {
    let service = try TestService()
    let first = try Self.connect(to: service.socket)
    try Self.add("first", to: first)
    let process = try #require(service.process)
    let (written, socket, writers) = (Guarded(Written()), service.socket, 8)
    for writer in 0..<writers {
      SystemThread.start(name: "writer") {
        do throws(Failure) {
          let connection = try Self.connect(to: socket)
          var number = 0
          while !written.read({ $0.isKilled }) {
            let name = "item \(writer) \(number)"
            try Self.add(name, to: connection)
            written.update { $0.names.append(name) }
            number += 1
          }
        } catch {
          // What was pending has failed.
        }
        written.update { $0.ended += 1 }
      }
    }
    written.wait { $0.names.count > 50 ? () : nil }
    switch killed {
    case .service: kill(process, SIGKILL)
    case .enclave, .witness:
      let processes = service.children(named: killed.rawValue)
      #expect(processes.count == 1)
      for process in processes { kill(process, SIGKILL) }
    }
    written.update { $0.isKilled = true }
    // Nobody waits for ever.
    written.wait { $0.ended == writers ? () : nil }
    let connection = try again(socket)
    for name in written.read({ $0.names }) {
      #expect(try Self.isThere(name, in: connection), "\(name)")
    }
  }

  /// A connection through which something is answered.
  private func again(_ socket: String) throws -> CoreConnection {
    for _ in 0..<2000 {
      do throws(Failure) {
        let connection = try Self.connect(to: socket)
        if try Self.isThere("first", in: connection) { return connection }
      } catch {
        usleep(5000)
      }
    }
    throw Failure(.coreFailed, "the service does not come back")
  }
}
