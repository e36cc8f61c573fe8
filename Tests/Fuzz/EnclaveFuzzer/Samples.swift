import EnclaveEngine
import Glibc
import Protocol

@testable import EnclaveSimulation
@testable import GoldenSamples

/// The made-up messages of Tests/ProtocolTests/GoldenBytes.
enum Samples {
  static let all: [[UInt8]] = {
    guard let samples = try? GoldenSample.all else { preconditionFailure("no samples") }
    return samples.map(\.encoded)
  }()

  /// Those that the enclave accepts as requests, each in the envelope that it needs.
  static let requests: [(sample: [UInt8], envelope: RequestCount.Envelope)] =
    RequestCount.Envelope.allCases.flatMap { envelope in
      all.filter { sample in
        let memory = EngineInMemory(files: [:])
        let reply = memory.engine.handle(EngineInMemory.enveloped(sample, envelope).span)
        return (try? Failure.decode(reply.bytes))?.code != .coreFailed
      }.map { ($0, envelope) }
    }

  /// A sample, sent by this device's requester in this context if it names one.
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

/// How many requests of each kind have been made, printed when the fuzzer ends.
struct RequestCount {
  /// The enclave's list that a request belongs to: the core's own, or one of the envelopes.
  enum Envelope: Int, CaseIterable { case core, application, keychain }

  private var requests = [Int](repeating: 0, count: 3 << 8)
  private var understood = [Int](repeating: 0, count: 3 << 8)

  /// Used by one thread.
  nonisolated(unsafe) private static var shared: RequestCount = {
    atexit { unsafe RequestCount.shared.print() }
    return RequestCount()
  }()

  /// Counts a request of this number, and whether the enclave understood it.
  static func add(_ number: UInt8, _ envelope: Envelope, isUnderstood: Bool) {
    let kind = envelope.rawValue << 8 | Int(number)
    unsafe shared.requests[kind] += 1
    if isUnderstood { unsafe shared.understood[kind] += 1 }
  }

  private func print() {
    let kinds = understood.indices.filter { understood[$0] > 0 }
    let rarest = kinds.min { requests[$0] < requests[$1] }
    var text = "stat::enclave_requests: \(requests.reduce(0, +))\n"
    text += "stat::enclave_requests_understood: \(understood.reduce(0, +))\n"
    text += "stat::enclave_message_kinds: \(kinds.count)\n"
    if let rarest {
      text += "stat::enclave_rarest_kind: \(Self.name(rarest)), \(requests[rarest]) times\n"
    }
    for kind in kinds {
      text += "kind \(Self.name(kind)): \(requests[kind]), understood \(understood[kind])\n"
    }
    _ = unsafe write(STDERR_FILENO, text, text.utf8.count)
  }

  private static func name(_ kind: Int) -> String {
    "\(kind & 255) of the list \(Envelope.allCases[kind >> 8])"
  }
}
