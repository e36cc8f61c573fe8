import Foundation
import LocalAuthentication

/// What the program does, whoever owns the machine and wherever the list lies.
package struct ChoresProgram: Sendable {
  package var file: ChoreFile
  package var owner: any Owner

  package init(file: ChoreFile, owner: any Owner) {
    self.file = file
    self.owner = owner
  }

  /// Add a Chore: the owner is asked before anything is written.
  /// - Returns: the list with the chore.
  package func add(_ title: String) async throws -> ChoreList {
    var list = try file.load()
    // A title that cannot be added is refused before anybody is bothered.
    try list.add(title)
    do {
      try await owner.permit("Add “\(list.chores[list.chores.count - 1].title)” to the chores")
    } catch let error as LAError {
      throw Refusal(error: error)
    }
    try file.save(list)
    return list
  }
}
