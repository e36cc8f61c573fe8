import CoreClient
import Foundation
import LinuxSystem
import Protocol
import TestSupport
import Testing

@Suite("Moving a state folder into the service", .timeLimit(.minutes(60)))
struct MigrateTests {
  private func migrate(
    _ home: TestHome, to service: TestService, _ arguments: String...
  ) throws -> CommandRun {
    try home.authcore(["migrate"] + arguments, environment: service.environment)
  }

  /// A folder with a passcode, a finger, a guarded item, a plain one, and a key.
  private func filled() throws -> TestHome {
    let home = try TestHome.enrolled()
    try home.succeed("item", "add", "plain", secret: "one")
    try home.succeed("item", "add", "guarded", "--access", "passcode", secret: "two")
    try home.succeed("key", "create", "signer")
    return home
  }

  @Test("passcode, fingers, items and keys are there afterwards, and the folder is kept")
  func whole() throws {
    let (home, service) = (try filled(), try TestService())
    let key = try home.authcore("key", "public", "signer", json: false).text
    let moved = try migrate(home, to: service).expectSuccess()
    #expect(moved.json["kept"]?.string == home.home + ".migrated")
    #expect(!FileManager.default.fileExists(atPath: home.home))
    #expect(FileManager.default.fileExists(atPath: home.home + ".migrated/enclave/keybag"))

    let status = try service.authcore("status")
    #expect(status.json["mode"]?.string == "service")
    #expect(status.json["passcodeSet"]?.bool == true && status.json["fingers"]?.number == 1)
    #expect(status.json["firstUnlocked"]?.bool == false, "before first unlock")
    try service.succeed("unlock", passcode: TestHome.passcode)
    #expect(try service.authcore("item", "get", "plain", json: false).text == "one")
    let guarded = try service.authcore(
      "item", "get", "guarded", passcode: TestHome.passcode, json: false)
    #expect(guarded.text == "two", "\(guarded.account)")
    #expect(try service.authcore("key", "public", "signer", json: false).text == key)
    try service.succeed("key", "sign", "signer", secret: "x")
    try service.succeed("keychain", "check")
  }

  @Test("with --remove the folder is gone afterwards")
  func removing() throws {
    let (home, service) = (try filled(), try TestService())
    let moved = try migrate(home, to: service, "--remove")
    #expect(moved.status == 0 && moved.json["kept"] == .null, "\(moved.account)")
    #expect(!FileManager.default.fileExists(atPath: home.home))
    try service.succeed("unlock", passcode: TestHome.passcode)
    #expect(try service.authcore("item", "get", "plain", json: false).text == "one")
  }

  @Test("who has a keychain in the service keeps it, and the folder")
  func occupied() throws {
    let (home, service) = (try filled(), try TestService())
    try service.succeed("item", "add", "mine", secret: "kept")
    try migrate(home, to: service).expect(status: 3, error: "errSecDuplicateItem")
    #expect(try service.authcore("item", "get", "mine", json: false).text == "kept")
    try home.succeed("unlock", passcode: TestHome.passcode)
    #expect(try home.authcore("item", "get", "plain", json: false).text == "one")
  }

  @Test("who only looked at the service has nothing there; what is kept there meanwhile stays")
  func looked() throws {
    let (home, service) = (try filled(), try TestService())
    let files = service.state + "/users/\(getuid())/enclave/keybag"
    try service.succeed("item", "list")
    #expect(FileManager.default.fileExists(atPath: files))
    try migrate(home, to: service).expectSuccess()
    try service.succeed("unlock", passcode: TestHome.passcode)
    #expect(try service.authcore("item", "get", "plain", json: false).text == "one")
    // A second folder does not replace one that is used, even a locked one.
    let other = try filled()
    try service.succeed("lock")
    #expect(try migrate(other, to: service).errorName == "errSecDuplicateItem")
    try service.succeed("unlock", passcode: TestHome.passcode)
    #expect(try service.authcore("item", "get", "plain", json: false).text == "one")
  }

  @Test("what the service has put aside is not lost by a move: it is named, and the folder stays")
  func putAside() throws {
    let (home, service) = (try filled(), try TestService())
    try service.succeed("item", "list")
    let left = service.state + "/users/\(getuid())/keychain/keychain.sqlite.lost-1"
    try Data("rows".utf8).write(to: URL(fileURLWithPath: left))
    let refused = try migrate(home, to: service)
    #expect(refused.errorName == "errSecDuplicateItem", "\(refused.account)")
    #expect(refused.text.contains("keychain.sqlite.lost-1"), "\(refused.account)")
    #expect(refused.text.contains("authcore backup restore"), "\(refused.account)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: left)) == Data("rows".utf8))
    try service.succeed("item", "list")
    try home.succeed("unlock", passcode: TestHome.passcode)
    #expect(try home.authcore("item", "get", "plain", json: false).text == "one")
    try FileManager.default.removeItem(atPath: left)
    #expect(try migrate(home, to: service).status == 0)
  }

  @Test("what was left of a repair stays behind, and a damaged keychain is repaired first")
  func repaired() throws {
    let (home, service) = (try filled(), try TestService())
    let folder = home.home + "/keychain"
    try home.succeed("quit")
    let left = folder + "/keychain.sqlite.damaged-1"
    try Data("pages".utf8).write(to: URL(fileURLWithPath: left))
    let database = URL(fileURLWithPath: folder + "/keychain.sqlite")
    let whole = try Data(contentsOf: database)
    try Data(repeating: 7, count: whole.count).write(to: database)
    try migrate(home, to: service, "--remove").expect(error: "stateDamaged")
    try home.succeed("quit")
    try whole.write(to: database)
    let moved = try migrate(home, to: service, "--remove")
    #expect(moved.status == 0 && moved.json["kept"]?.string == home.home, "\(moved.account)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: left)) == Data("pages".utf8))
    try service.succeed("unlock", passcode: TestHome.passcode)
    #expect(try service.authcore("item", "get", "plain", json: false).text == "one")
  }

