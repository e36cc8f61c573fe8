import Foundation
import TestSupport
import Testing

@Suite(
  "A state folder whose root key is in a TPM", .enabled(if: TPMProcess.isInstalled),
  .timeLimit(.minutes(60)))
struct TPMTests {
  let state: TestHome
  let tpm: TPMProcess

  init() throws {
    state = try TestHome()
    tpm = try TPMProcess()
  }

  private func run(
    _ arguments: String..., passcode: String? = nil, secret: String = "",
    on other: TPMProcess? = nil
  ) throws -> CommandRun {
    var all = ["--json", "--home", state.home] + arguments
    if let passcode {
      all += [
        "--passcode-file",
        try state.folder.write("passcode-\(UUID().uuidString)", "\(passcode)\n"),
      ]
    }
    return try TestSupport.run(
      "authcore", all, input: Data(secret.utf8), environment: (other ?? tpm).environment)
  }

  private func succeed(_ run: CommandRun) { #expect(run.status == 0, "\(run.account)") }

  private func setUp() throws {
    succeed(try run("passcode", "set", passcode: TestHome.passcode))
    succeed(try run("item", "add", "--service", "mail", secret: "gold"))
  }

  private func readItem() throws -> Data? {
    let read = try run("item", "get", "--service", "mail").expectSuccess()
    return read.json["secret"]?.string.flatMap { Data(base64Encoded: $0) }
  }

  private func rootKey() throws -> String? { try run("status").json["rootKey"]?.string }

  @Test("K5: with a TPM a fresh folder is bound to it, and opens by it alone")
  func firstUse() throws {
    #expect(try rootKey() == "tpm")
    try setUp()
    succeed(try run("quit"))
    let status = try run("status")
    #expect(status.json["rootKey"]?.string == "tpm")
    #expect(status.json["rollbackDetected"]?.bool == false)
    succeed(try run("unlock", passcode: TestHome.passcode))
    #expect(try readItem() == Data("gold".utf8))
    succeed(try run("doctor"))
  }

  @Test("a TPM that is not there is an error of its own, and the folder opens when it is back")
  func absent() throws {
    try setUp()
    succeed(try run("quit"))
    tpm.stop()
    let away = try run("status")
    #expect(away.status == 5 && away.errorName == "tpmNotFound", "\(away.account)")
    #expect(away.json["error"]?["hint"]?.string != nil)
    try tpm.start()
    succeed(try run("unlock", passcode: TestHome.passcode))
    #expect(try readItem() == Data("gold".utf8))
    // Also while the core runs.
    tpm.stop()
    try run("unlock", passcode: TestHome.passcode).expect(error: "tpmNotFound")
    try tpm.start()
    succeed(try run("unlock", passcode: TestHome.passcode))
    #expect(try run("status").json["rollbackDetected"]?.bool == false)
  }

  @Test("without a TPM the root key stays in its file, and the device unlocked")
  func nothingToMoveTo() throws {
    let state = try TestHome()
    let passcode = TestHome.passcode
    succeed(try state.authcore("passcode", "set", passcode: passcode))
    try state.authcore("root-key", "migrate", "--to", "tpm", passcode: passcode).expect(
      status: 2, error: "errSecNotAvailable")
    let status = try state.authcore("status")
    #expect(status.json["rootKey"]?.string == "file")
    #expect(status.json["locked"]?.bool == false, "\(status.account)")
  }

  @Test("the root key moves out of the TPM and into it again, behind the passcode")
  func migrate() throws {
    try setUp()
    try run("root-key", "migrate", passcode: "wrong one").expect(error: "authenticationFailed")
    let out = try run("root-key", "migrate", passcode: TestHome.passcode)
    #expect(out.json["rootKey"]?.string == "file" && out.json["moved"]?.bool == true)
    #expect(try rootKey() == "file")
    #expect(try readItem() == Data("gold".utf8))
    let back = try run("root-key", "migrate", "--to", "tpm", passcode: TestHome.passcode)
    #expect(back.json["rootKey"]?.string == "tpm", "\(back.account)")
    let again = try run("root-key", "migrate", "--to", "tpm")
    #expect(again.json["moved"]?.bool == false, "\(again.account)")
    succeed(try run("quit"))
    #expect(try rootKey() == "tpm")
    succeed(try run("unlock", passcode: TestHome.passcode))
    #expect(try readItem() == Data("gold".utf8))
  }

  @Test("the whole folder put back is told by status until the next right passcode")
  func restored() throws {
    try setUp()
    succeed(try run("quit"))
    let copy = state.folder.url.appendingPathComponent("copy")
    try FileManager.default.copyItem(at: URL(fileURLWithPath: state.home), to: copy)
    try run("unlock", passcode: "wrong one").expect(error: "authenticationFailed")
    succeed(try run("quit"))
    try FileManager.default.removeItem(atPath: state.home)
    try FileManager.default.moveItem(at: copy, to: URL(fileURLWithPath: state.home))
    #expect(try run("status").json["rollbackDetected"]?.bool == true)
    succeed(try run("unlock", passcode: TestHome.passcode))
    #expect(try run("status").json["rollbackDetected"]?.bool == false)
    #expect(try readItem() == Data("gold".utf8))
  }

  @Test("with another TPM nothing is moved until the owner agrees; then a fresh device begins")
  func replaced() throws {
    try setUp()
    succeed(try run("quit"))
    let other = try TPMProcess()
    let status = try run("status", on: other)
    #expect(status.status == 5 && status.errorName == "tpmReplaced", "\(status.account)")
    #expect(status.json["error"]?["hint"]?.string?.contains("backup restore") == true)
    try run("passcode", "set", passcode: "tulip 42", on: other).expect(error: "tpmReplaced")
    // The right TPM opens the folder again.
    succeed(try run("quit", on: other))
    succeed(try run("unlock", passcode: TestHome.passcode))
    #expect(try readItem() == Data("gold".utf8))
    succeed(try run("quit"))
    succeed(try run("passcode", "set", "--yes", passcode: "tulip 42", on: other))
    #expect(try run("status", on: other).json["rootKey"]?.string == "tpm")
    let kept = try FileManager.default.contentsOfDirectory(atPath: state.home + "/enclave")
    #expect(Set(["aside-1.root.key", "aside-1.keybag", "aside-1.attempts"]).isSubset(of: kept))
    let list = try run("item", "list", on: other)
    #expect(list.json["items"]?.array?.isEmpty == true, "\(list.account)")
    succeed(try run("item", "add", "--service", "mail", secret: "silver", on: other))
    succeed(try run("quit", on: other))
  }

  @Test("an address that names no TPM is a usage error, and off means none")
  func addresses() throws {
    let folder = try TestHome()
    try folder.authcore("status", environment: ["AUTHCORE_TPM": "tpm0"]).expect(error: "usage")
    let off = try folder.authcore("status", environment: ["AUTHCORE_TPM": "off"])
    #expect(off.json["rootKey"]?.string == "file", "\(off.account)")
  }
}
