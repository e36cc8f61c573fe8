import FingerprintMatching
import Glibc

/// Pictures of two prints laid onto each other, in the frame of B's working image.
struct PairPictures {
  let explanation: MatchExplanation
  let alignment: PrintAlignment

  private var a: PrintExplanation { explanation.probe }
  private var b: PrintExplanation { explanation.gallery }

  var pictures: [Picture] { [overlay, overlap, ridgeAgreement, sideBySide] }

  private func frame(_ title: String, _ legend: PictureFrame.Legend) -> PictureFrame {
    PictureFrame(title: title, legend: legend, width: b.working.width, height: b.working.height)
  }

  /// Both prints' ridges in two colors, which make black where they coincide.
  private var overlay: Picture {
    let frame = frame(
      "A's ridges laid over B's",
      .keys([
        (.vermilion, "A's ridges"), (.sky, "B's ridges"),
        (Self.ink(a: 1, b: 1), "both"),
      ]))
    let raster = Raster(width: b.even.width, height: b.even.height) { x, y in
      Self.ink(a: max(warped(x, y), 0), b: max(ridges(of: b, Float(x) + 0.5, Float(y) + 0.5), 0))
    }
    return Picture(
      name: "pair-1-alignment",
      caption: "A turned and moved onto B as the minutiae say: dark where ridges coincide; "
        + "two colors side by side where the skin was stretched or the fingers differ.",
      drawing: frame.drawing { canvas, frame in canvas.draw(raster, in: frame.frame) })
  }

  /// Two transparent inks on white, each 0 (none) to 1.
  private static func ink(a: Double, b: Double) -> Color {
    func through(_ part: KeyPath<Color, Double>) -> Double {
      (1 - min(a, 1) * (1 - Color.vermilion[keyPath: part]))
        * (1 - min(b, 1) * (1 - Color.sky[keyPath: part]))
    }
    return Color(red: through(\.red), green: through(\.green), blue: through(\.blue))
  }

  /// A's enhanced ridges at a pixel of B's image.
  private func warped(_ x: Int, _ y: Int) -> Double {
    let place = alignment.placeInProbe(Float(x) + 0.5, Float(y) + 0.5)
    return ridges(of: a, place.x, place.y)
  }

  /// 0 outside its ridge mask.
  private func ridges(of print: PrintExplanation, _ x: Float, _ y: Float) -> Double {
    guard x >= 0, y >= 0, x < Float(print.even.width), y < Float(print.even.height) else {
      return 0
    }
    let side = PrintExplanation.cellSide
    guard print.ridgeMask[Int(x) / side, Int(y) / side] > 0 else { return 0 }
    return Double(print.even.value(at: x, y))
  }

  /// Agreement of the ridges' directions, with the pairs of minutiae.
  private var overlap: Picture {
    let frame = frame(
      "overlap: agreement of ridge directions, and pairs",
      .scale(
        .opposed, numbers: ["0", "0.5", "1"],
        meaning: "agreement; A's minutiae orange, B's black, pairs joined"))
    let cells = alignment.flowAgreement
    return Picture(
      name: "pair-2-overlap",
      caption: "Where both show ridges: how well their directions agree, as it goes into the "
        + "score; paired minutiae of A (orange, moved onto B) and B (black) are joined.",
      drawing: frame.drawing { canvas, frame in
        canvas.draw(Raster(fading: b, by: 0.35), in: frame.frame)
        let side = Float(PrintExplanation.cellSide)
        for row in 0..<cells.height {
          for column in 0..<cells.width where cells[column, row] >= 0 {
            frame.fillCell(
              Float(column) * side, Float(row) * side,
              ColorScale.opposed.color(Double(cells[column, row])).opacity(0.5), on: canvas)
          }
        }
        drawPairs(on: canvas, frame)
      })
  }

  private func drawPairs(on canvas: borrowing Canvas, _ frame: PictureFrame) {
    let width = max(0.6 * frame.scale, 1.4)
    let radius = 2.2 * max(frame.scale, 2)
    for pair in alignment.pairs {
      let (own, other) = (a.features.minutiae[pair.probe], b.features.minutiae[pair.gallery])
      let moved = alignment.placeInGallery(own.x, own.y)
      let (from, to) = (frame.place(moved.x, moved.y), frame.place(other.x, other.y))
      let turned = Double(own.direction) + alignment.rotation
      // White below sets the marks off from the ridges and from the colors of agreement.
      for (color, width) in [(Color.white, 3 * width), (.black, width)] {
        canvas.stroke([from, to], Canvas.Line(color, width: width))
        canvas.mark(
          at: to, direction: Double(other.direction), radius: radius,
          Canvas.Line(color, width: width))
      }
      for (color, width) in [(Color.white, 3 * width), (.vermilion, width)] {
        canvas.mark(at: from, direction: turned, radius: radius, Canvas.Line(color, width: width))
      }
    }
  }

