import Foundation

/// The file that the list is kept in: `chores/chores.json` in the person's data folder.
package struct ChoreFile {
  package let url: URL

  /// The place follows the XDG Base Directory Specification.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let folder =
      environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
      ?? URL(fileURLWithPath: environment["HOME"] ?? NSHomeDirectory())
      .appendingPathComponent(".local/share")
    self.init(url: folder.appendingPathComponent("chores/chores.json"))
  }

  package init(url: URL) { self.url = url }

  /// The list, which is empty if there is no file yet.
  package func load() throws -> ChoreList {
    let contents: Data
    do {
      contents = try Data(contentsOf: url)
    } catch CocoaError.fileReadNoSuchFile {
      return ChoreList()
    }
    do {
      return try JSONDecoder().decode(ChoreList.self, from: contents)
    } catch {
      throw ChoreListError.damaged(url.path)
    }
  }

  package func save(_ list: ChoreList) throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(list).write(to: url, options: .atomic)
  }
}
