import ArgumentParser
import Glibc

/// Ends a benchmark that could not be run: `authcore-bench: reason` on standard error, exit code 1.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
