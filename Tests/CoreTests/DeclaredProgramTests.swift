import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import AuthCore

@Suite("The programs that root says have names that protect")
struct DeclaredProgramTests {
  private func declared(
    _ text: String, canonical: (String) -> String? = { $0 }
  ) -> (paths: Set<String>, problems: [String]) {
    var programs = DeclaredPrograms()
    programs.add(text, of: "/etc/x.conf", canonical: canonical)
    return (Set(programs.paths.map { String(decoding: $0, as: UTF8.self) }), programs.problems)
  }

  @Test("FINDINGS A10: each line of a file is a path; blank lines and remarks are for people")
  func lines() {
    let found = declared("# mail\n\n/usr/bin/mail\n  /opt/Mail Client/app \t\r\n/usr/bin/mail")
    #expect(found.paths == ["/usr/bin/mail", "/opt/Mail Client/app"] && found.problems.isEmpty)
  }

  @Test("FINDINGS A10: a bad line is ignored and named, and the others count")
  func badLines() {
    let bad = ["mail", "/", "//usr/bin/a", "/usr/bin/../bin/b", "/usr/./c", "/usr/d/", "*", "~/e"]
    let found = declared((bad + ["/usr/bin/mail"]).joined(separator: "\n"))
    #expect(found.paths == ["/usr/bin/mail"])
    #expect(found.problems.count == bad.count)
    #expect(found.problems.first == "/etc/x.conf:1: mail: ignored: it is no absolute path")
    #expect(
      declared("/usr/\u{1B}[2J\nx\u{1B}").problems == [
        "/etc/x.conf:2: x\u{FFFD}: ignored: it is no absolute path"
      ])
    #expect(declared("/" + String(repeating: "x", count: 600)).paths.isEmpty)
    let many = declared((0..<5_000).map { "/usr/bin/\($0)" }.joined(separator: "\n"))
    #expect(many.paths.count == 4_096 && many.problems.count == 904)
  }

  @Test("a path that leads elsewhere is named, since the kernel reports the other one")
  func links() {
    let found = declared("/usr/bin/vi\n/usr/bin/gone") { path in
      path == "/usr/bin/vi" ? "/usr/bin/vim.basic" : nil
    }
    #expect(found.paths == ["/usr/bin/gone"])
    #expect(
      found.problems
        == ["/etc/x.conf:1: /usr/bin/vi: ignored: it leads to /usr/bin/vim.basic: name that"])
  }

  @Test("FINDINGS A10: files of a folder count, as far as only root can have written them")
  func files() throws {
    let folder = try TemporaryFolder()
    for (name, text) in [
      ("a.conf", "/usr/bin/a"), ("b.conf.dpkg-old", "/usr/bin/b"), ("c.conf", "/usr/bin/c"),
    ] { _ = try folder.write(name, Data(text.utf8)) }
    let path = try #require(CanonicalPath.of(folder.path))
    try FileManager.default.createSymbolicLink(
      atPath: path + "/l.conf", withDestinationPath: "/etc/shells")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o666], ofItemAtPath: path + "/c.conf")
    let found = DeclaredPrograms(in: [path, "/none"])
    let isRoot = geteuid() == 0
    #expect(found.paths == (isRoot ? [Array("/usr/bin/a".utf8)] : []))
    #expect(found.problems.contains { $0.hasPrefix(path + "/l.conf: not read: it is a link") })
    #expect(
      found.problems.contains {
        $0.hasPrefix(path + "/c.conf: somebody besides root may change") && $0.hasSuffix("not read")
      })
    #expect(found.problems.count == (isRoot ? 2 : 3))
  }

  @Test("A6: known screen locks, and those that the policy lists, need not be named again")
  func screenLocks() {
    let programs = ProtectedPrograms()
    func isProtected(_ path: String) -> Bool { programs.include(Array(path.utf8)) }
    #expect(isProtected("/usr/bin/swaylock") && !isProtected("/usr/bin/mail"))
    programs.use(.listed(["/opt/lock"]))
    #expect(isProtected("/opt/lock") && !isProtected("/usr/bin/swaylock"))
    var declared = DeclaredPrograms()
    declared.add("/usr/bin/mail", of: "x")
    programs.use(declared)
    #expect(isProtected("/usr/bin/mail") && isProtected("/opt/lock"))
  }
}
