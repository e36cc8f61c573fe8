import ArgumentParser
import AuthCoreClient
import Wire

/// `authcore-bench keychain`
struct KeychainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keychain",
    abstract: "Measure how fast items are added, read, changed, found and removed.",
    discussion: "Through the whole path: client, socket, core, keychain, enclave, and back.")

  @Option(help: ArgumentHelp("How many items.", valueName: "n"))
  var items = 1000

  @Option(help: ArgumentHelp("How long each secret is, in bytes.", valueName: "n"))
  var size = 32

  func run() throws {
    guard 1...100_000 ~= items else { throw ValidationError("--items is between 1 and 100000") }
    guard 1...largestItemSecret ~= size else {
      throw ValidationError("--size is between 1 and \(largestItemSecret) bytes")
    }
    let home = try ScratchHome()
    do throws(Failure) {
      let connection = try home.access.connect()
      var benchmark = KeychainBenchmark(connection, items: items, secretSize: size)
      try benchmark.run()
      print(benchmark.json(beside: try PathFloor(secretSize: size)))
    } catch {
      throw BenchmarkFailure(error.message)
    }
  }
}
