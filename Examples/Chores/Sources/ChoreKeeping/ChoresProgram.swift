import Foundation
import LocalAuthentication

/// The program, for any owner and any file.
package struct ChoresProgram: Sendable {
  package var file: ChoreFile
  package var owner: any Owner

  package init(file: ChoreFile, owner: any Owner) {
    self.file = file
    self.owner = owner
  }

  /// Adds a chore. The owner is asked before anything is written.
  /// - Returns: the list with the chore.
  package func add(_ title: String) async throws -> ChoreList {
    var list = try file.load()
    // A title that cannot be added is refused before the owner is asked.
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
