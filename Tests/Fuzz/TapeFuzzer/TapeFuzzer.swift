import ReplayDriver

/// Feeds the tape reader and plays what it reads to its end, which must come.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes else { return 0 }
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let tape = try? TapeParser.parse(input, path: "/t/a.tape", check: { _ in nil }) else {
    return 0
  }
  let steps = tape.events.reduce(1) { steps, event in
    if case .touch(_, let times) = event { steps + times } else { steps + 1 }
  }
  guard steps < 100_000, !tape.events.contains(.unplug) else { return 0 }
  var playback = TapePlayback(tape)
  for _ in 0..<steps {
    switch playback.next(within: .seconds(3600)) {
    case .wait(let duration): playback.passed(duration)
    case .end: return 0
    case .deliver, .askAgain, .fail, .timeOut: break
    }
  }
  preconditionFailure("the tape does not end")
}
