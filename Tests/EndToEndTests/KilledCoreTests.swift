import CoreClient
import Foundation
import Protocol
import TestSupport
import Testing

@Suite("A core that is killed", .timeLimit(.minutes(60)))
struct KilledCoreTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["AUTHCORE_DURABILITY"] == "full" ? 500 : 4

  private func connect(to state: TestHome) throws(Failure) -> CoreConnection {
    try CoreAccess(to: .folder(state.home), program: Products.program("authcored")).connect()
  }

  private static func secret(_ round: Int, _ number: Int) -> String {
    "secret \(round) \(number) " + String(repeating: "s", count: number * 97 % 3000)
  }

  private func add(_ round: Int, _ number: Int, to connection: CoreConnection) throws(Failure) {
    var attributes = ItemAttributes()
    (attributes.service, attributes.account) = ("round \(round)", "\(number)")
    let text = Array(Self.secret(round, number).utf8)
    let request = AddItem(attributes: attributes, secret: SecretBytes(copying: text.span))
    let _: ItemAdded = try connection.ask(request)
  }

  private func isWhole(
    _ round: Int, _ number: Int, in connection: CoreConnection
  ) throws(Failure) -> Bool {
    var query = ItemQuery()
    (query.service, query.account) = ("round \(round)", "\(number)")
    let got: GotItem = try connection.ask(GetItem(query: query))
    let text = Array(Self.secret(round, number).utf8)
    return got.secret.isEqual(to: text.span)
  }

  /// The accounts of one round's items.
  private func accounts(_ round: Int, in connection: CoreConnection) throws(Failure) -> [String] {
    var query = ItemQuery()
    query.service = "round \(round)"
    do throws(Failure) {
      let reply: FoundItems = try connection.ask(FindItems(query: query))
      return reply.items.map(\.account)
    } catch  where error.code == .errSecItemNotFound {
      return []
    }
  }

  /// Whether a command of a state folder runs, and sleeps (proc(5)).
  private func sleeps(_ program: String, of state: TestHome) -> Bool {
    state.processes.contains { process in
      let line = FileManager.default.contents(atPath: "/proc/\(process)/stat") ?? Data()
      return String(decoding: line, as: UTF8.self).contains("(\(program)) S ")
    }
  }

  @Test("a command that waits for a core which is killed has another one started")
  func killedBeforeGreeting() throws {
    let state = try TestHome()
    _ = try connect(to: state)
    let core = try #require(state.core)
    kill(core, SIGSTOP)
    let command = BackgroundRun("authcore", ["--json", "--home", state.home, "status"])
    // What it sleeps for is most likely the greeting; it must succeed whatever it is.
    var looks = 0
    while looks < 20 { looks = sleeps("authcore", of: state) ? looks + 1 : 0 }
    kill(core, SIGKILL)
    let run = try command.end()
    #expect(run.status == 0, "\(run.account)")
    #expect(state.core != core)
  }

  @Test(
    "K1: whenever the core is killed (kill -9) while a client adds, what it answered is there")
  func killed() throws {
    let state = try TestHome()
    var generator = SystemRandomNumberGenerator()
    var total = 0
    for round in 0..<Self.rounds {
      let connection = try connect(to: state)
      let core = try #require(state.core)
      let delay = Double.random(in: 0..<0.08, using: &generator)
      DispatchQueue.global().asyncAfter(deadline: .now() + delay) { kill(core, SIGKILL) }
      var acknowledged = 0
      var end: Failure?
      while end == nil {
        do throws(Failure) {
          try add(round, acknowledged, to: connection)
          acknowledged += 1
        } catch {
          end = error
        }
      }
      #expect(end?.code == .coreFailed, "\(end.map { "\($0)" } ?? "")")
      total += acknowledged
      let next = try connect(to: state)
      let found = try accounts(round, in: next)
      #expect(acknowledged...acknowledged + 1 ~= found.count, "round \(round)")
      #expect(found == (0..<found.count).map(String.init), "round \(round)")
      for number in found.indices {
        #expect(try isWhole(round, number, in: next), "round \(round), item \(number)")
      }
    }
    if Self.rounds > 100 { print("kill -9 of the core: \(Self.rounds) times, \(total) items") }
    let check = try state.authcore("keychain", "check")
    #expect(check.status == 0, "\(check.account)")
  }
}
