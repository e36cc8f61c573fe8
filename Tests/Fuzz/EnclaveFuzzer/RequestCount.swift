import Glibc
import Protocol

/// How many requests of each kind have been made, printed when the fuzzer ends.
struct RequestCount {
  /// Which list of the enclave's a request belongs to: the core's own, or one of the envelopes.
  enum Envelope: Int, CaseIterable { case core, application, keychain }

  private var requests = [Int](repeating: 0, count: 3 << 8)
  private var understood = [Int](repeating: 0, count: 3 << 8)

  /// One thread.
  nonisolated(unsafe) private static var shared: RequestCount = {
    atexit { unsafe RequestCount.shared.print() }
    return RequestCount()
  }()

  /// Counts a request of this number, and whether the enclave took it for one.
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
