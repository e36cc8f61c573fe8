import GrayImage
import SyntheticPrints

/// Cuts what a small sensor would see out of an image of a whole finger.
///
/// A square may lie wherever it is inside the image and at least 90 % of it shows the finger. If
/// there is no such place, that share is lowered by 5 % until there is one. The choice of places
/// depends only on a name, so patches are always the same.
struct PatchCutter {
  struct Patch: Sendable {
    let x: Int
    let y: Int
    /// Pixels that show the finger.
    let foreground: Int
    let image: GrayImage
  }

  /// Least share of a patch that shows the finger.
  static let coverage = 0.9
  /// How much the share is lowered if there is no place.
  static let step = 0.05

  /// Side of the patches in pixels.
  let size: Int
  /// The middle of the finger, in pixels; that of the image if there is none.
  let middle: SIMD2<Double>
  private let image: GrayImage
  private let finger: SummedArea

  /// - `image`: At 500 pixels per inch. One smaller than the patch is continued by its own border.
  init(_ image: GrayImage, size: Int) {
    let image = image.continued(toWidth: size, height: size)
    let foreground = FingerForeground(of: image)
    (self.size, self.image) = (size, image)
    finger = SummedArea(
      width: image.width, height: image.height, values: foreground.mask.map { $0 ? 1 : 0 })
    middle = foreground.middle ?? SIMD2(Double(image.width) / 2, Double(image.height) / 2)
  }

  private init(_ other: PatchCutter, size: Int) {
    self.size = size
    image = other.image
    finger = other.finger
    middle = other.middle
  }

  /// Cuts patches of another size out of the same image.
  func resized(to size: Int) -> PatchCutter {
    guard size <= image.width, size <= image.height else { return PatchCutter(image, size: size) }
    return PatchCutter(self, size: size)
  }

  /// The possible top left corners, row after row.
  var places: [(x: Int, y: Int)] {
    var lowered = 0.0
    while true {
      let share = max(0, Self.coverage - Self.step * lowered)
      let least = Int((share * Double(size * size) - 1e-9).rounded(.up))
      var places: [(x: Int, y: Int)] = []
      for y in 0...image.height - size {
        for x in 0...image.width - size where foreground(x, y) >= least { places.append((x, y)) }
      }
      if !places.isEmpty { return places }
      lowered += 1
    }
  }

  /// The place whose middle is nearest to a point; the first in row order of equally near ones.
  func place(nearest point: SIMD2<Double>) -> SIMD2<Int> {
    var best = (place: SIMD2(0, 0), distance: Double.infinity)
    for place in places {
      let way = SIMD2(Double(place.x), Double(place.y)) + Double(size) / 2 - point
      let distance = (way * way).sum()
      if distance < best.distance { best = (SIMD2(place.x, place.y), distance) }
    }
    return best.place
  }

  func image(at place: SIMD2<Int>) -> GrayImage {
    image.cropped(x: place.x, y: place.y, width: size, height: size)
  }

  /// Cuts some patches, which may overlap.
  ///
  /// - `name`: The image's name, `SET/FINGER_IMPRESSION`. Patch k takes, of n places, that with the
  ///   number ⌊r·n/2⁶⁴⌋, where r is the first number of ``RandomNumbers`` seeded with the 64-bit
  ///   FNV-1a hash of `NAME/k` (Fowler, Noll and Vo; RFC 9923).
  func patches(_ count: Int, of name: String) -> [Patch] {
    let places = places
    return (0..<count).map { number in
      var numbers = RandomNumbers(seed: SampledFinger.seed(of: "\(name)/\(number)"))
      let place = places[Int(numbers.next().multipliedFullWidth(by: UInt64(places.count)).high)]
      return Patch(
        x: place.x, y: place.y, foreground: foreground(place.x, place.y),
        image: image.cropped(x: place.x, y: place.y, width: size, height: size))
    }
  }

  private func foreground(_ x: Int, _ y: Int) -> Int {
    finger.sum(columns: x..<x + size, rows: y..<y + size)
  }
}

extension GrayImage {
  /// The picture, continued to the right and below by its last pixels if it is smaller.
  fileprivate func continued(toWidth least: Int, height leastHeight: Int) -> GrayImage {
    guard width < least || height < leastHeight else { return self }
    let (wide, high) = (max(width, least), max(height, leastHeight))
    let pixels = (0..<wide * high).map { index in
      self[x: min(index % wide, width - 1), y: min(index / wide, height - 1)]
    }
    return GrayImage(width: wide, height: high, pixels: pixels)
  }
}
