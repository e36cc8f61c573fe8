import EndToEndHarness
import Foundation
import Testing

/// For root; see ``ServiceUserTests``.
@Suite(
  "How the service calls programs", .timeLimit(.minutes(10)),
  .enabled(if: getuid() == 0 && isRootAlone(Products.folder), "takes root, and a build of root's"))
struct ServiceNameTests {
  private static let user: UInt32 = 65_533

  /// Has a program of root's add an item, by the C library, and says what it was called in the
  /// journal.
  private func name(of program: String, in service: TestService, _ environment: [String: String])
    throws -> String
  {
    let prefix = UnprivilegedUser.prefix(Self.user)
    let script = Products.sources.appendingPathComponent("docs/examples/authcore_ctypes.py").path
    let values = [
      "AUTHCORE_CLIENT": Products.program("libauthcore-client.so"),
      "AUTHCORE_CORE": Products.program("authcored"),
    ]
    // No finger is enrolled, so nothing is added; the journal says who wanted it.
    let run = try run(
      prefix[0], prefix.dropFirst() + [program, script, "add", "mail"], input: Data("s3cret".utf8),
      environment: service.environment.merging(values) { $1 }.merging(environment) { $1 })
    #expect(run.status == 1, "\(run.account)")
    let line = service.log.split(separator: "\n").last { $0.contains("item-add for ") }
    let words = try #require(line, "\(run.account)\n\(service.log)").split(separator: " ")
    return String(words[words.count - 2].dropLast())
  }

  @Test("FINDINGS A12: code that its caller preloads costs the owning program its name")
  func preloaded() throws {
    let service = try TestService.ofItsOwnUser()
    // A program that is not known to run what it is told to.
    let folder = Products.folder.appendingPathComponent("owning-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = folder.appendingPathComponent("owner").path
    let python = URL(fileURLWithPath: "/usr/bin/python3").resolvingSymlinksInPath().path
    try FileManager.default.copyItem(atPath: python, toPath: program)
    let foreign = try TemporaryFolder()
    _ = unsafe chmod(foreign.url.path, 0o755)
    let library = foreign.url.appendingPathComponent("libz.so").path
    try FileManager.default.copyItem(
      atPath: Products.program("libauthcore-client.so"), toPath: library)

    let canonical = URL(fileURLWithPath: program).resolvingSymlinksInPath().path
    #expect(try name(of: program, in: service, [:]) == canonical)
    #expect(
      try name(of: program, in: service, ["LD_PRELOAD": library]) == "//unproved" + canonical)
  }
}

/// Whether a folder and all above it are root's, and root alone may write them.
private func isRootAlone(_ folder: URL) -> Bool {
  var url = folder.resolvingSymlinksInPath()
  while true {
    var status = stat()
    guard unsafe stat(url.path, &status) == 0, status.st_uid == 0, status.st_mode & 0o022 == 0
    else { return false }
    if url.path == "/" { return true }
    url.deleteLastPathComponent()
  }
}
