import CoreClient
import Protocol
import Testing

@Suite("Where an enrollment has seen the finger, drawn")
struct CoverageDrawingTests {
  @Test("a character is two places high, and nothing is drawn where nothing was seen")
  func halves() {
    let picture = CoveragePicture(
      columns: 4, times: [0, 1, 0, 2, 0, 0, 3, 4, 1, 0, 0, 0],
      clarity: [UInt8](repeating: 9, count: 12))
    #expect(CoverageDrawing.lines(picture, Paint(isOn: false)) == [" ▀▄█", "▀   "])
    #expect(CoverageDrawing.lines(.empty, Paint(isOn: false)).isEmpty)
  }
}
