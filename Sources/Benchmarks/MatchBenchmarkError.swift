/// Why a matching benchmark could not be run: which file, which line, what is wrong.
struct MatchBenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
