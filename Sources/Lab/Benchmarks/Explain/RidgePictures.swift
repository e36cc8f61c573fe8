import FingerprintMatching

/// Pictures of one print's ridges on another's once the skin may stretch, in the frame of B's
/// working image.
struct RidgePictures {
  let explanation: MatchExplanation
  let ridges: RidgeAlignment

  /// Shifts are drawn this many times longer.
  private static let magnification: Float = 3

  var pictures: [Picture] { [displacement, evidence] }

  private func picture(
    name: String, title: String, legend: PictureFrame.Legend, caption: String,
    _ content: @escaping (borrowing Canvas, PictureFrame) -> Void
  ) -> Picture {
    let gallery = explanation.gallery
    let frame = PictureFrame(
      title: title, legend: legend, width: gallery.working.width, height: gallery.working.height)
    return Picture(
      name: name, caption: caption,
      drawing: frame.drawing { canvas, frame in
        canvas.draw(Raster(fading: gallery, by: 0.35), in: frame.frame)
        content(canvas, frame)
      })
  }

  private var displacement: Picture {
    picture(
      name: "pair-5-stretch", title: "where the skin was stretched",
      legend: .keys([
        (.blue, "from where turning and moving A takes a cell, 3 times as far as it was stretched")
      ]),
      caption: "How much farther each cell of A had to be moved for its ridges to lie on B's; "
        + "neighbors that go different ways are not skin."
    ) { canvas, frame in
      let width = max(0.4 * frame.scale, 1.2)
      for cell in ridges.cells where cell.agreement != nil {
        let tip = cell.place + Self.magnification * cell.shift
        let (from, to) = (frame.place(cell.place.x, cell.place.y), frame.place(tip.x, tip.y))
        canvas.stroke([from, to], Canvas.Line(.white, width: 3 * width))
        canvas.stroke([from, to], Canvas.Line(.blue, width: width))
        canvas.fill(circleAt: from, radius: 1.2 * width, .blue)
      }
    }
  }

  private var evidence: Picture {
    let chance = ridges.chance
    return picture(
      name: "pair-6-ridge-evidence", title: "evidence of the ridges, cell by cell",
      legend: .scale(
        .opposed, numbers: ["-0.4", "0", "0.4"],
        meaning: "agreement above what strangers' ridges reach"),
      caption: "How well ridges lie on ridges in each cell of A, once stretched, less the "
        + "agreement that strangers reach: the sum is what small touches are judged by."
    ) { canvas, frame in
      let side = Float(PrintExplanation.cellSide)
      for cell in ridges.cells {
        guard let agreement = cell.agreement else { continue }
        let middle = cell.place + cell.shift
        let share = Double(agreement - chance) / 0.8 + 0.5
        frame.fillCell(
          middle.x - side / 2, middle.y - side / 2,
          ColorScale.opposed.color(min(max(share, 0), 1)).opacity(0.6), on: canvas)
      }
    }
  }
}

extension Raster {
  /// A field in gray from the number shown black to that shown white. `fading` moves all grays
  /// towards white, 0...1, so that lines stand out.
  init(gray field: SampleField, black: Float, white: Float, fading: Double = 0) {
    self.init(width: field.width, height: field.height) { x, y in
      let level = Double((field[x, y] - black) / (white - black))
      return .gray(min(max(level, 0), 1) * (1 - fading) + fading)
    }
  }

  /// An image of a finger, faded to be drawn on.
  init(fading print: PrintExplanation, by share: Double = 0.45) {
    self.init(gray: print.working, black: 0, white: 255, fading: share)
  }
}
