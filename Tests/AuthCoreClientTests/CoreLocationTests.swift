import Testing
import Wire

@testable import AuthCoreClient

@Suite("Which core a client talks to")
struct CoreLocationTests {
  private let person = ClientEnvironment(stateFolder: "/home/ann/.local/state", workingFolder: "/w")

  private func choose(
    _ home: String? = nil, _ prints: CoreLocation.Prints = .real, hasService: Bool = false,
    environment: ClientEnvironment? = nil
  ) throws -> CoreLocation {
    try CoreLocation.choose(
      home: home, prints: prints, environment: environment ?? person, hasService: hasService)
  }

  @Test("a folder that is named comes before everything else, and is made absolute")
  func named() throws {
    #expect(try choose("/x", .synthetic, hasService: true) == .folder("/x"))
    #expect(try choose("x", hasService: true) == .folder("/w/x"))
    let both = ClientEnvironment(home: "/from/environment", stateFolder: "/s", workingFolder: "/w")
    #expect(try choose("/x", environment: both) == .folder("/x"))
    #expect(try choose(hasService: true, environment: both) == .folder("/from/environment"))
  }

  @Test("synthetic prints have a folder of their own, with a service there too")
  func synthetic() throws {
    #expect(
      try choose(nil, .synthetic, hasService: true)
        == .folder("/home/ann/.local/state/authcore-replay"))
  }

  @Test("without a named folder the service is used where it is there, else the person's own core")
  func own() throws {
    #expect(try choose(hasService: true) == .service(socket: "/run/authcore/core.sock"))
    #expect(try choose() == .folder("/home/ann/.local/state/authcore"))
  }

  @Test("no folder at all, and one without a name, are errors")
  func nowhere() {
    #expect(throws: Failure.self) {
      try choose(environment: ClientEnvironment(stateFolder: nil, workingFolder: "/"))
    }
    #expect(throws: Failure.self) { try choose("") }
  }
}
