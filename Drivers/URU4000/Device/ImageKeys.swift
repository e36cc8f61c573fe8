internal import SensorKit

/// Fetches the keys of encrypted images. The device hides each from who listens on the bus with a
/// seed of the host's.
struct ImageKeys {
  private let registers: Registers
  private let seed: () throws(SensorFailure) -> UInt32

  /// Takes the option `seed`, which is then used for every key, as the replay of a recording needs
  /// it; without it each has a random one.
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

  /// The state in which the generator begins to decrypt with the key of that number.
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
