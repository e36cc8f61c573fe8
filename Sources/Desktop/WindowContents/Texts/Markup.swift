extension String {
  /// The text where libadwaita takes markup: whatever it says is shown as it is.
  package var asMarkup: String {
    var safe = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": safe += "&amp;"
      case "<": safe += "&lt;"
      case ">": safe += "&gt;"
      case "\0": safe += "\u{FFFD}"
      default: safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }
}
