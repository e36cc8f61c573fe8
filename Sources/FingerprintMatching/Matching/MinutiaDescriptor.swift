internal import Glibc

/// What surrounds a minutia, in the minutia's own frame: neighbouring minutiae as a bit cylinder
/// and the ridge flow at points on four rings.
///
/// The cylinder is that of Cappelli, Ferrara and Maltoni, "Minutia Cylinder-Code" (2010), sections
/// II and III.C (bits), with 8 by 8 by 6 cells; the flow that of Tico and Kuosmanen, "Fingerprint
/// matching using an orientation-based minutia descriptor" (2003), section 3.1.
struct MinutiaDescriptor: Sendable {
  /// Radius of the cylinder, in pixels (Cappelli et al., table I).
  static let radius: Float = 70
  static let sections = 6
  /// Width of a neighbour's influence in space, in pixels, and in direction, in radians.
  static let spatialSigma: Float = 28.0 / 3
  static let directionSigma: Float = 2 * .pi / 9
  /// Influence from which on a cell counts as occupied.
  static let occupied: Float = 0.01
  /// Radii in pixels and numbers of points of the rings.
  static let rings: [(radius: Float, points: Int)] = [(20, 8), (36, 12), (54, 16), (72, 20)]

  /// Occupied cells, one word of 8 by 8 cells for each range of directions.
  var layers: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)
  /// Cells inside the circle where the print shows ridges.
  var valid: UInt64 = 0
  /// Ridge flow relative to the minutia.
  var flow = FlowSignature()

  init(of index: Int, among minutiae: [Minutia], flow field: RidgeFlow) {
    let centre = minutiae[index]
    let (cosine, sine) = (cosf(centre.direction), sinf(centre.direction))
    let step = 2 * Self.radius / 8
    var words = [UInt64](repeating: 0, count: Self.sections)
    for row in 0..<8 {
      for column in 0..<8 {
        let u = (Float(column) - 3.5) * step
        let v = (Float(row) - 3.5) * step
        guard u * u + v * v <= Self.radius * Self.radius else { continue }
        let x = centre.x + u * cosine - v * sine
        let y = centre.y + u * sine + v * cosine
        guard field.cell(at: x, y) != nil else { continue }
        let bit = UInt64(1) << UInt64(row * 8 + column)
        valid |= bit
        let influence = Self.influence(at: x, y, of: minutiae, except: index, centre.direction)
        for section in 0..<Self.sections where influence[section] > Self.occupied {
          words[section] |= bit
        }
      }
    }
    layers = (words[0], words[1], words[2], words[3], words[4], words[5])

    var point = 0
    let own = centre.direction / .pi * 256
    for ring in Self.rings {
      for k in 0..<ring.points {
        let angle = centre.direction + 2 * .pi * Float(k) / Float(ring.points)
        let (x, y) = (centre.x + ring.radius * cosf(angle), centre.y + ring.radius * sinf(angle))
        if let cell = field.cell(at: x, y) {
          let relative = Int(field.orientation[cell]) - Int(own.rounded())
          flow.set(point, to: UInt8(truncatingIfNeeded: relative))
        }
        point += 1
      }
    }
  }

  /// How strongly neighbours occupy the cells above a point, by direction (equations 4 to 12).
  private static func influence(
    at x: Float, _ y: Float, of minutiae: [Minutia], except index: Int, _ direction: Float
  ) -> [Float] {
    var sums = [Float](repeating: 0, count: sections)
    let reach = 3 * spatialSigma
    for (k, other) in minutiae.enumerated() where k != index {
      let (dx, dy) = (other.x - x, other.y - y)
      let square = dx * dx + dy * dy
      guard square < reach * reach else { continue }
      let near = expf(-square / (2 * spatialSigma * spatialSigma)) / (spatialSigma * 2.5066)
      let turned = Angle.wrapped(other.direction - direction)
      for section in 0..<sections {
        let middle = (Float(section) + 0.5) * 2 * .pi / Float(sections) - .pi
        let away = Angle.wrapped(turned - middle)
        let half = Float.pi / Float(sections)
        let scale = directionSigma * 1.41421
        let share = 0.5 * (erff((away + half) / scale) - erff((away - half) / scale))
        sums[section] += near * share
      }
    }
    return sums
  }

  /// How alike the surroundings of two minutiae are, 0...1.
  func similarity(to other: MinutiaDescriptor) -> Float {
    flow.similarity(to: other.flow) * (0.35 + 0.65 * cylinderSimilarity(to: other))
  }

  /// The same, or 0 if it is surely less than `least`.
  func similarity(to other: MinutiaDescriptor, ifAtLeast least: Float) -> Float {
    let alike = flow.similarity(to: other.flow)
    return alike < least ? 0 : alike * (0.35 + 0.65 * cylinderSimilarity(to: other))
  }

  /// Cappelli et al., equation 21, on the cells that are valid in both.
  func cylinderSimilarity(to other: MinutiaDescriptor) -> Float {
    let both = valid & other.valid
    guard both.nonzeroBitCount >= 20 else { return 0 }
    var (mine, theirs, different) = (0, 0, 0)
    func add(_ a: UInt64, _ b: UInt64) {
      mine += (a & both).nonzeroBitCount
      theirs += (b & both).nonzeroBitCount
      different += ((a ^ b) & both).nonzeroBitCount
    }
    add(layers.0, other.layers.0)
    add(layers.1, other.layers.1)
    add(layers.2, other.layers.2)
    add(layers.3, other.layers.3)
    add(layers.4, other.layers.4)
    add(layers.5, other.layers.5)
    guard mine + theirs > 0 else { return 0.5 }
    let scale = Float(mine).squareRoot() + Float(theirs).squareRoot()
    return 1 - Float(different).squareRoot() / scale
  }
}
