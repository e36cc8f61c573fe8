import Glibc

/// Detection error trade-off curves: FNMR over FMR, both on logarithmic scales (Martin et al., "The
/// DET curve in assessment of detection task performance", 1997, with logarithms for deviates).
///
/// A curve is solid only where at least ``leastErrors`` errors of both kinds support it, and ends
/// where the data does. A ring marks that no error of one kind was seen beyond it.
struct DETChart {
  /// Errors above which a rate is within 30 % of the truth with a certainty of 90 %, if all
  /// comparisons are independent (Doddington's rule of 30; Mansfield and Wayman 2002, appendix B).
  static let leastErrors = 30
  static let markedPoints: [ErrorRate] = [.fmr100, .fmr1000, .fmr10000, .fmr50000]

  let title: String
  /// At most as many as there are ``Color/distinct`` colors.
  let curves: [MeasuredScores]
  let marksPoints: Bool

  private let plot = LogarithmicAxes(
    frame: Rectangle(x: 76, y: 48, width: 600, height: 600), decades: -5...0)

  var drawing: Drawing {
    Drawing(width: 700, height: legendTop + 20 * Double(curves.count) + 50) { canvas in
      plot.drawGrid(
        on: canvas, across: "False match rate (FMR), %", up: "False non-match rate (FNMR), %")
      canvas.write(title, at: Point(plot.frame.x, 30), TextStyle(size: 16, weight: .bold))
      canvas.clipped(to: plot.frame) {
        drawEqualRates(on: canvas)
        if marksPoints { drawPointLimits(on: canvas) }
        for index in curves.indices { drawBand(index, on: canvas) }
        for index in curves.indices { drawCurve(index, on: canvas) }
      }
      drawLegend(on: canvas)
      drawNote(on: canvas)
    }
  }

  private func color(_ index: Int) -> Color { Color.distinct[index % Color.distinct.count] }

  private func drawEqualRates(on canvas: borrowing Canvas) {
    let line = Canvas.Line(.gray(0.55), width: 1, dashes: [2, 3])
    canvas.stroke([plot.point(1e-5, 1e-5), plot.point(1, 1)], line)
    let place = plot.point(2.7e-5, 4.2e-5)
    canvas.write("EER", at: place, TextStyle(size: 11, color: .gray(0.4)))
  }

  private func drawPointLimits(on canvas: borrowing Canvas) {
    for point in Self.markedPoints {
      guard let limit = point.fmrLimit else { continue }
      let line = Canvas.Line(.gray(0.45), width: 0.9, dashes: [6, 3])
      canvas.stroke([plot.point(limit, 1e-5), plot.point(limit, 1)], line)
      let place = plot.point(limit, 1.15e-5)
      canvas.write(
        point.rawValue, at: Point(place.x - 4, place.y), TextStyle(size: 10, color: .gray(0.4)),
        quarterTurns: -1)
    }
  }

  /// The 95 % interval of the FNMR, where there are enough impostors for an FMR.
  private func drawBand(_ index: Int, on canvas: borrowing Canvas) {
    let curve = curves[index].curve
    var (upper, lower): ([Point], [Point]) = ([], [])
    for (limit, interval) in zip(MeasuredScores.bandLimits, curves[index].band) {
      guard let interval, limit * Double(curve.impostorCount) >= 1 else { continue }
      upper.append(plot.point(limit, interval.upperBound))
      lower.append(plot.point(limit, interval.lowerBound))
    }
    guard upper.count > 1 else { return }
    canvas.fill(upper + lower.reversed(), color(index).opacity(0.14))
  }

  private func drawCurve(_ index: Int, on canvas: borrowing Canvas) {
    let curve = curves[index].curve
    let color = color(index)
    for run in DETStretch.stretches(of: curve, leastErrors: Self.leastErrors) {
      let line =
        run.isSupported
        ? Canvas.Line(color, width: 2.4) : Canvas.Line(color, width: 1.5, dashes: [5, 3])
      canvas.stroke(run.places.map { plot.point($0.fmr, $0.fnmr) }, line)
    }
    for end in DETStretch.ends(of: curve) {
      let place = plot.point(end.fmr, end.fnmr)
      canvas.fill(circleAt: place, radius: 3.2, .white)
      canvas.stroke(circleAt: place, radius: 3.2, Canvas.Line(color, width: 1.4))
    }
    guard marksPoints else { return }
    for point in Self.markedPoints where point.isOfItsOwn(impostors: curve.impostorCount) {
      guard let limit = point.fmrLimit else { continue }
      canvas.fill(circleAt: plot.point(limit, point.value(on: curve)), radius: 3.6, color)
    }
  }

