import ArgumentParser
import Protocol

/// `authcore-bench keychain`
struct KeychainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keychain",
    abstract: "Measure how fast items are added, read, changed, found and removed.",
    discussion: """
      Through the whole path: client, socket, core, keychain, enclave, and back. Of several sizes each \
      has a keychain of its own; they take turns, so that "largestBesideSmallest" holds on a busy \
      machine. "insertMicroseconds" is one row of the same length put into a table of SQLite and synced.
      """)

  @Option(help: ArgumentHelp("How many items, or several sizes with commas.", valueName: "n"))
  var items = ItemCounts(1000)

  @Option(help: ArgumentHelp("How many requests of each kind.", valueName: "n"))
  var sample = 300

  @Option(help: ArgumentHelp("How long each secret is, in bytes.", valueName: "n"))
  var size = 32

  func run() throws {
    guard 1...100_000 ~= sample else {
      throw ValidationError("--sample is between 1 and 100000")
    }
    guard 1...largestItemSecret ~= size else {
      throw ValidationError("--size is between 1 and \(largestItemSecret) bytes")
    }
    do {
      var benchmark = try KeychainBenchmark(items, secretSize: size, ProgressLog())
      try benchmark.run(sample: sample)
      print(KeychainReport(benchmark, beside: try PathFloor(secretSize: size)).json)
    } catch let failure as Failure {
      throw BenchmarkFailure(failure.message)
    }
  }
}
