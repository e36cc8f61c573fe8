import Glibc
import Testing

@testable import SyntheticPrints

@Suite("Trigonometry without the system's library")
struct TrigonometryTests {
  @Test("sines and cosines agree with the system's")
  func sinesAndCosines() {
    for step in -2000...2000 {
      let angle = Double(step) * 0.037
      #expect(abs(Trigonometry.sine(angle) - sin(angle)) < 1e-6)
      #expect(abs(Trigonometry.cosine(angle) - cos(angle)) < 1e-6)
    }
  }

  @Test("directions agree with the system's all around")
  func directions() {
    for step in -314...314 {
      let angle = Double(step) * 0.01
      let direction = Trigonometry.direction(x: 7 * cos(angle), y: 7 * sin(angle))
      #expect(abs(direction - angle) < 1e-6)
    }
    #expect(Trigonometry.direction(x: 0, y: 0) == 0)
  }

  @Test("decay agrees with the system's exponential")
  func decay() {
    for step in 0...1000 {
      let x = Double(step) * 0.1
      #expect(abs(Trigonometry.decay(x) - exp(-x)) < 1e-6)
    }
  }
}
