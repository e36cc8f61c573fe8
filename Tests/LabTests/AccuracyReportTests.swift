import Testing

@testable import authcore_bench

@Suite("The report of accuracy")
struct AccuracyReportTests {
  private func measured() async throws -> AccuracyMeasurement {
    let sets = ImageSet.synthetic(
      [.careful, .everyday], fingers: 2, impressions: 6, seed: 3)
    return try await AccuracyMeasurement(sets) { _ in }
  }

  @Test("every protocol makes its comparisons, and the same seed gives the same report")
  func report() async throws {
    let measurement = try await measured()
    // Of each of two sets: 12 prints in pairs; of both: 4 probes with 4 fingers.
    #expect(measurement.singlePrints.rows.count == 2 * 66)
    #expect(measurement.enrolledFingers.rows.count == 4 * 4)
    // Of each set: 6 patches of probes with 2 fingers.
    #expect(measurement.patches.map(\.size) == [88, 160])
    #expect(measurement.patches.map(\.scores.rows.count) == [24, 24])

    let report = AccuracyReport(measurement: measurement, rounds: 20, speed: nil)
    let files = try report.files()
    #expect(
      files.map(\.name) == [
        "det-single.svg", "det-single.png", "det-enrolled.svg", "det-enrolled.png",
        "det-patches.svg", "det-patches.png", "accuracy.md", "scores-single.csv",
        "scores-enrolled.csv", "scores-patches-88.csv", "scores-patches-160.csv",
      ])
    let again = try AccuracyReport(measurement: try await measured(), rounds: 20, speed: nil)
      .files()
    // Cairo numbers elements over all drawings of a process, so charts differ in names.
    for (file, other) in zip(files, again)
    where file.name.hasSuffix(".md") || file.name.hasSuffix(".csv") {
      #expect(file.bytes.elementsEqual(other.bytes), "\(file.name)")
    }

    let markdown = try #require(files.first { $0.name == "accuracy.md" })
    let text = String(decoding: markdown.bytes, as: UTF8.self)
    #expect(text.contains("| everyday |       2 |     12 | 569 |"))
    #expect(text.contains("| one against one            |      60 |"))
    #expect(!text.contains("## Speed"))
  }

  @Test("the scores are read back with the comparisons they were written with")
  func scores() async throws {
    let measurement = try await measured()
    for scores in [measurement.singlePrints, measurement.enrolledFingers] {
      let read = try ScoreFile.scores(in: scores.csv, file: "scores.csv")
      let own = try #require(scores.list(.all))
      #expect(read.genuine == own.genuine)
      #expect(read.impostor == own.impostor)
    }
    #expect(measurement.enrolledFingers.list(.withinSets)?.comparisons.count == 8)
    #expect(measurement.enrolledFingers.list(.set(1))?.comparisons.count == 4)
  }
}
