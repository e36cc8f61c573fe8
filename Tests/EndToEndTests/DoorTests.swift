import Foundation
import Protocol
import TestSupport
import Testing

@Suite("Doors beside a core", .timeLimit(.minutes(60)))
struct DoorTests {
  /// A core's folder of its own, with doors: each is `exercise` under the name of one.
  private struct Doors {
    let folder: TemporaryFolder
    let home: TestHome

    init(_ home: TestHome) throws {
      self.home = home
      folder = try TemporaryFolder()
      // The core takes a tape for what it is only from the replay driver beside it.
      let libraries = ["enclave", "keychain", "policy", "driver-replay"]
        .map { "libauthcore-\($0).so" }
      let own = (["authcored", "authcore-host"] + libraries).map { ($0, $0) }
      for (name, program) in own + Door.allCases.map({ ($0.program, "exercise") }) {
        try FileManager.default.copyItem(
          at: Products.folder.appendingPathComponent(program),
          to: folder.url.appendingPathComponent(name))
      }
    }

    /// What a door prints for each of these words, with a driver.
    func callAsFunction(
      _ door: Door, _ words: String..., driver: String? = nil
    ) throws -> [Substring] {
      try DoorTests.exercise(
        folder.url.appendingPathComponent(door.program).path, words, home, driver: driver)
    }
  }

  private static func exercise(
    _ program: String, _ words: [String], _ home: TestHome, driver: String? = nil
  ) throws -> [Substring] {
    var environment = ["AUTHCORE_HOME": home.home]
    environment["AUTHCORE_DRIVER"] = driver
    let run = try run(program, ["door"] + words, environment: environment)
    #expect(run.errors == "", "\(run.account)")
    return run.text.split(separator: "\n")
  }

  /// The path of the program that starts programs for ``run(_:_:input:environment:seconds:)``.
  private var starter: String {
    URL(fileURLWithPath: "/usr/bin/timeout").resolvingSymlinksInPath().path
  }

  @Test("X8: a door acts for the program that started it, also at the next core")
  func restart() throws {
    let home = try TestHome.enrolled()
    try home.succeed("quit")
    let doors = try Doors(home)
    let said = try doors(.age, "fingers", "status", "quit", "fingers", "status", "quit")
    let once: [Substring] = ["1 fingers", "age for \(starter)", "ended"]
    #expect(said == once + once)
  }

  @Test("X8: a copy of a door elsewhere acts for nobody")
  func elsewhere() throws {
    let home = try TestHome.enrolled()
    let doors = try Doors(home)
    // The core of this folder is another one, which does not lie beside it.
    let said = try doors(.age, "fingers") + DoorTests.exercise("exercise", ["fingers"], home)
    #expect(said.count == 2)
    #expect(said.allSatisfy { $0.hasPrefix("errSecMissingEntitlement: only a door") }, "\(said)")
  }

  @Test("X8: a door that keeps a proof uses keys with it once, and reusable ones more often")
  func reuse() throws {
    let home = try TestHome.enrolled()
    try home.succeed("key", "create", "once", "--access", "presence")
    try home.succeed("key", "create", "often", "--access", "presence", "--reusable")
    try home.succeed("quit")
    let doors = try Doors(home)
    #expect(try doors(.sshAgent, "fingers") == ["1 fingers"])
    try home.succeed("unlock", passcode: TestHome.passcode)
    let said = try doors(
      .sshAgent, "key=once", "touch", "key=often", "key=often", "key=once", "key=often", "touch",
      "key=once", "key=once", driver: home.ownerTouch())
    let asked = "errSecInteractionNotAllowed"
    #expect(
      said.map { String($0.prefix { $0 != ":" }) }
        == [asked, "biometry", "signed", "signed", asked, asked, "biometry", "signed", asked],
      "\(said)")
    #expect(try doors(.sshAgent, "quit") == ["ended"])
  }

  @Test("X8 E5: five misses through two doors lock fingers out for both")
  func lockout() throws {
    let home = try TestHome.enrolled()
    try home.succeed("quit")
    let doors = try Doors(home)
    #expect(try doors(.age, "fingers") == ["1 fingers"])
    try home.succeed("unlock", passcode: TestHome.passcode)
    let (three, two) = (try home.strangerTouches(3), try home.strangerTouches(2))
    let first = try doors(.age, "touch", driver: three)
    #expect(first.first?.hasPrefix("authenticationFailed") == true, "\(first)")
    let second = try doors(.docker, "touch", driver: two)
    #expect(second.first?.hasPrefix("biometryLockout") == true, "\(second)")
    let third = try doors(.age, "touch", driver: try home.ownerTouch())
    #expect(third.first?.hasPrefix("biometryLockout") == true, "\(third)")
    #expect(try doors(.sshAgent, "quit") == ["ended"])
  }
}
