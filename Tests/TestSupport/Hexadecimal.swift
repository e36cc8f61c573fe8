extension Sequence<UInt8> {
  /// Two small digits for each byte.
  package var hexDigits: [String] { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) } }
}
