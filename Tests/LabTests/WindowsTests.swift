import GrayImage
import SyntheticPrints
import Testing

@testable import authcore_bench

@Suite("Windows of sensors")
struct WindowsTests {
  private static let print = SyntheticFinger(seed: 3).impression(seed: 1)
  private static let plain = PadShape.every(seed: 4).filter { $0.block == nil }

  @Test("a pad shows the print inside of its extents and its surround outside", arguments: plain)
  func laid(shape: PadShape) {
    let seen = shape.laid(over: Self.print, touch: 1)
    let extents = seen.extents ?? []
    #expect(extents.count == Self.print.height)
    var shown = 0
    for (y, columns) in extents.enumerated() {
      shown += columns.count
      for x in 0..<Self.print.width {
        let pixel = Int(seen.image[x: x, y: y])
        if columns.contains(x) {
          #expect(pixel == Int(Self.print[x: x, y: y]), "\(x), \(y)")
        } else if x < columns.lowerBound - 1 || x > columns.upperBound {
          #expect(
            abs(pixel - Int(shape.surround.level)) <= shape.surround.grain, "\(x), \(y)")
        }
      }
    }
    // Enough to recognize an owner.
    #expect(shown * 100 >= 38 * Self.print.width * Self.print.height)
    #expect(shape.name == "whole" || shown < Self.print.width * Self.print.height)
  }

  @Test("pads belong to the sensor: another touch wanders, but has the same window")
  func sameWindow() throws {
    for shape in PadShape.every(seed: 4) {
      let (first, second) = (
        shape.laid(over: Self.print, touch: 1), shape.laid(over: Self.print, touch: 2)
      )
      if case .wandering = shape.outline {
        #expect(first.extents != second.extents)
        #expect(first.extents?.map(\.count) == second.extents?.map(\.count))
      } else {
        #expect(first.extents == second.extents, "\(shape.name)")
      }
    }
  }

  @Test("a block is burnt in at one place, and the rest is untouched")
  func block() throws {
    let shape = try #require(PadShape.every(seed: 4).first { $0.name == "black-block" })
    let image = shape.laid(over: Self.print, touch: 1).image
    let changed = image.pixels.indices.filter { image.pixels[$0] != Self.print.pixels[$0] }
    let columns = changed.map { $0 % image.width }
    let width = try #require(columns.max()) - (try #require(columns.min())) + 1
    #expect(changed.allSatisfy { image.pixels[$0] == 0 })
    #expect(abs(width - 42) <= 1)
  }

  @Test("other seeds give the same kinds of pads with other sides")
  func seeds() {
    let (first, second) = (PadShape.every(seed: 1), PadShape.every(seed: 2))
    #expect(first.map(\.name) == second.map(\.name))
    let pairs = zip(first, second).filter { $0.0.name == "trapezoid" || $0.0.name == "strip" }
    for (one, other) in pairs {
      #expect(
        one.laid(over: Self.print, touch: 1).extents
          != other.laid(over: Self.print, touch: 1).extents)
    }
  }

  @Test("an assembled swipe has blank margins at both sides", arguments: SwipedPrint.every)
  func margins(swipe: SwipedPrint) throws {
    let seen = try swipe.drawn(Self.print, touch: 5)
    let image = seen.image
    let blank: UInt8 = swipe.isInverted ? 255 : 0
    #expect(image.width == Self.print.width)
    #expect(image.height > Self.print.height * 8 / 10)
    for y in 0..<image.height {
      let row = (0..<image.width).map { image[x: $0, y: y] }
      let margins = row.prefix { $0 == blank }.count + row.reversed().prefix { $0 == blank }.count
      #expect(margins >= 110, "row \(y)")
      let columns = try #require(seen.extents)[y]
      #expect((180...200).contains(columns.count))
      #expect(columns.lowerBound <= row.prefix { $0 == blank }.count)
    }
  }

  @Test("a picture of fewer rows than two stripes cannot be swiped")
  func tooLow() {
    let low = Self.print.cropped(x: 0, y: 0, width: 300, height: 31)
    #expect(throws: BenchmarkFailure.self) { try SwipedPrint.every[0].drawn(low, touch: 1) }
  }

  @Test("a trial compares every probe with every finger, enrolled from five prints and from one")
  func trial() async throws {
    let set = ImageSet.synthetic(
      .careful, pixelsPerInch: 500, numbers: 1...2, impressions: 6, seed: 3)
    let fingers = try set.fingers.map { try PicturedFinger($0, of: set, number: 0) }
    let trial = try await WindowTrial(
      fingers, sensor: .pad(PadShape.every(seed: 1)[0]), saysExtents: true)
    #expect(trial.rows.map { $0[3] } == ["2", "2"])
    #expect(trial.rows.map { $0[7] } == ["2", "2"])
    #expect(trial.rows.map { $0[8] } == ["0", "0"])
  }

  @Test("prints of the same people from two sensors are no strangers")
  func samePeople() async throws {
    func finger(_ set: Int, _ people: String) throws -> SampledFinger {
      let own = ImageSet.synthetic(
        .careful, pixelsPerInch: 500, numbers: set + 1...set + 1, impressions: 6, seed: 3)
      let seen = try PicturedFinger(own.fingers[0], of: own, number: set).sampled()
      return SampledFinger(name: seen.name, set: set, people: people, prints: seen.prints)
    }
    let fingers = [try finger(0, "us"), try finger(1, "us"), try finger(2, "them")]
    let rows = try await ComparisonProtocol.enrolledFingers(fingers).scores().rows
    #expect(rows.count == 3 + 4)
    #expect(!rows.contains { $0.probe == 0 && $0.gallery == 1 })
  }
}
