extension Duration {
  /// In seconds.
  var seconds: Double { self / .seconds(1) }

  /// As it is said: `85 ms`, `1.4 s`.
  var text: String {
    let milliseconds = self / .milliseconds(1)
    guard milliseconds >= 1000 else { return "\(Int(milliseconds.rounded())) ms" }
    return "\((milliseconds / 100).rounded() / 10) s"
  }
}
