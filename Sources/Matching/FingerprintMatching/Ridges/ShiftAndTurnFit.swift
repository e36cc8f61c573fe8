/// Weighted least squares for three unknowns, a shift in x and y and a turn, as equations come in.
struct ShiftAndTurnFit {
  private var rows: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
  private var right = SIMD3<Float>.zero

  /// - Parameter inertia: Weight of the wish that nothing moves, for what the equations leave open.
  init(inertia: Float) {
    rows = (SIMD3(inertia, 0, 0), SIMD3(0, inertia, 0), SIMD3(0, 0, inertia))
  }

  /// Adds the equation `coefficients` · unknowns = `value`.
  mutating func add(_ coefficients: SIMD3<Float>, _ value: Float, weight: Float) {
    let scaled = weight * coefficients
    rows.0 += scaled.x * coefficients
    rows.1 += scaled.y * coefficients
    rows.2 += scaled.z * coefficients
    right += value * scaled
  }

  /// The unknowns, by Cramer's rule.
  var solution: SIMD3<Float>? {
    let (a, b, c) = rows
    let bc = Self.cross(b, c)
    let determinant = (a * bc).sum()
    guard abs(determinant) > 1e-9 else { return nil }
    return (right.x * bc + right.y * Self.cross(c, a) + right.z * Self.cross(a, b)) / determinant
  }

  private static func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }
}
