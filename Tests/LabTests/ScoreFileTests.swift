import Testing

@testable import authcore_bench

@Suite("Files of scores")
struct ScoreFileTests {
  private func scores(_ text: String) throws -> ScoreList {
    try ScoreFile.scores(in: text, file: "scores.csv")
  }

  @Test("what the match benchmark writes is genuine where finger and folder are the same")
  func probes() throws {
    let list = try scores(
      """
      probe,gallery,score
      DB1/101_6.pgm,DB1/101_1.pgm;DB1/101_2.pgm,20.5
      DB1/101_6.pgm,DB1/102_1.pgm,3
      DB1/101_6.pgm,DB2/101_1.pgm,2
      DB1/101_6_p2.pgm,DB1/101_1_p0.pgm,-1000.0

      """)
    #expect(list.comparisons.map(\.isGenuine) == [true, false, false, true])
    #expect(list.fingers == ["DB1/101", "DB1/102", "DB2/101"])
    #expect(list.genuine == [20.5, -.infinity])
    #expect(list.impostor == [3, 2])
  }

  @Test("named samples count within their data set, failures as the lowest score")
  func samples() throws {
    let list = try scores(
      """
      db,a,b,genuine,score,note
      X,1_1,1_2,1,7,
      X,1_1,2_1,0,fail,
      Y,1_1,2_1,0,,
      """)
    #expect(list.fingers == ["X/1", "X/2", "Y/1", "Y/2"])
    #expect(list.impostor == [-.infinity, -.infinity])
  }

  @Test(
    "what cannot be used is refused with the file, the line and the reason",
    arguments: [
      ("", "scores.csv: it is empty"),
      ("probe,gallery\n", "scores.csv, line 1: no column \"score\""),
      ("db,a,b,score\n", "scores.csv, line 1: no column \"probe\""),
      ("probe,gallery,score\n", "scores.csv: it has no comparison"),
      ("probe,gallery,score\n1_1,1_2,5\n1_1,2_1,five\n", "line 3: the score \"five\""),
      ("probe,gallery,score\n1_1,1_2\n", "line 2: 2 fields where the header has 3"),
      ("probe,gallery,score\n1_1,1_2;2_1,5\n", "line 2: \"1_2;2_1\" is not a list of images"),
      ("probe,gallery,score\n1_1,2_1,5\n", "scores.csv: it has no genuine comparison"),
      ("probe,gallery,score\n1_1,1_2,5\n", "scores.csv: it has no impostor comparison"),
      ("db,a,b,genuine,score\nX,1_1,1_2,yes,5\n", "line 2: \"yes\" under \"genuine\""),
      ("probe,gallery,score\n1_1,1_2,inf\n", "line 2: the score \"inf\""),
    ])
  func refused(text: String, beginning: String) {
    let error = #expect(throws: ScoreFileError.self) { _ = try scores(text) }
    #expect(error?.description.contains(beginning) == true)
  }

  @Test(
    "a finger is folder and name up to the last underscore, without a patch",
    arguments: [
      ("101_6.pgm", "101"), ("a/b/101_6.pgm", "a/b/101"), ("a/101_6_p12.pgm", "a/101"),
      ("left_index_3", "left_index"), ("thumb", "thumb"), ("x/thumb_p1.pgm", "x/thumb"),
      ("1_pa.pgm", "1"), ("", ""),
    ])
  func finger(name: String, finger: String) {
    #expect(SampleName(name).finger == finger)
  }
}

@Suite("The tail of strangers' scores")
struct ScoreTailTests {
  private func tail(_ scores: [Double]) -> ScoreTail {
    var tail = ScoreTail()
    for score in scores { tail.add(score) }
    return tail
  }

  @Test("a threshold accepts the scores that reach it")
  func counts() {
    let tail = tail([-1000, -0.1, 0, 13.9, 14, 14.2, 1e9, .infinity])
    #expect(tail.comparisons == 8)
    #expect(tail.count(atLeast: 14) == 4)
    #expect(tail.count(atLeast: 13.5) == 5)
    #expect(tail.count(atLeast: -3) == 6)
    #expect(tail.count(atLeast: 1e12) == 2)
    #expect(tail.highest == .infinity)
  }

  @Test("two tails together count what both counted")
  func sum() {
    var both = tail([3, 15])
    both.add(tail([16]))
    #expect(both == tail([3, 15, 16]))
  }

  @Test("a tail is read back from its fields")
  func fields() throws {
    for tail in [tail([]), tail([1, 2, 14, 77])] {
      let text = tail.fields.joined(separator: ",")
      #expect(ScoreTail(fields: text.split(separator: ",")) == tail)
    }
  }

  @Test("fields that no tail gives are refused")
  func hostile() {
    let good = tail([1, 2]).fields.map { Substring($0) }
    #expect(ScoreTail(fields: good) != nil)
    #expect(ScoreTail(fields: Array(good.dropLast())) == nil)
    for (place, text) in [(0, "-1"), (0, "x"), (1, "nan"), (2, "-1"), (5, "3"), (5, "")] {
      var fields = good
      fields[place] = Substring(text)
      #expect(ScoreTail(fields: fields) == nil, "\(place) \(text)")
    }
  }
}