  @Test("without a service, and without a folder, nothing is done")
  func missing() throws {
    let home = try TestHome()
    try home.authcore("migrate").expect(error: "coreFailed")
    let service = try TestService()
    try FileManager.default.removeItem(atPath: home.home)
    #expect(try migrate(home, to: service).errorName == "errSecItemNotFound")
  }

  @Test("files that are no part of a state, or have no bytes, are not taken; half a state is none")
  func hostile() throws {
    let service = try TestService()
    let connection = try CoreAccess(to: .service(socket: service.socket), program: "/none")
      .connect()
    for (part, name) in [
      (StatePart.enclave, "keybag"), (.enclave, "../keybag"), (.enclave, ".lock"), (.enclave, ""),
      (.keychain, "keychain.sqlite-shm"), (.keychain, "other"), (.enclave, "erasing"),
      (.enclave, String(repeating: "a", count: 65)),
    ] {
      do throws(Failure) {
        if name != "keybag" {
          let _: Done = try connection.request(GiveStateBytes(bytes: [1, 2, 3]))
        }
        let _: Done = try connection.request(GiveStateFile(part: part, name: name))
        Issue.record("\(name) was taken")
      } catch {
        #expect(error.code == .usage, "\(error)")
      }
    }
    do throws(Failure) {
      let _: Done = try connection.request(GiveStateFile(part: .enclave, name: "keybag"))
      Issue.record("no file was taken")
    } catch {
      #expect(error.code == .usage)
    }
    do throws(Failure) {
      let _: Done = try connection.request(AdoptState())
      Issue.record("nothing was adopted")
    } catch {
      #expect(error.code == .usage)
    }
    #expect(try service.authcore("status").json["passcodeSet"]?.bool == false)
  }

  @Test("FINDINGS A5: a database with a trigger is not moved; repaired, it is")
  func trigger() throws {
    let (home, service) = (try filled(), try TestService())
    try home.succeed("quit")
    // It would never end if it ran.
    let script = """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.execute("CREATE TRIGGER slow BEFORE INSERT ON items BEGIN SELECT count(*) FROM "
        "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n); END")
      database.close()
      """
    let database = home.home + "/keychain/keychain.sqlite"
    let python = Process()
    python.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    python.arguments = ["-c", script, database]
    try python.run()
    python.waitUntilExit()
    #expect(python.terminationStatus == 0)
    // A hostile client is refused before any row is read.
    let connection = try CoreAccess(to: .service(socket: service.socket), program: "/none")
      .connect()
    for part in StatePart.allCases {
      for name in part.files {
        let path = "\(home.home)/\(part.folder)/\(name)"
        guard let bytes = FileManager.default.contents(atPath: path) else { continue }
        for start in stride(from: 0, through: bytes.count, by: GiveStateBytes.most) {
          let some = GiveStateBytes(
            bytes: Array(bytes.dropFirst(start).prefix(GiveStateBytes.most)))
          let _: Done = try connection.request(some)
        }
        let _: Done = try connection.request(GiveStateFile(part: part, name: name))
      }
    }
    do throws(Failure) {
      let _: Done = try connection.request(AdoptState())
      Issue.record("the database was adopted")
    } catch {
      #expect(error.code == .errSecMissingEntitlement, "\(error)")
    }
    #expect(try service.authcore("status").json["passcodeSet"]?.bool == false)
    let refused = try migrate(home, to: service)
    #expect(refused.errorName == "stateDamaged", "\(refused.account)")
    #expect(refused.text.contains("keychain repair"), "\(refused.account)")
    try home.succeed("unlock", passcode: TestHome.passcode)
    try home.succeed("keychain", "repair")
    try migrate(home, to: service).expectSuccess()
    try service.succeed("unlock", passcode: TestHome.passcode)
    #expect(try service.authcore("item", "get", "plain", json: false).text == "one")
    try service.succeed("item", "add", "new", secret: "x")
  }

  @Test("what a move left unfinished is finished, or forgotten, by the next core")
  func interrupted() throws {
    let (home, service) = (try filled(), try TestService())
    try home.succeed("quit")
    let user = service.state + "/users/\(getuid())"
    let manager = FileManager.default
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try manager.createDirectory(
      atPath: user, withIntermediateDirectories: true, attributes: attributes)
    // Gathering was interrupted: nothing counts.
    try manager.copyItem(atPath: home.home, toPath: user + "/incoming")
    #expect(try service.authcore("status").json["passcodeSet"]?.bool == false)
    #expect(!manager.fileExists(atPath: user + "/incoming"))
    try service.restart()
    // Everything had arrived, and the enclave's part was in place.
    try? manager.removeItem(atPath: user + "/enclave")
    try manager.copyItem(atPath: home.home + "/enclave", toPath: user + "/enclave")
    try manager.createDirectory(
      atPath: user + "/adopted", withIntermediateDirectories: true, attributes: attributes)
    try manager.copyItem(atPath: home.home + "/keychain", toPath: user + "/adopted/keychain")
    try service.succeed("unlock", passcode: TestHome.passcode)
    #expect(try service.authcore("item", "get", "plain", json: false).text == "one")
    #expect(!manager.fileExists(atPath: user + "/adopted"))
  }
}
