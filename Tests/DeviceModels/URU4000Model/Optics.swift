/// How the reader's camera sees the platen: at an angle, so that a line of the finger is drawn the
/// longer the later the row.
///
/// The projection is the camera model that a contributor published for these readers in 2010;
/// lengths on the platen are in units of 2.126 mm.
struct Optics {
  /// Columns at the left and right that get no light.
  static let darkLeft = 11
  static let darkRight = 6
  /// Pixels at 500 ppi in a unit.
  static let pixelsPerUnit = 41.84

  /// Where the middle of the picture lies on the platen.
  private let middle: (x: Double, y: Double)
  /// How far the calibration patch of this reader is from where the camera model has it.
  private let shift: (x: Double, y: Double)

  /// - Parameter patch: the middle of the calibration patch, in pixels, as the header of an image
  ///   tells it.
  init(patch: (x: Int, y: Int)) {
    let shift = (x: Double(patch.x) - 204, y: Double(patch.y) - 137)
    let column = (Scan.width + Self.darkLeft - Self.darkRight) / 2
    let center = Optics(shift: shift, middle: (0, 0)).platen(column: column, row: Scan.height / 2)
    self.shift = shift
    middle = (center.x / Self.pixelsPerUnit, center.y / Self.pixelsPerUnit)
  }

  private init(shift: (x: Double, y: Double), middle: (x: Double, y: Double)) {
    self.shift = shift
    self.middle = middle
  }

  /// The point of the platen that a pixel shows, in pixels at 500 ppi from the middle of the
  /// picture.
  func platen(column: Int, row: Int) -> (x: Double, y: Double) {
    let u = Double(column - Self.darkLeft) - 191.328_302_439_083 - shift.x
    let v = Double(row) - 121.006_524_591_601 - shift.y
    // v = 2474.46… · (0.3894… · Y − 0.8060…) / Z with Z = 32.353… − 0.9210… · Y, solved for Y.
    let y =
      (v * 32.353_364_659_474_1 + 2474.462_349_802_6 * 0.806_005_109_566_57)
      / (2474.462_349_802_6 * 0.389_487_102_785_644 + v * 0.921_029_644_803)
    let z = 32.353_364_659_474_1 - 0.921_029_644_803 * y
    let x = u * z / 1607.59 + 1.810_415_619_654_88
    return ((x - middle.x) * Self.pixelsPerUnit, (y - middle.y) * Self.pixelsPerUnit)
  }
}
