import TestSupport
import Testing

@Suite("The driver that the environment names", .timeLimit(.minutes(15)))
struct EnvironmentDriverTests {
  @Test("AUTHCORE_DRIVER is used where --driver is not given, and counts as unset while empty")
  func environment() throws {
    let state = try TestHome()
    func driver(_ arguments: [String], _ value: String) throws -> String? {
      let status = try run(
        "authcore", ["--json", "--home", state.home, "status"] + arguments,
        environment: ["AUTHCORE_DRIVER": value])
      return status.json["driver"]?["name"]?.string ?? status.errorName
    }
    #expect(try driver([], "replay") == "replay")
    #expect(try driver([], "") != "replay")
    #expect(try driver(["--driver", "replay"], "no-such-driver") == "replay")
    #expect(try driver([], "no-such-driver") != "replay")
    #expect(try driver([], "replay:nonsense=1") == "usage")
  }
}
