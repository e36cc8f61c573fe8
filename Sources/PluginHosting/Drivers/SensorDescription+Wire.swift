package import Wire

extension SensorDescription {
  /// Writes the fields.
  package func encode(into encoder: inout WireEncoder) {
    encoder.writeUInt32(abiVersion)
    encoder.writeText(name)
    encoder.writeText(fullName)
    encoder.writeText(version)
    encoder.writeArray(usbMatches) { $1.encode(into: &$0) }
    encoder.writeInt32(scanType.rawValue)
    encoder.writeUInt32(width)
    encoder.writeUInt32(height)
    encoder.writeUInt32(pixelsPerInch)
    encoder.writeUInt32(flags.rawValue)
    encoder.writeArray(options) {
      $0.writeText($1.name)
      $0.writeInt32($1.kind.rawValue)
      $0.writeText($1.summary)
    }
    encoder.writeOptional(realOption) { $0.writeText($1) }
  }

  /// Reads the fields. They come from a process that ran somebody's plugin: everything is checked again.
  package init(from decoder: inout WireDecoder) throws(DecodeError) {
    abiVersion = try decoder.readUInt32()
    name = try Self.readName(&decoder)
    fullName = try decoder.readText(limit: 256)
    version = try decoder.readText(limit: 256)
    usbMatches = try decoder.readArray(limit: Self.maximumMatches, elementSize: 6) {
      (decoder) throws(DecodeError) in try USBMatch(from: &decoder)
    }
    guard let scanType = ScanType(rawValue: try decoder.readInt32()) else {
      throw .invalidValue(field: "scan type")
    }
    self.scanType = scanType
    width = try decoder.readUInt32()
    height = try decoder.readUInt32()
    pixelsPerInch = try decoder.readUInt32()
    guard width <= SensorFrame.maximumSide, height <= SensorFrame.maximumSide,
      Self.isPossible(pixelsPerInch: pixelsPerInch)
    else { throw .invalidValue(field: "frame size") }
    flags = Flags(rawValue: try decoder.readUInt32()).intersection(.known)
    options = try decoder.readArray(limit: Self.maximumOptions, elementSize: 12) {
      (decoder) throws(DecodeError) in
      let name = try Self.readName(&decoder)
      guard let kind = SensorOption.Kind(rawValue: try decoder.readInt32()) else {
        throw .invalidValue(field: "option kind")
      }
      return Option(name: name, kind: kind, summary: try decoder.readText(limit: 256))
    }
    realOption = try decoder.readOptional { (decoder) throws(DecodeError) in
      try Self.readName(&decoder)
    }
  }

  private static func readName(_ decoder: inout WireDecoder) throws(DecodeError) -> String {
    let name = try decoder.readText(limit: 64)
    guard isName(name) else { throw .invalidValue(field: "name") }
    return name
  }
}
