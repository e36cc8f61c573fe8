import Foundation
import Security
import Testing

@Suite("What status codes say")
struct StatusMessageTests {
  /// Where the codes are declared.
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../../Sources/Apple/Security/Status").standardizedFileURL

  @Test("X5: every code has a sentence, the one that documents it")
  func sentences() throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.folder, includingPropertiesForKeys: nil)
    var documented: [String: String] = [:]
    for file in files where file.lastPathComponent.hasSuffix("Status.swift") {
      var comment: [String] = []
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        if line.hasPrefix("/// ") {
          comment.append(String(line.dropFirst(4)))
        } else {
          if let name = line.split(separator: " ").dropFirst(2).first {
            documented[String(name.dropLast())] = comment.joined(separator: " ")
          }
          comment = []
        }
      }
    }
    // Names that were misspelled, and the older one, say in their documentation what they stand for.
    let aliases = ["errSecDskFull", "errSecInvaldCRLAuthority", "errSecInvalidTupleCredendtials"]
    for (name, value) in NamedConstants.statuses where !aliases.contains(name) {
      let sentence = SecCopyErrorMessageString(value, nil) as String?
      #expect(sentence == documented[name], "\(name)")
    }
  }

  @Test("X5: a number that is none of Security's is named", arguments: [1, -7, .min, .max])
  func strangers(_ status: OSStatus) throws {
    let text = try #require(SecCopyErrorMessageString(status, nil) as String?)
    #expect(text.contains("\(status)"))
  }
}
