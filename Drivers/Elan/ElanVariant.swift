/// How a reader departs from the others of the family.
enum ElanVariant: Equatable, CaseIterable {
  /// Nothing special.
  case standard
  /// Wants one more command at start, and its frames are mapped to gray linearly.
  case linearGray
  /// Sends frames row by row; the others send them column by column.
  case rowByRow
  /// Sends two bytes where the others send one, and is calibrated by a rule of its own.
  case wideAnswers

  static let vendor: UInt16 = 0x04F3

  /// Product numbers by variant. elanmoc (match on chip) and elanspi are other families.
  static let products: [(variant: ElanVariant, ranges: [ClosedRange<UInt16>])] = [
    (
      .standard,
      [
        0x0903...0x0903, 0x0C01...0x0C02, 0x0C04...0x0C33, 0x0C3D...0x0C3D, 0x0C4B...0x0C4B,
        0x0C4D...0x0C4D, 0x0C4F...0x0C4F, 0x0C58...0x0C58, 0x0C63...0x0C63, 0x0C6E...0x0C6E,
      ]
    ),
    (.linearGray, [0x0907...0x0907]),
    (.rowByRow, [0x0C03...0x0C03]),
    (.wideAnswers, [0x0C42...0x0C42]),
  ]

  /// The variant of a product number; nil when it is none of the family.
  init?(product: UInt16) {
    let found = Self.products.first { entry in entry.ranges.contains { $0.contains(product) } }
    guard let found else { return nil }
    self = found.variant
  }
}
