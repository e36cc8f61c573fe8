import CoreClient
import Foundation
import LinuxSystem
import Protocol
import TestSupport
import Testing

/// For root, since only root's policy is believed. `scripts/test` as root runs this suite as root.
@Suite(
  "The service and its policy", .timeLimit(.minutes(60)), .enabled(if: getuid() == 0, "takes root"))
struct ServicePolicyTests {
  @Test("what the policy asks for holds in the enclave, and is only ever tightened")
  func policy() throws {
    let service = try TestService.ofItsOwnUser()
    try service.write(policy: "[passcode]\ncharacters = 9\n")
    try service.authcore("passcode", "set", passcode: "12345678").expect(error: "passcodeTooShort")
    // A policy with an error is refused with its line, and the last good one stays.
    try service.write(policy: "[passcode]\ncharacters = 3\n")
    try service.signal(SIGHUP)
    #expect(service.awaitLog("policy.toml:2: characters is a number from 4 to 64"))
    #expect(service.log.contains("the last good one stays"))
    #expect(
      try service.authcore("passcode", "set", passcode: "12345678").errorName
        == "passcodeTooShort")
    // A stricter one holds.
    try service.write(policy: "[passcode]\ncharacters = 11\n")
    try service.signal(SIGHUP)
    let isStricter = try eventually {
      let set = try service.authcore("passcode", "set", passcode: "1234567890")
      if set.errorName == "passcodeTooShort" { return true }
      #expect(set.status == 0)
      _ = try service.authcore("passcode", "remove", "--yes", passcode: "1234567890")
      return false
    }
    #expect(isStricter)
    try service.succeed("passcode", "set", passcode: TestHome.passcode)
  }

  @Test("a policy that cannot be read at the start lets nothing new be granted, and says so")
  func strictest() throws {
    let service = try TestService.ofItsOwnUser()
    try service.write(policy: "[biometry]\nmisses = many\n")
    let set = try service.authcore("passcode", "set", passcode: TestHome.passcode)
    #expect(set.errorName == "passcodeTooShort", "\(set.account)")
    #expect(service.log.contains("policy.toml:2: "), "\(service.log)")
    #expect(service.log.contains("the strictest one holds until it is mended"))
    try service.write(policy: "")
    try service.restart()
    try service.succeed("passcode", "set", passcode: TestHome.passcode)
  }

  /// A way for another user to change a policy.
  enum Weakness: CaseIterable {
    case fileOfService, fileOfEverybody, folderOfService, folderOfEverybody, stickyFolder

    fileprivate func apply(to service: TestService) -> String {
      let (file, folder) = (service.policyFile, service.configuration)
      switch self {
      case .fileOfService:
        _ = unsafe chown(file, UnprivilegedUser.service, 0)
        return "chown root \(file)"
      case .fileOfEverybody:
        _ = unsafe chmod(file, 0o666)
        return "chmod go-w \(file)"
      case .folderOfService:
        _ = unsafe chown(folder, UnprivilegedUser.service, 0)
        return "chown root \(folder)"
      case .folderOfEverybody:
        _ = unsafe chmod(folder, 0o777)
        return "chmod go-w \(folder)"
      case .stickyFolder:
        _ = unsafe chmod(folder, 0o1777)
        return "chmod go-w \(folder)"
      }
    }
  }

  @Test(
    "a policy that somebody besides root may change is not believed", arguments: Weakness.allCases)
  func changeable(weakness: Weakness) throws {
    let service = try TestService.ofItsOwnUser()
    try service.write(policy: "")
    let remedy = weakness.apply(to: service)
    try service.succeed("status")
    #expect(service.log.contains("run: \(remedy)"), "\(service.log)")
    #expect(service.log.contains("the strictest one holds until it is mended"))
  }

  @Test("a policy behind a link is believed where it lies, and its folders are root's")
  func linked() throws {
    let service = try TestService.ofItsOwnUser()
    try service.write(policy: "[passcode]\ncharacters = 9\n")
    let files = FileManager.default
    try files.moveItem(atPath: service.configuration, toPath: service.configuration + "-kept")
    try files.createSymbolicLink(atPath: service.configuration, withDestinationPath: "etc-kept")
    try service.authcore("passcode", "set", passcode: "12345678").expect(error: "passcodeTooShort")
    #expect(!service.log.contains("refused"), "\(service.log)")
  }

  @Test("doctor says that a policy is refused, until it is mended")
  func refusedPolicy() throws {
    let service = try TestService.ofItsOwnUser()
    try service.write(policy: "[nosuch]\n")
    let wrong = "policy.toml:1: there is no table [nosuch]"
    let doctor = try service.authcore("doctor")
    #expect(doctor.text.contains(wrong), "\(doctor.account)")
    #expect(doctor.text.contains("the strictest one holds until it is mended"))
    try service.write(policy: "")
    try service.signal(SIGHUP)
    #expect(eventually { (try? service.authcore("doctor").text.contains(wrong)) == false })
  }

  @Test("a driver that the policy allows and that is not installed is warned of")
  func unknownDriver() throws {
    let service = try TestService.ofItsOwnUser()
    try service.write(policy: "[readers]\ndrivers = [\"elan\", \"ellan\"]\n")
    try service.succeed("status")
    #expect(
      service.awaitLog(
        "allows a driver that cannot be used: No driver is called \u{201C}ellan\u{201D}"))
    #expect(!service.log.contains("\u{201C}elan\u{201D}"), "\(service.log)")
    let doctor = try service.authcore("doctor")
    #expect(doctor.text.contains("It allows a driver that cannot be used"), "\(doctor.account)")
    #expect(doctor.text.contains("\u{201C}ellan\u{201D}"), "\(doctor.account)")
  }
}

@Suite("The service under load", .timeLimit(.minutes(60)))
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
    try service.succeed("status")
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

  /// What is killed, by words in its command line.
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
          // The pending request failed.
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
    written.wait { $0.ended == writers ? () : nil }
    let connection = try again(socket)
    for name in written.read({ $0.names }) {
      #expect(try Self.isThere(name, in: connection), "\(name)")
    }
  }

  /// A connection through which something is answered.
  private func again(_ socket: String) throws -> CoreConnection {
    var found: CoreConnection?
    _ = eventually {
      found = try? Self.connect(to: socket)
      guard let found else { return false }
      return (try? Self.isThere("first", in: found)) == true
    }
    return try #require(found, "the service does not come back")
  }
}
