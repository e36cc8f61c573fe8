internal import SensorKit

/// Fetches the keys of encrypted images. The device XORs each with a seed of the host.
struct ImageKeys {
  private let registers: Registers
  private let seed: () throws(SensorFailure) -> UInt32

  /// The option `seed` is used for every key, as a recording needs it. Without it each has a random
  /// one.
  init(_ registers: Registers, seed option: SensorOptions.Value?, host: DriverServices)
    throws(SensorFailure)
  {
    self.registers = registers
    guard let option else {
      let random = try host.random()
      seed = { () throws(SensorFailure) in try random.next() }
      return
    }
    guard let fixed = UInt32(exactly: option.number) else {
      throw SensorFailure(
        .option, "The option seed is a number from 0 to 0xFFFFFFFF, not \"\(option.text)\"")
    }
    seed = { () throws(SensorFailure) in fixed }
  }

  /// The generator's first state with the key of that number.
  func key(_ number: UInt8) throws(SensorFailure) -> UInt32 {
    let seed = try seed()
    try registers.write([number] + Self.bytes(seed), to: .keyRequest)
    let hidden = try registers.read(.key, count: 4)
    return hidden.reversed().reduce(0) { $0 << 8 | UInt32($1) } ^ seed
  }

  /// Least significant first.
  private static func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}

/// The 32-bit linear feedback shift register whose states mask the pixels of an encrypted block.
package struct KeyGenerator: Equatable {
  package private(set) var state: UInt32

  package init(_ key: UInt32) {
    state = key
  }

  /// The byte to XOR with: bits 4, 8, 11, 14, 18, 21, 24 and 29 of the state, the first one lowest.
  package var mask: UInt8 {
    let low = (state >> 4) & 0x01 | (state >> 7) & 0x02 | (state >> 9) & 0x04 | (state >> 11) & 0x08
    let high =
      (state >> 14) & 0x10 | (state >> 16) & 0x20 | (state >> 18) & 0x40 | (state >> 22) & 0x80
    return UInt8(truncatingIfNeeded: low | high)
  }

  /// Advances by one byte: the parity of the tapped bits comes in at the top.
  package mutating func clock() {
    let parity = (state & 0x9248_144D).nonzeroBitCount & 1
    state = state >> 1 | UInt32(truncatingIfNeeded: parity) << 31
  }

  package mutating func clock(_ count: Int) {
    for _ in 0..<count { clock() }
  }
}
