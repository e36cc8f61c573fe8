import RecordingTransport
import SensorKit

/// Feeds the recording reader, then plays back to it every transfer it has.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes else { return 0 }
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  let model = DeviceChoice.models([RecordedModel(vendor: 1, product: 2)])
  guard let recording = try? RecordingReader.read(input, device: model) else { return 0 }
  var playback = recording.makePlayback()
  var identifier: UInt32 = 0
  for transfer in recording.transfers {
    identifier += 1
    try? playback.submit(transfer, as: identifier)
    _ = playback.takeOutcome(of: identifier)
  }
  for identifier in 0...identifier { _ = playback.takeOutcome(of: identifier) }
  return 0
}