  /// The base line of the first line below the axis.
  private var legendTop: Double { plot.frame.y + plot.frame.height + 66 }

  private func drawLegend(on canvas: borrowing Canvas) {
    for (index, curve) in curves.enumerated() {
      let y = legendTop + 20 * Double(index)
      canvas.stroke(
        [Point(plot.frame.x, y - 4), Point(plot.frame.x + 28, y - 4)],
        Canvas.Line(color(index), width: 2.4))
      let rate = ErrorRateTable.percent(curve.curve.equalErrorRate)
      let interval = curve.intervals[.eer].map {
        " (\(ErrorRateTable.percent($0.lowerBound))..\(ErrorRateTable.percent($0.upperBound)))"
      }
      canvas.write(
        "\(curve.label): EER \(rate) %\(interval ?? ""), \(curve.curve.genuineCount) genuine, "
          + "\(curve.curve.impostorCount) impostor", at: Point(plot.frame.x + 37, y),
        TextStyle(size: 12.5))
    }
  }

  private func drawNote(on canvas: borrowing Canvas) {
    let style = TextStyle(size: 11, color: .gray(0.25))
    let top = legendTop + 20 * Double(curves.count) + 6
    canvas.write(
      "Solid: at least \(Self.leastErrors) errors of both kinds support the rates (rule of 30); "
        + "dashed: fewer.", at: Point(plot.frame.x, top), style)
    let hasBands = curves.contains { !$0.intervals.isEmpty }
    canvas.write(
      "Ring: beyond it no error of one kind was seen."
        + (hasBands ? " Band: 95 % interval of the FNMR, by resampling fingers." : ""),
      at: Point(plot.frame.x, top + 17), style)
  }
}

/// A square of two logarithmic scales with their grid, for rates shown in percent.
private struct LogarithmicAxes {
  let frame: Rectangle
  /// Powers of ten of the shares shown on both axes.
  let decades: ClosedRange<Int>

  /// The place of two shares; those too small for the scale lie just beyond its end.
  func point(_ across: Double, _ up: Double) -> Point {
    Point(frame.x + frame.width * place(across), frame.y + frame.height * (1 - place(up)))
  }

  /// 0 at the lower end, 1 at the upper.
  private func place(_ share: Double) -> Double {
    let length = Double(decades.upperBound - decades.lowerBound)
    guard share > 0 else { return -0.02 }
    return max((log10(share) - Double(decades.lowerBound)) / length, -0.02)
  }

  func drawGrid(on canvas: borrowing Canvas, across: String, up: String) {
    for decade in decades {
      let share = pow(10, Double(decade))
      if decade < decades.upperBound {
        for step in 2...9 { drawLines(at: share * Double(step), width: 0.35, on: canvas) }
      }
      drawLines(at: share, width: 0.9, on: canvas)
      let label = Self.percent(decade)
      let (x, y) = (point(share, 1).x, point(1, share).y)
      canvas.write(
        label, at: Point(x, frame.y + frame.height + 17), TextStyle(size: 12, anchor: .middle))
      canvas.write(label, at: Point(frame.x - 7, y + 4), TextStyle(size: 12, anchor: .end))
    }
    canvas.stroke(frame, Canvas.Line(.black, width: 1))
    canvas.write(
      across, at: Point(frame.x + frame.width / 2, frame.y + frame.height + 38),
      TextStyle(size: 13, anchor: .middle))
    canvas.write(
      up, at: Point(frame.x - 54, frame.y + frame.height / 2), TextStyle(size: 13, anchor: .middle),
      quarterTurns: -1)
  }

  private func drawLines(at share: Double, width: Double, on canvas: borrowing Canvas) {
    let line = Canvas.Line(.gray(0.82), width: width)
    let place = point(share, share)
    canvas.stroke([Point(place.x, frame.y), Point(place.x, frame.y + frame.height)], line)
    canvas.stroke([Point(frame.x, place.y), Point(frame.x + frame.width, place.y)], line)
  }

  /// A power of ten as a number of percent: -3 is "0.1".
  private static func percent(_ decade: Int) -> String {
    decade >= -2
      ? "1" + String(repeating: "0", count: decade + 2)
      : "0." + String(repeating: "0", count: -decade - 3) + "1"
  }
}
