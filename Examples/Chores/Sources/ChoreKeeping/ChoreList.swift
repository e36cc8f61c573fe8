import Foundation

/// One thing to be done at home.
package struct Chore: Codable, Equatable {
  package var title: String
  package var added: Date
}

/// What is to be done, in the order it was added. Anyone may read it.
package struct ChoreList: Equatable {
  package private(set) var chores: [Chore] = []

  package init() {}

  /// Adds a chore that is not on the list yet.
  package mutating func add(_ title: String, on date: Date = Date()) throws {
    let title = title.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !title.isEmpty else { throw ChoreListError.nothingToDo }
    guard !title.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw ChoreListError.notOneLine }
    guard !chores.contains(where: { $0.title == title }) else {
      throw ChoreListError.alreadyOnTheList(title)
    }
    chores.append(Chore(title: title, added: date))
  }

  /// The list as lines of text.
  package var lines: [String] {
    guard !chores.isEmpty else { return ["There is nothing to do."] }
    return chores.enumerated().map { "\($0.offset + 1). \($0.element.title)" }
  }
}

/// Coded as a plain array of chores.
extension ChoreList: Codable {
  package init(from decoder: any Decoder) throws {
    chores = try decoder.singleValueContainer().decode([Chore].self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(chores)
  }
}

/// Why a chore cannot be added.
package enum ChoreListError: Error, Equatable {
  case nothingToDo
  case notOneLine
  case alreadyOnTheList(String)
  case damaged(String)
}

extension ChoreListError: LocalizedError {
  package var errorDescription: String? {
    switch self {
    case .nothingToDo: "A chore needs a title."
    case .notOneLine: "The title of a chore is one line of text."
    case .alreadyOnTheList(let title): "“\(title)” is on the list already."
    case .damaged(let path): "\(path) is not a list of chores. Move it away to begin a new one."
    }
  }
}
