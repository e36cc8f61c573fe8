import Foundation
import TestSupport
import Testing

@Suite("Commands on a keychain that is gone", .timeLimit(.minutes(60)))
struct LostKeychainTests {
  private let state: TestHome
  private var file: String { state.home + "/keychain/keychain.sqlite" }

  init() throws {
    state = try TestHome()
    try state.succeed("item", "add", "mail", "ann", secret: "s3cret")
  }

  /// Removes or empties the file, of a core that runs or of one that has ended.
  private func lose(isEmptied: Bool, coreRuns: Bool) throws {
    if !coreRuns { try state.succeed("quit") }
    try FileManager.default.removeItem(atPath: file)
    if isEmptied { try Data().write(to: URL(fileURLWithPath: file)) }
  }

  @Test(
    "FINDINGS A13: they say what happened and the way out, and never that there is no such item",
    arguments: [false, true], [false, true])
  func said(isEmptied: Bool, coreRuns: Bool) throws {
    try lose(isEmptied: isEmptied, coreRuns: coreRuns)
    for command in [["item", "get", "mail"], ["item", "list"], ["item", "add", "news"]] {
      let run = try state.authcore(command, secret: "s3cret", json: false)
      #expect(run.status == 5, "\(run.account)")
      #expect(run.errors.contains(file) && run.errors.contains("keychain repair"), "\(run.account)")
    }
    let status = try state.succeed("status")
    #expect(status.json["keychainMissing"]?.bool == true, "\(status.account)")
    let doctor = try state.authcore("doctor", json: false)
    #expect(doctor.text.contains("This device has a keychain"), "\(doctor.account)")
    let check = try state.authcore("keychain", "check", json: false)
    #expect(check.status == 5 && check.text.contains(file), "\(check.account)")
    let left = FileManager.default.contents(atPath: file)
    #expect(left == (isEmptied ? Data() : nil))
  }

  @Test("FINDINGS A13: an empty keychain is begun only on the owner's word")
  func begunAnew() throws {
    try lose(isEmptied: false, coreRuns: false)
    let asked = try state.authcore("keychain", "repair", json: false)
    #expect(asked.status == 5 && asked.errors.contains("--yes"), "\(asked.account)")
    #expect(!FileManager.default.fileExists(atPath: file))
    let begun = try state.authcore("keychain", "repair", "--yes", json: false)
    #expect(begun.status == 0, "\(begun.account)")
    #expect(begun.text.contains("An empty keychain was begun"), "\(begun.account)")
    #expect(try state.authcore("item", "get", "mail").status == 3)
    #expect(try state.succeed("status").json["keychainMissing"]?.bool == false)
    try state.succeed("keychain", "check")
  }
}
