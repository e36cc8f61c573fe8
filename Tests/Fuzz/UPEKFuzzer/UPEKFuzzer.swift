import SensorKit
import UPEKDriver

/// Feeds what a UPEK reader sends: the input as a frame, and as payloads of otherwise valid frames.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes else { return 0 }
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  if let length = try? UPEKFrame.length(of: input) {
    precondition(UPEKFrame.overhead...UPEKFrame.maximumPayload + UPEKFrame.overhead ~= length)
  }
  if let frame = try? UPEKFrame(decoding: input) {
    precondition((try? UPEKFrame(decoding: frame.bytes)) == frame)
    _ = try? UPEKMessage(frame)
  }
  play(input)
  return 0
}

/// Reads frames as a driver does: a sensor, then images of it. Each begins with its kind and two
/// bytes for its length.
private func play(_ input: [UInt8]) {
  guard var sensor = try? UPEKSensorModel(width: 144, height: 512, isSwipe: true) else { return }
  var image: UPEKImage?
  var rest = input[...]
  while rest.count >= 3 {
    let kind = rest.removeFirst()
    let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
    let payload = Array(rest.prefix(length % (UPEKFrame.maximumPayload + 1)))
    rest.removeFirst(payload.count)
    let frame = UPEKFrame(
      UPEKFrame.Kind(rawValue: kind) ?? .data, sequence: kind & 0x0F, payload: payload)
    precondition((try? UPEKFrame(decoding: frame.bytes)) == frame)
    guard let message = try? UPEKMessage(frame) else { continue }
    switch message {
    case .sensor(let found): sensor = found
    case .imageStart(let size, let part):
      image = try? UPEKImage(of: sensor, announced: size, part)
    case .imagePart(let part): try? image?.append(part)
    case .imageEnd(let part): try? image?.finish(part)
    case .greeting, .opened, .closed, .busy, .status: break
    }
    if let image { precondition(image.pixels.count <= 192 * 384) }
  }
}
