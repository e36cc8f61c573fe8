import DBus
import Glibc
import Protocol
import TestSupport
import Testing

@testable import AuthCore

@Suite("What is wrong with the service")
struct ServiceTroubleTests {
  private func ofLogin(at address: BusConnection.Address) -> ServiceTrouble? {
    ServiceTrouble(login: LoginManager(at: address).situation(of: getpid()).place)
  }

  @Test("without a bus nobody says who sits here, and no touch counts")
  func noBus() throws {
    let found = ofLogin(at: .at("unix:path=/nonexistent/bus"))
    let trouble = try #require(found)
    #expect(trouble.subject == "logind" && trouble.isProblem)
    #expect(trouble.text.contains("no touch counts"))
    #expect(trouble.remedy?.contains("systemd-logind") == true)
  }

  @Test(
    "a logind that answers is no trouble, though the service is in no session",
    .enabled(if: PrivateLogind.isInstalled))
  func answering() throws {
    let logind = try PrivateLogind()
    #expect(ofLogin(at: logind.address) == nil)
  }

  @Test("a core on demand has none")
  func onDemand() throws {
    let test = TestCore([])
    let client = try test.greetedClient()
    try client.send(GetServiceTroubles())
    #expect(try client.receive(ServiceTroubles.self).troubles.isEmpty)
  }
}
