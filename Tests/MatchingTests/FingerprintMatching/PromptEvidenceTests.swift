import Glibc
import GrayImage
import SyntheticPrints
import Testing

@testable import FingerprintMatching

@Suite("Touches of one prompt")
struct PromptEvidenceTests {
  /// A touch that shows some cells of a finger.
  private func evidence(_ score: Double, _ cells: Range<Int> = 0..<0) -> TouchEvidence {
    var set = CellSet()
    for cell in cells { set.insert(cell) }
    return TouchEvidence(score: score, cells: set)
  }

  /// The score after the last of these touches of one finger.
  private func score(_ touches: TouchEvidence...) -> Double {
    var prompt = PromptEvidence()
    return touches.reduce(0) { _, touch in prompt.add([1: touch])[1] ?? 0 }
  }

  @Test("E2: touches of other parts of the finger add up, in any order, and never lower a score")
  func addsUp() {
    let (a, b) = (evidence(10, 0..<100), evidence(9, 60..<160))
    #expect(score(a, b) > 10.5)
    #expect(score(a, b) == score(b, a))
    #expect(score(a, evidence(-3), b) == score(a, b))
    #expect(score(a, b, evidence(9, 120..<220)) > score(a, b))
    #expect(score(evidence(-3), a) == 10)
    #expect(score(b, evidence(20)) == 20)
  }

  @Test("E5: a touch that is presented again adds nothing, and neither does a little more")
  func again() {
    let touch = evidence(13.9, 0..<100)
    #expect(score(touch, touch, touch) == 13.9)
    #expect(score(touch, evidence(13.8, 10..<110), evidence(13.8, 15..<115)) == 13.8)
  }

  @Test("E5: the fourth touch of a prompt stands alone, and so does each one after it")
  func four() {
    let (a, b) = (evidence(10, 0..<100), evidence(10, 100..<200))
    let miss = evidence(-2)
    #expect(score(a, miss, b) > 10)
    #expect(score(a, miss, miss, b) == 10)
    #expect(score(a, miss, miss, b, evidence(10, 200..<300)) == 10)
  }

  @Test("E5: what a touch says about one finger counts for no other")
  func fingers() {
    var prompt = PromptEvidence()
    #expect(prompt.add([1: evidence(10, 0..<100), 2: evidence(3, 0..<100)]) == [1: 10, 2: 3])
    let scores = prompt.add([1: evidence(3, 200..<300), 2: evidence(10, 200..<300)])
    #expect(scores == [1: score(evidence(10, 0..<100), evidence(3, 200..<300)), 2: scores[2]])
    #expect((scores[2] ?? 20) < 13)
    #expect(prompt.add([3: evidence(10, 400..<500)]) == [3: 10])
  }

  @Test("E5: a wiped prompt remembers no touch")
  func wiped() {
    var prompt = PromptEvidence()
    _ = prompt.add([1: evidence(10, 0..<100)])
    prompt.wipe()
    #expect(prompt.add([1: evidence(10, 100..<200)]) == [1: 10])
  }

  @Test("E5: by the scale of scores a stranger's prompt passes once in 50,000 times at most")
  func bound() {
    for fingers in 1...5 {
      let alone = Double(3 * fingers) * exp(-MatchRate.strict.threshold(fingers: fingers))
      // After the second and after the third touch, as often as the best of them.
      let together =
        Double((2 + 3) * fingers)
        * exp(-MatchRate.strict.threshold(fingers: fingers) - PromptEvidence.price)
      #expect(alone + together <= 1 / 50_000)
      for rate in MatchRate.allCases {
        // Five touches, until lockout, are a prompt of three touches and one of two.
        let threshold = rate.threshold(fingers: fingers)
        let alone = Double(5 * fingers) * exp(-threshold)
        let together = Double((2 + 3 + 2) * fingers) * exp(-threshold - PromptEvidence.price)
        #expect(alone + together <= 1 / 10_000)
      }
    }
  }

  @Test(
    "E5: independent scores of strangers add up no more often than that, whatever touches share",
    arguments: [0.25, 0.5, 0.75, 1])
  func independent(share: Double) {
    var numbers = RandomNumbers(seed: 5)
    let (prompts, threshold) = (100_000, 5.0)
    var passed = 0
    for _ in 0..<prompts {
      let scores = (0..<3).map { _ in -log(1 - Double.random(in: 0..<1, using: &numbers)) }
      // Each shows `share` of 64 cells that the one before it does not.
      let touches = scores.enumerated().map { index, score in
        let first = index * Int(share * 64)
        return evidence(score, first..<first + 64)
      }
      if score(touches[0], touches[1], touches[2]) >= threshold, (scores.max() ?? 0) < threshold {
        passed += 1
      }
    }
    let most = 3 * exp(-threshold - PromptEvidence.price)
    #expect(Double(passed) / Double(prompts) <= most)
  }

  @Test("E5: one touch, placed three times with other noise, adds nothing", arguments: [88, 128])
  func placedAgain(side: Int) throws {
    let conditions = ImpressionConditions.everyday.window(width: side, height: side)
    let finger = SyntheticFinger(seed: 601)
    let template = try enrolled(finger, touches: 1...8, conditions: conditions)
    var storage = MatchingStorage()
    var placed = 0
    for number in UInt64(20)...25 {
      let picture = finger.impression(seed: number, conditions: conditions)
      var prompt = PromptEvidence()
      var (alone, together) = ([Double](), [Double]())
      var numbers = RandomNumbers(seed: number)
      for _ in 0..<3 {
        let noisy = try image(width: picture.width, height: picture.height) { x, y in
          Int(picture[x: x, y: y]) + Int(numbers.next() % 9) - 4
        }
        let touch = PrintMatcher().evidence(
          probe: FeatureExtractor().features(of: noisy), against: template, using: &storage)
        placed += touch.cells.count > 0 ? 1 : 0
        alone.append(touch.score)
        together.append(prompt.add([1: touch])[1] ?? 0)
      }
      #expect(together == alone)
    }
    #expect(placed >= 9)
  }
}
