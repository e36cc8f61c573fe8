internal import Glibc

/// The minutiae around a minutia, in the minutia's own frame, as a bit cylinder.
///
/// Cappelli, Ferrara and Maltoni, "Minutia Cylinder-Code" (2010), sections II and III.C (bits),
/// with 8 by 8 by 6 cells. Across the minutia's ridges, distances count in ridge distances, so
/// stretched skin has the same cylinder.
struct MinutiaCylinder: Sendable {
  /// Radius of the cylinder, in pixels (Cappelli et al., table I).
  static let radius: Float = 70
  static let sections = 6
  /// Width of a neighbor's influence in space, in pixels, and in direction, in radians.
  static let spatialSigma: Float = 28.0 / 3
  static let directionSigma: Float = 2 * .pi / 9
  /// Influence above which a cell counts as occupied.
  static let occupied: Float = 0.01

  private typealias Bits = SIMD16<UInt8>

  /// Occupied cells: for each range of directions one bit for each of 8 by 8, two ranges in a
  /// vector.
  private var layers = (Bits.zero, Bits.zero, Bits.zero)
  /// Cells inside the circle that show ridges, twice.
  private var valid = Bits.zero
  /// The same once, as one word.
  private var validCells: UInt64 = 0
  /// The square root of the number of occupied cells, or a little if there is none.
  private var root: Float = 0

  init(of index: Int, among minutiae: [Minutia], flow field: OrientationField) {
    let center = minutiae[index]
    let along = SIMD2(cosf(center.direction), sinf(center.direction))
    let across = SIMD2(-along.y, along.x)
    let step = 2 * Self.radius / 8
    for row in 0..<8 {
      for column in 0..<8 {
        let u = (Float(column) - 3.5) * step
        let v = (Float(row) - 3.5) * step
        guard u * u + v * v <= Self.radius * Self.radius else { continue }
        let place = SIMD2(center.x, center.y) + u * along + center.stretch * v * across
        guard field.cell(at: place.x, place.y) != nil else { continue }
        let bit = UInt8(1) << UInt8(column)
        valid[row] |= bit
        valid[row + 8] |= bit
        validCells |= UInt64(bit) << UInt64(row * 8)
        let influence = Self.influence(at: place, of: minutiae, on: index, along)
        for section in 0..<Self.sections where influence[section] > Self.occupied {
          let byte = section % 2 * 8 + row
          switch section / 2 {
          case 0: layers.0[byte] |= bit
          case 1: layers.1[byte] |= bit
          default: layers.2[byte] |= bit
          }
        }
      }
    }
    root = max(Float(Self.count(layers.0, layers.1, layers.2)).squareRoot(), 0.01)
  }

  /// How strongly neighbors occupy the cells above a point, by direction (equations 4 to 12).
  private static func influence(
    at place: SIMD2<Float>, of minutiae: [Minutia], on index: Int, _ along: SIMD2<Float>
  ) -> [Float] {
    var sums = [Float](repeating: 0, count: sections)
    let reach = 3 * spatialSigma
    let center = minutiae[index]
    for (k, other) in minutiae.enumerated() where k != index {
      let away = SIMD2(other.x, other.y) - place
      let u = (away * along).sum()
      let v = (away.y * along.x - away.x * along.y) / center.stretch
      let square = u * u + v * v
      guard square < reach * reach else { continue }
      let near = expf(-square / (2 * spatialSigma * spatialSigma)) / (spatialSigma * 2.5066)
      let turned = Angle.wrapped(other.direction - center.direction)
      for section in 0..<sections {
        let middle = (Float(section) + 0.5) * 2 * .pi / Float(sections) - .pi
        let off = Angle.wrapped(turned - middle)
        let half = Float.pi / Float(sections)
        let scale = directionSigma * 1.41421
        let share = 0.5 * (erff((off + half) / scale) - erff((off - half) / scale))
        sums[section] += near * share
      }
    }
    return sums
  }

  /// An upper bound of ``similarity(to:)``, which counts fewer occupied cells.
  @inline(__always)
  func mostSimilarity(to other: MinutiaCylinder) -> Float {
    let both = valid & other.valid
    let different = Self.count(
      (layers.0 ^ other.layers.0) & both, (layers.1 ^ other.layers.1) & both,
      (layers.2 ^ other.layers.2) & both)
    return 1 - Float(different).squareRoot() / (root + other.root)
  }

  /// How alike two cylinders are, 0...1 (Cappelli et al., equation 21), on the cells valid in both.
  func similarity(to other: MinutiaCylinder) -> Float {
    guard (validCells & other.validCells).nonzeroBitCount >= 20 else { return 0 }
    let both = valid & other.valid
    let own = (layers.0 & both, layers.1 & both, layers.2 & both)
    let others = (other.layers.0 & both, other.layers.1 & both, other.layers.2 & both)
    let mine = Self.count(own.0, own.1, own.2)
    let theirs = Self.count(others.0, others.1, others.2)
    let different = Self.count(own.0 ^ others.0, own.1 ^ others.1, own.2 ^ others.2)
    guard mine &+ theirs > 0 else { return 0.5 }
    let scale = Float(mine).squareRoot() + Float(theirs).squareRoot()
    return 1 - Float(different).squareRoot() / scale
  }

  /// How many bits are set: first in each half byte, then in all.
  @inline(__always)
  private static func count(_ a: Bits, _ b: Bits, _ c: Bits) -> Int {
    let halves = inHalfBytes(a) &+ inHalfBytes(b) &+ inHalfBytes(c)
    let bytes = (halves & 0x0f) &+ ((halves &>> 4) & 0x0f)
    var total: UInt = 0
    for lane in 0..<16 { total &+= UInt(bytes[lane]) }
    return Int(bitPattern: total)
  }

  /// How many bits are set in each half byte, 0...4.
  @inline(__always)
  private static func inHalfBytes(_ bits: Bits) -> Bits {
    let pairs = bits &- ((bits &>> 1) & 0x55)
    return (pairs & 0x33) &+ ((pairs &>> 2) & 0x33)
  }
}
