extension DriverDescription: WireField {
  package func encode(into encoder: inout WireEncoder) {
    encoder.write(
      abiVersion, name, fullName, version, usbMatches, scanType, width, height, pixelsPerInch,
      flags.rawValue, options, realOption)
  }

  /// They come from a process that ran somebody's plugin: everything is checked again.
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (abiVersion, name, fullName, version, usbMatches) = try decoder.read()
    (scanType, width, height, pixelsPerInch) = try decoder.read()
    flags = Flags(rawValue: try decoder.read()).intersection(.known)
    (options, realOption) = try decoder.read()
    for name in [name] + options.map(\.name) + [realOption].compactMap(\.self) {
      guard Self.isName(name) else { throw .invalidValue(field: "name") }
    }
    for text in [fullName, version] + options.map(\.summary) {
      try decoder.require(text, atMost: Self.longestText)
    }
    try decoder.require(usbMatches, atMost: Self.maximumMatches)
    try decoder.require(options, atMost: Self.maximumOptions)
    try Self.requirePossible(width: width, height: height, pixelsPerInch)
  }

  /// Bytes of a text for people.
  private static let longestText = 256

  /// A frame may have this shape; 0: it varies.
  static func requirePossible(
    width: UInt32, height: UInt32, _ pixelsPerInch: UInt32
  ) throws(DecodeError) {
    guard width <= SensorFrame.maximumSide, height <= SensorFrame.maximumSide,
      isPossible(pixelsPerInch: pixelsPerInch)
    else { throw .invalidValue(field: "frame size") }
  }
}

extension DriverDescription.ScanType: WireField {}

extension DriverDescription.Option: WireField {
  package func encode(into encoder: inout WireEncoder) { encoder.write(name, kind, summary) }
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    (name, kind, summary) = try decoder.read()
  }
}
