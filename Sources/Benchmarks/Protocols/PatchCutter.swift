import GreyImage
import MatchStatistics

/// Cuts what a small sensor would see out of an image of a whole finger.
///
/// A square may lie wherever it is inside the image and at least 90 % of it shows the finger; where
/// there is no such place, the share asked is lowered by 5 % until there is one. Which of the places
/// it takes depends only on a name, so that patches are the same each time.
struct PatchCutter {
  /// A patch and where it comes from.
  struct Patch: Sendable {
    /// The top left corner in the image.
    let x: Int
    let y: Int
    /// Its pixels that show the finger.
    let foreground: Int
    let image: GreyImage
  }

  /// Share of a patch that shows the finger.
  static let coverage = 0.9
  /// By what the share is lowered where there is no place.
  static let step = 0.05

  /// Side of the patches in pixels.
  let size: Int
  private let image: GreyImage
  private let finger: SummedArea

  /// - Parameters:
  ///   - image: An image at 500 pixels per inch. One smaller than the patch is continued by its own
  ///     border.
  ///   - size: Side of the patches in pixels.
  init(_ image: GreyImage, size: Int) {
    let image = image.continued(toWidth: size, height: size)
    let foreground = FingerForeground(of: image)
    self.size = size
    self.image = image
    finger = SummedArea(
      width: image.width, height: image.height, values: foreground.mask.map { $0 ? 1 : 0 })
  }

  /// The top left corners a patch may have, row after row.
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

  /// Cuts some patches.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - name: The image's name, `SET/FINGER_IMPRESSION`. Patch k takes, of n places, that with the
  ///     number ⌊r·n/2⁶⁴⌋, where r is the first number of ``RandomNumbers`` seeded with the 64-bit
  ///     FNV-1a hash of `NAME/k` (Fowler, Noll and Vo; RFC 9923).
  /// - Returns: The patches, which may overlap.
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

extension GreyImage {
  /// The picture, where it is smaller continued to the right and below by its last pixels.
  fileprivate func continued(toWidth least: Int, height leastHeight: Int) -> GreyImage {
    guard width < least || height < leastHeight else { return self }
    let (wide, high) = (max(width, least), max(height, leastHeight))
    let pixels = (0..<wide * high).map { index in
      self[x: min(index % wide, width - 1), y: min(index / wide, height - 1)]
    }
    return GreyImage(width: wide, height: high, pixels: pixels)
  }
}
