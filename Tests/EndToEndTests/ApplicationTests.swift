import AuthCoreClient
import ClientProtocol
import Foundation
import Testing
import Wire

@Suite("Items of several programs", .timeLimit(.minutes(15)))
struct ApplicationTests {
  @Test("K2: a copy of the command elsewhere is another application; what it adds is its own")
  func copy() throws {
    let state = try StateFolder()
    let copy = try state.folder.write(
      "other", Data(contentsOf: URL(fileURLWithPath: Products.program("authcore"))))
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: copy.path)
    func other(_ arguments: String..., secret: String = "") throws -> CommandRun {
      try run(copy.path, ["--json", "--home", state.home] + arguments, input: Data(secret.utf8))
    }
    #expect(try state.authcore("item", "add", "--service", "mail", secret: "mine").status == 0)
    let missing = try other("item", "get", "--service", "mail")
    #expect(missing.errorName == "errSecItemNotFound", "\(missing.account)")
    let add = try other("item", "add", "--service", "mail", secret: "theirs")
    #expect(add.status == 0, "\(add.account)")
    let get = try other("item", "get", "--service", "mail")
    #expect(get.json["secret"]?.string == Data("theirs".utf8).base64EncodedString())
    #expect(try other("item", "remove", "--service", "mail").status == 0)
    let kept = try state.authcore("item", "get", "--service", "mail")
    #expect(kept.json["secret"]?.string == Data("mine".utf8).base64EncodedString())
    // The file may change: what lies there is the application.
    #expect(try other("item", "add", "--service", "news", secret: "kept").status == 0)
    try FileManager.default.removeItem(at: copy)
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: Products.program("authcore")), to: copy)
    let updated = try other("item", "get", "--service", "news")
    #expect(updated.json["secret"]?.string == Data("kept".utf8).base64EncodedString())
  }
}
