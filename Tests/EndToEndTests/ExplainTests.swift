import Foundation
import TestSupport
import Testing

@Suite("The pictures of a comparison", .timeLimit(.minutes(15)))
struct ExplainTests {
  @Test("they are readable by their owner alone, whatever the folder held before")
  func isPrivate() throws {
    let folder = try TemporaryFolder()
    let out = folder.url.appendingPathComponent("out")
    let prints = try Prints.owner.get().prefix(2).map(\.path)
    func explain() throws -> CommandRun {
      try run("authcore-bench", ["explain"] + prints + ["--out", out.path])
    }
    func modes() throws -> [String: Int] {
      let names = try FileManager.default.contentsOfDirectory(atPath: out.path)
      return try Dictionary(
        uniqueKeysWithValues: names.map { name in
          let path = out.appendingPathComponent(name).path
          let attributes = try FileManager.default.attributesOfItem(atPath: path)
          return (name, try #require(attributes[.posixPermissions] as? Int))
        })
    }
    let first = try explain()
    #expect(first.status == 0, "\(first.account)")
    let made = try modes()
    #expect(made.count > 3 && made.values.allSatisfy { $0 == 0o600 }, "\(made)")
    for name in made.keys {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: out.appendingPathComponent(name).path)
    }
    #expect(try explain().status == 0)
    #expect(try modes() == made)
    let folderMode = try FileManager.default.attributesOfItem(atPath: out.path)[.posixPermissions]
    #expect(folderMode as? Int == 0o700)
  }
}
