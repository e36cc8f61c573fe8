/// How far an enrollment has come.
package struct EnrollmentBar {
  /// How often the finger has touched.
  package let touches: UInt32
  /// 0…1.
  package let coverage: Double

  /// An enrollment of so many touches, of which `coverage` is seen.
  package init(touches: UInt32, coverage: Double) {
    (self.touches, self.coverage) = (touches, coverage)
  }

  /// A bar and a percentage.
  package func drawn(_ paint: Paint) -> String { Bar(share: coverage).drawn(paint) }

  /// In words.
  package var plain: String { "touch \(touches)" + Self.coverage(coverage) }

  /// `, coverage 63 %` behind a number of touches; nothing before touches lie over each other: how
  /// much of the finger there is besides cannot be told from one of them.
  package static func coverage(_ share: Double) -> String {
    share >= 0.005 ? ", coverage " + Bar.percent(share) : ""
  }
}
