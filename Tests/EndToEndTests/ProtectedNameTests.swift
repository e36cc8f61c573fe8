import Foundation
import TestSupport
import Testing

/// For root; see ``ServiceUserTests``.
@Suite(
  "How the service calls programs", .timeLimit(.minutes(60)),
  .enabled(if: getuid() == 0 && isRootAlone(Products.folder), "takes root, and a build of root's"))
struct ProtectedNameTests {
  private static let user: UInt32 = 65_533

  /// A client in Python that adds an item and does not check who serves.
  private static let client = """
    import socket, sys
    sys.dont_write_bytecode = True
    sys.path.insert(0, sys.argv[1])
    import authcore_client as example
    class Service(example.Core):
        def __init__(self, path):
            self.request_id, self.socket = 0, socket.socket(socket.AF_UNIX)
            self.socket.connect(path)
            self.stream = self.socket.makefile("rb")
            self.request(example.HELLO, example.write(example.HELLO_FIELDS, example.VERSION, "test"))
    example.Core = Service
    example.main(sys.argv[2], "add", "mail")
    """

  /// Makes a program of root's (Python) ask to add an item; returns its name in the journal. No finger
  /// is enrolled, so nothing is added.
  private func name(
    of program: String, in service: TestService, _ environment: [String: String] = [:],
    after words: [String] = []
  ) throws -> String {
    let prefix = UnprivilegedUser.prefix(Self.user) + words
    let examples = Products.sources.appendingPathComponent("docs/examples").path
    let run = try run(
      prefix[0], prefix.dropFirst() + [program, "-c", Self.client, examples, service.socket],
      input: Data("s3cret".utf8), environment: environment)
    #expect(run.status == 1, "\(run.account)")
    let line = service.log.split(separator: "\n").last { $0.contains("item-add for ") }
    let words = try #require(line, "\(run.account)\n\(service.log)").split(separator: " ")
    return String(words[words.count - 2].dropLast())
  }

  /// A program of root's, of which root can say that its name protects.
  private final class OwningProgram {
    let path: String
    private let folder = Products.folder.appendingPathComponent("owning-\(UUID().uuidString)")

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      let program = folder.resolvingSymlinksInPath().appendingPathComponent("owner")
      path = program.path
      let python = URL(fileURLWithPath: "/usr/bin/python3").resolvingSymlinksInPath()
      try FileManager.default.copyItem(at: python, to: program)
    }

    /// Says so in the service's folder, before the service starts.
    func declare(to service: TestService, _ more: String = "") throws {
      let folder = service.configuration + "/programs.d"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o755])
      try Data("# tests\n\(more)\n\(path)\n".utf8).write(
        to: URL(fileURLWithPath: folder + "/tests.conf"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
  }

  @Test("FINDINGS A10: a program that nobody declares has a label, and a bad line is named")
  func undeclared() throws {
    let service = try TestService.ofItsOwnUser()
    let (declared, other) = (try OwningProgram(), try OwningProgram())
    try declared.declare(to: service, "bad line")
    let foreign = try Self.foreignLibrary()
    let environment = ["LD_PRELOAD": foreign.library]
    #expect(try name(of: other.path, in: service, environment) == other.path, "nobody looks")
    #expect(
      try name(of: declared.path, in: service, environment) == "//unproved" + declared.path)
    #expect(
      service.log.contains("programs.d/tests.conf:2: bad line: ignored: it is no absolute path"),
      "\(service.log)")
  }

  /// A library that is not root's.
  private static func foreignLibrary() throws -> (folder: TemporaryFolder, library: String) {
    let folder = try TemporaryFolder()
    _ = unsafe chmod(folder.url.path, 0o755)
    let library = folder.url.appendingPathComponent("libz.so").path
    try FileManager.default.copyItem(
      atPath: Products.program("libauthcore-client.so"), toPath: library)
    return (folder, library)
  }

  @Test("FINDINGS A12: code that its caller preloads costs the owning program its name")
  func preloaded() throws {
    let service = try TestService.ofItsOwnUser()
    let program = try OwningProgram()
    try program.declare(to: service)
    let (folder, library) = try Self.foreignLibrary()
    defer { withExtendedLifetime(folder) {} }
    #expect(try name(of: program.path, in: service) == program.path)
    #expect(
      try name(of: program.path, in: service, ["LD_PRELOAD": library])
        == "//unproved" + program.path)
  }

  /// In a namespace of processes a user may send any of its numbers in `SCM_CREDENTIALS`; in one of
  /// mounts, replace root's libraries and remove them once they are loaded.
  @Test(
    "K2: in a namespace of its user's the owning program has no name",
    arguments: [["-U", "-r"], ["-U", "-r", "-p", "-f", "--mount-proc"]])
  func namespaces(options: [String]) throws {
    let service = try TestService.ofItsOwnUser()
    let program = try OwningProgram()
    try program.declare(to: service)
    let unshare = ["/usr/bin/unshare"] + options
    let prefix = UnprivilegedUser.prefix(Self.user) + unshare
    guard try run(prefix[0], prefix.dropFirst() + ["/bin/true"]).status == 0 else {
      print("skipped: this kernel gives users no namespaces")
      return
    }
    #expect(try name(of: program.path, in: service, after: unshare) == "//unproved" + program.path)
  }
}

/// Whether only root may write a folder and all above it.
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
