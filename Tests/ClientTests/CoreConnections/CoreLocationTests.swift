import LinuxSystem
import Protocol
import Testing

@testable import CoreClient

@Suite("Which core a client talks to")
struct CoreLocationTests {
  private let person = ClientEnvironment(stateFolder: "/home/ann/.local/state", workingFolder: "/w")

  private func choose(
    _ home: String? = nil, _ prints: CoreLocation.Prints = .real, service: String? = nil,
    environment: ClientEnvironment? = nil
  ) throws -> CoreLocation {
    try CoreLocation.choose(
      home: home, prints: prints, environment: environment ?? person, service: service)
  }

  @Test("a folder that is named comes before everything else, and is made absolute")
  func named() throws {
    #expect(try choose("/x", .synthetic, service: "/run/s") == .folder("/x"))
    #expect(try choose("x", service: "/run/s") == .folder("/w/x"))
    let both = ClientEnvironment(home: "/from/environment", stateFolder: "/s", workingFolder: "/w")
    #expect(try choose("/x", environment: both) == .folder("/x"))
    #expect(try choose(service: "/run/s", environment: both) == .folder("/from/environment"))
  }

  @Test("synthetic prints have a folder of their own, with a service there too")
  func synthetic() throws {
    #expect(
      try choose(nil, .synthetic, service: "/run/s")
        == .folder("/home/ann/.local/state/authcore-replay"))
  }

  @Test("without a named folder the service is used where it is there, else the person's own core")
  func own() throws {
    #expect(try choose(service: "/run/s") == .service(socket: "/run/s"))
    #expect(try choose() == .folder("/home/ann/.local/state/authcore"))
  }

  @Test("AUTHCORE_SERVICE names a socket or none; what is neither is not believed")
  func serviceChoice() {
    #expect(ServiceChoice("/tmp/s") == .socket("/tmp/s"))
    #expect(ServiceChoice("/tmp/s").presentSocket == "/tmp/s")
    #expect(ServiceChoice("off").presentSocket == nil)
    for value in [nil, "", "relative/s", "OFF"] { #expect(ServiceChoice(value) == .usual) }
  }

  @Test("FINDINGS A9: a program with more rights than its caller's asks the service or nobody")
  func privileged() throws {
    let socket = ServiceChoice.current(.privileged).presentSocket
    #expect(socket == "/run/authcore/core.sock")
    #expect(try choose(service: socket) == .service(socket: "/run/authcore/core.sock"))
  }

  @Test("no folder at all, and one without a name, are errors")
  func nowhere() {
    #expect(throws: Failure.self) {
      try choose(environment: ClientEnvironment(stateFolder: nil, workingFolder: "/"))
    }
    #expect(throws: Failure.self) { try choose("") }
  }
}
