/// Ends a benchmark that could not be run: `Error: reason` on standard error, exit code 1.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
