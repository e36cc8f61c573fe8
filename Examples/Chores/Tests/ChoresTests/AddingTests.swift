import Foundation
import LocalAuthentication
import Testing

@testable import ChoreKeeping

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

/// One who permits nothing.
struct Nobody: Owner {
  let code: LAError.Code
  func permit(_ reason: String) async throws { throw LAError(code) }
}
