/// How far an enrolment has come.
struct EnrolmentBar {
  let touches: UInt32
  /// 0…1.
  let coverage: Double

  /// A bar and a percentage.
  func drawn(_ paint: Paint) -> String { Bar(share: coverage).drawn(paint) }

  /// In words.
  var plain: String { "touch \(touches)" + Self.coverage(coverage) }

  /// `, coverage 63 %` behind a number of touches; nothing before touches lie over each other: how
  /// much of the finger there is besides cannot be told from one of them.
  static func coverage(_ share: Double) -> String {
    share >= 0.005 ? ", coverage " + Bar.percent(share) : ""
  }
}