  private var ridgeAgreement: Picture {
    let frame = frame(
      "ridges on ridges",
      .scale(
        .opposed, numbers: ["-1", "0", "1"],
        meaning: "correlation of the enhanced ridges over 24 pixels"))
    let agreement = RidgeCorrelation(
      width: b.even.width, height: b.even.height, reach: 12, first: warped,
      second: { ridges(of: b, Float($0) + 0.5, Float($1) + 0.5) })
    return Picture(
      name: "pair-3-ridge-agreement",
      caption: "Whether ridges lie on ridges (blue) or on valleys (orange) once A is turned and "
        + "moved onto B; stripes of both show skin that was stretched.",
      drawing: frame.drawing { canvas, frame in
        let raster = Raster(width: b.even.width, height: b.even.height) { x, y in
          let ridge = 1 - 0.25 * min(max(Double(b.even[x, y]), 0), 1)
          guard let value = agreement[x, y] else { return .gray(0.75 * ridge) }
          return Color.black.mixed(with: ColorScale.opposed.color((value + 1) / 2), share: ridge)
        }
        canvas.draw(raster, in: frame.frame)
      })
  }

  private var sideBySide: Picture {
    let gap = 12
    let frame = PictureFrame(
      title: "pairs: A left, B right",
      legend: .keys([
        (.blue, "\(alignment.pairs.count) pairs; the bolder, the more alike their surroundings")
      ]),
      width: a.working.width + gap + b.working.width,
      height: max(a.working.height, b.working.height), wantedLength: 1500)
    let shift = Float(a.working.width + gap)
    return Picture(
      name: "pair-4-pairs", caption: "The minutiae taken for the same, joined from A to B.",
      drawing: frame.drawing { canvas, frame in
        for (print, left) in [(a, Float(0)), (b, shift)] {
          let corner = frame.place(left, 0)
          canvas.draw(
            Raster(fading: print),
            in: Rectangle(
              x: corner.x, y: corner.y, width: Double(print.working.width) * frame.scale,
              height: Double(print.working.height) * frame.scale))
        }
        for pair in alignment.pairs {
          let (own, other) = (a.features.minutiae[pair.probe], b.features.minutiae[pair.gallery])
          let ends = [frame.place(own.x, own.y), frame.place(other.x + shift, other.y)]
          let line = Canvas.Line(
            Color.blue.opacity(0.35 + 0.5 * pair.similarity), width: 0.6 + 2 * pair.similarity)
          canvas.stroke(ends, line)
          for (end, direction) in zip(ends, [own.direction, other.direction]) {
            canvas.mark(
              at: end, direction: Double(direction), radius: 2 * max(frame.scale, 2),
              Canvas.Line(.vermilion, width: 1.4))
          }
        }
      })
  }
}

/// How alike two pictures are around each pixel: the correlation of their samples in a square
/// window, without subtracting a mean, since ridges have none.
private struct RidgeCorrelation {
  private let width: Int
  private let values: [Double?]

  /// - `reach`: Half the window's side, pixels.
  /// - `first`: The samples of one picture, 0 where it shows nothing.
  /// - `second`: Those of the other.
  init(
    width: Int, height: Int, reach: Int, first: (Int, Int) -> Double,
    second: (Int, Int) -> Double
  ) {
    // Sums over all pixels left of and above each, so a window's sum is made of four.
    var sums = [SIMD4<Double>](repeating: .zero, count: (width + 1) * (height + 1))
    for y in 0..<height {
      var row = SIMD4<Double>.zero
      for x in 0..<width {
        let (a, b) = (first(x, y), second(x, y))
        let isSeen = a != 0 && b != 0
        row += isSeen ? SIMD4(a * b, a * a, b * b, 1) : .zero
        sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row
      }
    }
    var values: [Double?] = []
    values.reserveCapacity(width * height)
    let least = Double(reach * reach)
    for y in 0..<height {
      let (top, bottom) = (max(y - reach, 0), min(y + reach, height))
      for x in 0..<width {
        let (left, right) = (max(x - reach, 0), min(x + reach, width))
        let sum =
          sums[bottom * (width + 1) + right] - sums[top * (width + 1) + right]
          - sums[bottom * (width + 1) + left] + sums[top * (width + 1) + left]
        let isSeen = sum[3] >= least && first(x, y) != 0 && second(x, y) != 0
        values.append(isSeen ? sum[0] / (sum[1] * sum[2]).squareRoot() : nil)
      }
    }
    (self.width, self.values) = (width, values)
  }

  /// -1...1; nil if too little of both pictures is seen.
  subscript(x: Int, y: Int) -> Double? { values[y * width + x] }
}
