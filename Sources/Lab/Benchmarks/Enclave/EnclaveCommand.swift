import ArgumentParser
import PluginHosting
import Protocol

/// `authcore-bench enclave`
struct EnclaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enclave",
    abstract: "Measure what the enclave adds to the cryptography that it does.",
    discussion: """
      Seals and opens items of one size, and signs a digest: by libcrypto alone (one key derived, \
      AES-256-GCM; ECDSA with a key at hand), by the enclave in this process, and by the enclave in its \
      host, behind its mailbox. The three take turns, so that their ratios hold on a busy machine. \
      "ratios" compares the enclave with libcrypto, both in this process; "mailboxMicroseconds" is what \
      the host adds. "hostMemoryKiB" is what the host has in use (PSS) after an unlock, and is told to \
      root alone.
      """)

  @Option(help: ArgumentHelp("How many of each.", valueName: "n"))
  var runs = 2000

  @Option(help: ArgumentHelp("How long each secret is, in bytes.", valueName: "n"))
  var size = 64

  func run() throws {
    guard 10...1_000_000 ~= runs else { throw ValidationError("--runs is between 10 and 1000000") }
    guard 0...largestItemSecret ~= size else {
      throw ValidationError("--size is between 0 and \(largestItemSecret) bytes")
    }
    let folder = try ScratchFolder()
    do throws(Failure) {
      let installation = Installation.current(isService: false)
      var benchmark = try EnclaveBenchmark(secretSize: size, in: folder.path, of: installation)
      try benchmark.run(runs)
      print(benchmark.json)
    } catch {
      throw BenchmarkFailure(error.message)
    }
  }
}
