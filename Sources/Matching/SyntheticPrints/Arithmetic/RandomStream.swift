/// Random numbers that are the same on every machine: xoshiro256** (Blackman and Vigna, "Scrambled
/// Linear Pseudorandom Number Generators", 2021), seeded through SplitMix64. Not for secrets.
struct RandomStream: RandomNumberGenerator {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  /// Each purpose has a stream of its own, so one more number drawn for it leaves the others alone.
  enum Purpose: UInt64 {
    case anatomy = 1
    case spacing, seeds, skin, placement, contact, grain, sensor, treatment
  }

  init(seed: UInt64, for purpose: Purpose) {
    var numbers = RandomNumbers(seed: seed ^ (purpose.rawValue &* 0xD6E8_FEB8_6659_FD93))
    state = (numbers.next(), numbers.next(), numbers.next(), numbers.next())
  }

  /// A seed that depends on both: neighboring pairs give unrelated ones.
  static func combinedSeed(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var numbers = RandomNumbers(seed: first)
    numbers = RandomNumbers(seed: numbers.next() ^ second)
    return numbers.next()
  }

  mutating func next() -> UInt64 {
    let product = state.1 &* 5
    let result = ((product << 7) | (product >> 57)) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = (state.3 << 45) | (state.3 >> 19)
    return result
  }

  /// Evenly distributed in `range`.
  mutating func uniform(in range: ClosedRange<Double>) -> Double {
    let unit = Double(next() >> 11) * 0x1p-53
    return range.lowerBound + unit * (range.upperBound - range.lowerBound)
  }

  /// Distributed about zero like a bell curve (the sum of six uniform numbers), never beyond 4.3
  /// standard deviations, so no placement of a finger is absurd.
  mutating func bell(deviation: Double) -> Double {
    var sum = 0.0
    for _ in 0..<6 { sum += uniform(in: -1...1) }
    return sum * 0.7071067811865476 * deviation
  }
}

/// Random numbers that are the same each time (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", 2014, SplitMix64).
package struct RandomNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
