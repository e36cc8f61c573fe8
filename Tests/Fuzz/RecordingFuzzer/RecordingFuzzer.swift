import RecordingTransport
import SensorKit

/// Feeds the recording reader, then plays back to it every transfer it has.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes else { return 0 }
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let recording = try? RecordingParser.parse(input) else { return 0 }
  var playback = RecordingPlayback(recording)
  var identifier: UInt32 = 0
  for entry in recording.entries {
    guard case .submission(let transfer, _) = entry.event else { continue }
    identifier += 1
    playback.submit(transfer, as: identifier)
  }
  for identifier in 0...identifier { _ = playback.takeOutcome(of: identifier) }
  return 0
}
