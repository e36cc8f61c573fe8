import DBus
import Foundation
import Glibc
import Protocol
import TestSupport
import Testing

@testable import AuthCore

@Suite("The policy of a machine")
struct PolicyFileTests {
  private func problem(_ text: String) -> PolicyText.Problem? {
    do throws(PolicyText.Problem) {
      _ = try MachinePolicy(text)
      return nil
    } catch {
      return error
    }
  }

  @Test("everything that may be asked for is read, with comments and empty lines")
  func everything() throws {
    let policy = try MachinePolicy(
      """
      # what we ask for
      [biometry]
      misses = 3   # in a row
      reuse-seconds=0
      relaxed-rate = false

      [passcode]
      characters = 8
      [readers]
      drivers = ["elan", "uru4000", ]
      [prompts]
      screen-locks = ["/opt/own/lock"]
      """)
    #expect(
      policy.rules
        == EnclaveRules(
          missesInARow: 3, passcodeCharacters: 8, reuseSeconds: 0, allowsRelaxedRate: false))
    #expect(policy.drivers == ["elan", "uru4000"])
    #expect(policy.screenLocks == .listed(["/opt/own/lock"]))
    #expect(policy.allows("elan") && !policy.allows("replay"))
    #expect(try MachinePolicy("") == .none)
    #expect(try MachinePolicy("[readers]\ndrivers = []\r\n").allows("elan") == false)
  }

  @Test(
    "what would loosen anything, or is not understood, is refused with its line",
    arguments: [
      ("[biometry]\nmisses = 6", 2), ("[biometry]\nmisses = 0", 2),
      ("\n\n[biometry]\nreuse-seconds = 301", 4), ("[passcode]\ncharacters = 3", 2),
      ("[passcode]\ncharacters = 65", 2), ("[biometry]\nrelaxed-rate = maybe", 2),
      ("[biometry]\nrelaxed-rate = 1", 2), ("misses = 3", 1), ("[biometry]\nmises = 3", 2),
      ("[biometry]\nmisses = 3\nmisses = 3", 3), ("[biometry]\n[biometry]", 2),
      ("[biometry\nmisses = 3", 1), ("[biometry] misses = 3", 1), ("[biometry]\nmisses 3", 2),
      ("[biometry]\nmisses = 3 4", 2), ("[biometry]\nmisses = 0x3", 2),
      ("[biometry]\nmisses = -1", 2), ("[biometry]\nmisses = 03", 2),
      ("[biometry]\nmisses = 99999999999999999999", 2), ("[readers]\ndrivers = elan", 2),
      ("[readers]\ndrivers = [\"elan\"", 2), ("[readers]\ndrivers = [\"el\\an\"]", 2),
      ("[readers]\ndrivers = [\"elan\" \"b\"]", 2), ("[readers]\ndrivers = \"elan", 2),
      ("[readers]\ndrivers = [\"\"]", 2), ("[]\n", 1), ("= 3", 1), ("\u{0}", 1),
      ("[readers]\ndrivers = [\"../../x\"]", 2), ("[readers]\ndrivers = [\"Elan\"]", 2),
      ("[readers]\ndrivers = [\"elan\", \"libauthcore-driver-elan.so\"]", 2),
      ("[biometry]\n\n[nosuch]\n", 3), ("[reader]", 1),
      ("[prompts]\nscreen-locks = [\"swaylock\"]", 2),
      ("[prompts]\nscreen-locks = [\"//unit/x.service\"]", 2), ("[prompts]\nscreen-locks = 1", 2),
      ("[nosuch]\nmisses = 3", 1),
    ])
  func refused(text: String, line: Int) {
    #expect(problem(text)?.line == line, "\(String(describing: problem(text)))")
  }

  @Test("rules are only ever tightened, in whatever order they come")
  func tightening() {
    let strict = EnclaveRules(
      missesInARow: 2, passcodeCharacters: 9, reuseSeconds: 10, allowsRelaxedRate: false)
    var rules = EnclaveRules()
    rules.tighten(to: strict)
    #expect(rules == strict)
    rules.tighten(to: EnclaveRules())
    #expect(rules == strict)
    rules.tighten(
      to: EnclaveRules(
        missesInARow: 0, passcodeCharacters: 0, reuseSeconds: 400, allowsRelaxedRate: true))
    #expect(rules.missesInARow == 1, "none at all would lock out for ever")
    #expect(rules.passcodeCharacters == 9 && rules.reuseSeconds == 10)
  }

  @Test("a field of several lines is written with its length, and no name steers a terminal")
  func journal() {
    #expect(Journal.encoded("A", "b") == Array("A=b\n".utf8))
    #expect(
      Journal.encoded("A", "b\nC=d") == Array("A\n".utf8) + [5, 0, 0, 0, 0, 0, 0, 0]
        + Array("b\nC=d\n".utf8))
    #expect(Journal.shown("a\u{1B}[2J\u{202E}\nb") == "a\u{FFFD}[2J\u{FFFD}\u{FFFD}b")
    let record = AuditRecord(event: .release, user: 1000, application: "/usr/bin/x", process: 7)
    #expect(
      record.fields.map { "\($0.0)=\($0.1)" } == [
        "AUTHCORE_EVENT=release", "AUTHCORE_OUTCOME=done", "AUTHCORE_USER=1000",
        "AUTHCORE_APPLICATION=/usr/bin/x", "AUTHCORE_PROCESS=7",
      ])
  }
}

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
