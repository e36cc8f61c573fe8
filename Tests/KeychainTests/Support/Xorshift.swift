/// Marsaglia's xorshift (J. Stat. Software 8 (14), 2003), so that a failing run can be repeated.
struct Xorshift: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
