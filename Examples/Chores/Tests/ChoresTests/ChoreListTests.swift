import Foundation
import Testing

@testable import ChoreKeeping

@Suite("The list")
struct ChoreListTests {
  @Test("a chore goes to the end of the list, without the spaces around it")
  func add() throws {
    var list = ChoreList()
    try list.add("Water the plants")
    try list.add("  Walk the dog\n")
    #expect(list.lines == ["1. Water the plants", "2. Walk the dog"])
  }

  @Test(
    "what is no chore is refused, and the list stays as it is",
    arguments: [
      "", "   ", "\n", "Water\nthe plants", "\u{1B}[2J", "Walk the dog", " Walk the dog ",
    ])
  func refused(title: String) throws {
    var list = ChoreList()
    try list.add("Walk the dog")
    let before = list
    #expect(throws: ChoreListError.self) { try list.add(title) }
    #expect(list == before)
  }

  @Test("an empty list says so")
  func empty() { #expect(ChoreList().lines == ["There is nothing to do."]) }
}

@Suite("The file")
struct ChoreFileTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("chores-\(UUID().uuidString)")

  @Test("lies in XDG_DATA_HOME, or in the home folder where that is no absolute path")
  func place() {
    #expect(
      ChoreFile(environment: ["XDG_DATA_HOME": "/data"]).url.path == "/data/chores/chores.json")
    for environment in [[:], ["XDG_DATA_HOME": ""], ["XDG_DATA_HOME": "here"]] {
      let file = ChoreFile(environment: environment.merging(["HOME": "/home/ann"]) { $1 })
      #expect(file.url.path == "/home/ann/.local/share/chores/chores.json")
    }
  }

  @Test("keeps the list, and one that is not there yet is empty")
  func keeps() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = ChoreFile(url: folder.appendingPathComponent("deep/chores.json"))
    #expect(try file.load() == ChoreList())
    var list = ChoreList()
    try list.add("Grüße an 世界 schreiben", on: Date(timeIntervalSinceReferenceDate: 5))
    try file.save(list)
    #expect(try file.load() == list)
  }

  @Test(
    "that holds something else is said to, and is not overwritten", arguments: ["", "[1]", "{"])
  func damaged(contents: String) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = ChoreFile(url: folder.appendingPathComponent("chores.json"))
    try Data(contents.utf8).write(to: file.url)
    let program = ChoresProgram(file: file, owner: Anybody())
    await #expect(throws: ChoreListError.damaged(file.url.path)) { try await program.add("x") }
    #expect(try Data(contentsOf: file.url) == Data(contents.utf8))
  }
}
