internal import SensorKit

/// What all messages of the chips have in common.
package enum AuthenTecMessage {
  /// The message, if it has the length it must have.
  static func checked(_ bytes: [UInt8], _ what: String, length: Int) throws(SensorFailure)
    -> [UInt8]
  {
    guard bytes.count == length else {
      throw violation("\(what) has \(bytes.count) bytes instead of \(length)")
    }
    return bytes
  }

  /// A message that is not as it should be, and the way out.
  static func violation(_ what: String) -> SensorFailure {
    SensorFailure(.protocolViolation, "The reader answered wrongly: \(what); try again")
  }

  /// Unpacks 4-bit pixels of a stripe of 16 rows: column by column from the left, two pixels a
  /// byte, the upper one in the low nibble. A nibble n becomes the gray value 17 n.
  ///
  /// - Precondition: `packed` has 8 bytes for each column, at least one.
  package static func stripe(_ packed: ArraySlice<UInt8>) -> [UInt8] {
    let columns = packed.count / 8
    var pixels = [UInt8](repeating: 0, count: columns * 16)
    for (index, pair) in packed.prefix(columns * 8).enumerated() {
      let place = index % 8 * 2 * columns + index / 8
      pixels[place] = (pair & 15) * 17
      pixels[place + columns] = (pair >> 4) * 17
    }
    return pixels
  }
}
