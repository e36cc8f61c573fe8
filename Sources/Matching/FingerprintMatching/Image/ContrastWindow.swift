/// The part of a large image that shows the most: the columns and the rows with most contrast.
struct ContrastWindow {
  let columns: Range<Int>
  let rows: Range<Int>

  /// - Parameters:
  ///   - image: Any image.
  ///   - side: The most columns and rows that are kept.
  init(of image: FingerprintImage, side: Int) {
    guard image.width > side || image.height > side else {
      columns = 0..<image.width
      rows = 0..<image.height
      return
    }
    let contrast = Self.contrast(of: image)
    columns = Self.window(of: contrast.columns, length: side)
    rows = Self.window(of: contrast.rows, length: side)
  }

  /// The stretch of `length` entries with the largest sum, or all of them.
  private static func window(of contrast: [Int], length: Int) -> Range<Int> {
    guard contrast.count > length else { return 0..<contrast.count }
    var sum = contrast[..<length].reduce(0, +)
    var best = sum
    var start = 0
    for end in length..<contrast.count {
      sum += contrast[end] - contrast[end - length]
      if sum > best {
        best = sum
        start = end - length + 1
      }
    }
    return start..<start + length
  }

  /// The differences of neighbors in a row, summed over each column and each row.
  private static func contrast(of image: FingerprintImage) -> (columns: [Int], rows: [Int]) {
    var columns = [Int](repeating: 0, count: image.width)
    var rows = [Int](repeating: 0, count: image.height)
    let pixels = image.pixels.span
    for y in 0..<image.height {
      let row = pixels.extracting(y * image.width..<(y + 1) * image.width)
      for x in 1..<max(image.width, 1) {
        let difference = abs(Int(row[x]) - Int(row[x - 1]))
        columns[x] += difference
        rows[y] += difference
      }
    }
    return (columns, rows)
  }
}
