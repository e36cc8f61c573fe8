import FingerprintMatching

/// Feeds everything done with a frame: an image to features, features to a template, the template
/// to bytes and back, and a score.
///
/// The first six bytes are the sides and the resolution, the others the pixels, again and again.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let bytes = unsafe bytes, count > 6 else { return 0 }
  let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  func number(_ index: Int) -> Int { Int(input[index]) << 8 | Int(input[index + 1]) }
  // Larger sides are only slower: images are cut to 1024 pixels first.
  let (width, height) = (1 + number(0) % 400, 1 + number(2) % 400)
  let seen = input[6...]
  var pixels: [UInt8] = []
  pixels.reserveCapacity(width * height + seen.count)
  while pixels.count < width * height { pixels.append(contentsOf: seen) }
  pixels.removeLast(pixels.count - width * height)
  guard
    let image = try? FingerprintImage(
      width: width, height: height, pixelsPerInch: 100 + number(4) % 1901, pixels: pixels)
  else { return 0 }
  let features = FeatureExtractor().features(of: image)
  precondition(features.minutiae.count <= 100 && (0...1).contains(features.quality))
  var enrollment = Enrollment()
  for _ in 1...3 { _ = enrollment.add(features) }
  guard let template = enrollment.template() else { return 0 }
  let stored = template.encoded()
  precondition(stored.count <= FingerTemplate.mostBytes)
  guard let decoded = try? FingerTemplate(decoding: stored) else {
    preconditionFailure("a template that was encoded cannot be decoded")
  }
  precondition(PrintMatcher().score(probe: features, against: decoded).isFinite)
  return 0
}
