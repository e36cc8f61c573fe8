import Foundation
import LocalAuthentication
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

@Suite("Add a Chore")
struct AddingTests {
  private let file = ChoreFile(
    url: FileManager.default.temporaryDirectory
      .appendingPathComponent("chores-\(UUID().uuidString)/chores.json"))

  private func remove() {
    try? FileManager.default.removeItem(at: file.url.deletingLastPathComponent())
  }

  @Test("W1: what the owner permits is added")
  func permitted() async throws {
    defer { remove() }
    let list = try await ChoresProgram(file: file, owner: Anybody()).add("Walk the dog")
    #expect(list.lines == ["1. Walk the dog"])
    #expect(try file.load() == list)
  }

  @Test(
    "W1: what the owner does not permit is not added, and the reason is said",
    arguments: [
      LAError.authenticationFailed, .userCancel, .passcodeNotSet, .biometryLockout, .notInteractive,
    ])
  func refused(code: LAError.Code) async throws {
    defer { remove() }
    let program = ChoresProgram(file: file, owner: Nobody(code: code))
    let refusal = await #expect(throws: Refusal.self) { try await program.add("Walk the dog") }
    #expect(refusal?.localizedDescription.hasPrefix("Nothing was added: ") == true)
    #expect(try file.load() == ChoreList())
  }

  @Test("nobody is asked for a chore that cannot be added")
  func notAsked() async throws {
    defer { remove() }
    let program = ChoresProgram(file: file, owner: Nobody(code: .userCancel))
    await #expect(throws: ChoreListError.nothingToDo) { try await program.add(" ") }
  }
}

/// An owner who permits everything.
struct Anybody: Owner {
  func permit(_ reason: String) async throws {}
}

/// An owner who permits nothing.
struct Nobody: Owner {
  let code: LAError.Code
  func permit(_ reason: String) async throws { throw LAError(code) }
}
