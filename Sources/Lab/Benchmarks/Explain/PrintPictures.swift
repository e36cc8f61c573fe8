import FingerprintMatching
import Glibc

/// Pictures of every step from one image to its minutiae.
struct PrintPictures {
  /// "A" or "B".
  let letter: String
  let file: String
  let print: PrintExplanation
  /// Whether each of the print's minutiae has a partner on the other one.
  let isPaired: [Bool]

  /// On the color scale, pixels.
  private static let periods: ClosedRange<Float> = 5...15

  var pictures: [Picture] {
    [working, normalized, orientation, period, clarity, ridges, phase, mask, minutiae]
  }

  private func picture(
    _ number: Int, _ step: String, _ caption: String, legend: PictureFrame.Legend = .none,
    _ content: @escaping (borrowing Canvas, PictureFrame) -> Void
  ) -> Picture {
    let frame = PictureFrame(
      title: "\(letter)  \(file): \(step)", legend: legend, width: print.working.width,
      height: print.working.height)
    let name = step.map { $0 == " " ? "-" : String($0) }.joined()
    return Picture(
      name: "\(letter)-\(number)-\(name)", caption: caption, drawing: frame.drawing(content))
  }

  private func gray(
    _ number: Int, _ step: String, _ caption: String, _ field: SampleField, black: Float,
    white: Float
  ) -> Picture {
    picture(number, step, caption) { canvas, frame in
      canvas.draw(Raster(gray: field, black: black, white: white), in: frame.frame)
    }
  }

  private var working: Picture {
    gray(
      1, "working image", "The image at 500 pixels per inch; all later steps count in its pixels.",
      print.working, black: 0, white: 255)
  }

  private var normalized: Picture {
    gray(
      2, "normalized", "Brightness and contrast made even: local mean 0, variance 1; ridges dark.",
      print.normalized, black: 2.5, white: -2.5)
  }

  private var orientation: Picture {
    picture(
      3, "orientation",
      "Direction of the ridges in each cell of 8 pixels; gray strokes lie outside the ridge mask.",
      legend: .keys([(.vermilion, "ridges"), (.gray(0.6), "outside the ridge mask")])
    ) { canvas, frame in
      canvas.draw(Raster(fading: print), in: frame.frame)
      let side = Float(PrintExplanation.cellSide)
      let width = max(0.35 * frame.scale, 1.1)
      for row in 0..<print.orientation.height {
        for column in 0..<print.orientation.width {
          let angle = print.orientation[column, row]
          let (x, y) = ((Float(column) + 0.5) * side, (Float(row) + 0.5) * side)
          let (dx, dy) = (0.4 * side * cosf(angle), 0.4 * side * sinf(angle))
          let shows = print.ridgeMask[column, row] > 0
          canvas.stroke(
            [frame.place(x - dx, y - dy), frame.place(x + dx, y + dy)],
            Canvas.Line(shows ? .vermilion : .gray(0.6), width: shows ? width : 0.6 * width))
        }
      }
    }
  }

  private var period: Picture {
    let numbers = [5, 7.5, 10, 12.5, 15]
    return picture(
      4, "period", "Distance from ridge to ridge in each cell of the ridge mask.",
      legend: .scale(
        .rising, numbers: numbers.map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" },
        meaning: "pixels from ridge to ridge (9 px = 0.46 mm)")
    ) { canvas, frame in
      drawCells(on: canvas, frame) { column, row in
        let range = Self.periods.upperBound - Self.periods.lowerBound
        return ColorScale.rising.color(
          Double((print.period[column, row] - Self.periods.lowerBound) / range))
      }
    }
  }

  private var clarity: Picture {
    picture(
      5, "clarity", "How much of what is seen in each cell is ridges of one direction.",
      legend: .scale(
        .rising, numbers: ["0", "0.5", "1"], meaning: "share that is a plane wave of one direction")
    ) { canvas, frame in
      drawCells(on: canvas, frame) { column, row in
        ColorScale.rising.color(Double(print.clarity[column, row]))
      }
    }
  }

  private var ridges: Picture {
    gray(
      6, "enhanced ridges",
      "The response of the filters tuned to each cell (even part): ridges dark, gray if not filtered.",
      print.even, black: 1.5, white: -1.5)
  }

  private var phase: Picture {
    picture(
      7, "phase",
      "Where between two ridges each pixel lies; colors meet in one point at a minutia. It runs "
        + "the other way beyond where the direction passes 180 degrees.",
      legend: .scale(
        .circular, numbers: ["-180", "-90", "0", "90", "180"],
        meaning: "degrees, 0 on a ridge; paler where less like ridges")
    ) { canvas, frame in
      let raster = Raster(width: print.even.width, height: print.even.height) { x, y in
        let (even, odd) = (Double(print.even[x, y]), Double(print.odd[x, y]))
        let color = ColorScale.circular.color(atan2(odd, even) / (2 * .pi) + 0.5)
        return Color.white.mixed(with: color, share: min(hypot(even, odd), 1))
      }
      canvas.draw(raster, in: frame.frame)
    }
  }

  private var mask: Picture {
    picture(
      8, "ridge mask", "The cells that count as ridges; all others are hidden.",
      legend: .keys([(.sky, "no ridges")])
    ) { canvas, frame in
      canvas.draw(Raster(gray: print.working, black: 0, white: 255), in: frame.frame)
      let side = Float(PrintExplanation.cellSide)
      for row in 0..<print.ridgeMask.height {
        for column in 0..<print.ridgeMask.width where print.ridgeMask[column, row] == 0 {
          frame.fillCell(
            Float(column) * side, Float(row) * side, Color.sky.opacity(0.6), on: canvas)
        }
      }
    }
  }

  private var minutiae: Picture {
    let paired = isPaired.count { $0 }
    return picture(
      9, "minutiae",
      "Minutiae with their direction; a ring is larger the clearer the ridges around it are.",
      legend: .keys([
        (.blue, "\(paired) with a partner on the other print"),
        (.vermilion, "\(isPaired.count - paired) without"),
      ])
    ) { canvas, frame in
      canvas.draw(Raster(fading: print), in: frame.frame)
      for (minutia, isPaired) in zip(print.features.minutiae, isPaired) {
        canvas.mark(
          at: frame.place(minutia.x, minutia.y), direction: Double(minutia.direction),
          radius: (1.4 + 2 * Double(minutia.quality)) * max(frame.scale, 2),
          Canvas.Line(isPaired ? .blue : .vermilion, width: max(0.55 * frame.scale, 1.3)))
      }
    }
  }

  /// Colors the cells of the ridge mask, with the ridges showing through.
  private func drawCells(
    on canvas: borrowing Canvas, _ frame: PictureFrame, color: (Int, Int) -> Color
  ) {
    canvas.draw(Raster(fading: print, by: 0.2), in: frame.frame)
    let side = Float(PrintExplanation.cellSide)
    for row in 0..<print.ridgeMask.height {
      for column in 0..<print.ridgeMask.width where print.ridgeMask[column, row] > 0 {
        frame.fillCell(
          Float(column) * side, Float(row) * side, color(column, row).opacity(0.72), on: canvas)
      }
    }
  }
}
