import EnclaveEngine
import Protocol

@testable import EnclaveSimulation
@testable import GoldenSamples

/// The made-up messages of Tests/ProtocolTests/GoldenBytes.
enum Samples {
  static let all: [[UInt8]] = {
    guard let samples = try? GoldenSample.all else { preconditionFailure("no samples") }
    return samples.map(\.encoded)
  }()

  /// Those that the enclave takes for requests, each in the envelope in which it does.
  static let requests: [(sample: [UInt8], envelope: RequestCount.Envelope)] =
    RequestCount.Envelope.allCases.flatMap { envelope in
      all.filter { sample in
        let memory = EngineInMemory(files: [:])
        let reply = memory.engine.handle(EngineInMemory.enveloped(sample, envelope).span)
        return (try? Failure.decode(reply.bytes))?.code != .coreFailed
      }.map { ($0, envelope) }
    }

  /// A sample, asked by this device's requester in this context where it names one.
  static func bytes(of sample: [UInt8], context: UInt64) -> [UInt8] {
    guard sample.count >= known.count + 8,
      let place = (0...sample.count - known.count - 8).first(where: {
        sample[$0..<$0 + known.count] == known[...]
      })
    else { return sample }
    let number = (0..<8).map { UInt8(truncatingIfNeeded: context >> (56 - 8 * $0)) }
    return sample[..<place] + own + number + sample[(place + known.count + 8)...]
  }

  private static let known = encoded(GoldenSample.context(0).requester)
  private static let own = encoded(requester)

  private static func encoded(_ requester: Requester) -> [UInt8] {
    var encoder = WireEncoder()
    requester.encode(into: &encoder)
    return encoder.finishPlain()
  }
}
