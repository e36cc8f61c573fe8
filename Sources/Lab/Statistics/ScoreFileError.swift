/// Why a file of scores cannot be used.
package struct ScoreFileError: Error, Hashable, Sendable, CustomStringConvertible {
  package let file: String
  /// Counted from 1; nil where the file as a whole is meant.
  package let line: Int?
  /// What is wrong, without the file's name.
  package let reason: String

  package init(file: String, line: Int?, reason: String) {
    self.file = file
    self.line = line
    self.reason = reason
  }

  package var description: String {
    line.map { "\(file), line \($0): \(reason)" } ?? "\(file): \(reason)"
  }
}
