package import SensorKit

/// An image as it comes in, part by part.
package struct UPEKImage {
  /// The pixels so far, row by row from the top.
  package private(set) var pixels: [UInt8] = []
  private let size: Int

  /// Begins an image of a sensor with its first part.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` where the device announces another size, or
  ///   sends too much.
  package init(
    of sensor: UPEKSensorModel, announced: Int, _ part: [UInt8]
  ) throws(SensorFailure) {
    size = sensor.width * sensor.height
    guard announced == size else {
      throw UPEKMessage.mismatch(
        "an image of \(announced) bytes, where its sensor \(sensor.name) has \(size)")
    }
    pixels.reserveCapacity(size)
    try append(part)
  }

  /// Takes the next part.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` where it does not fit any more.
  package mutating func append(_ part: [UInt8]) throws(SensorFailure) {
    guard part.count <= size - pixels.count else {
      throw UPEKMessage.mismatch("more of an image than it announced")
    }
    pixels += part
  }

  /// Takes the last part.
  ///
  /// - Throws: ``SensorFailure/Code/protocolViolation`` where something is missing.
  package mutating func finish(_ part: [UInt8]) throws(SensorFailure) {
    try append(part)
    guard pixels.count == size else {
      throw UPEKMessage.mismatch("\(pixels.count) bytes of an image of \(size)")
    }
  }
}
