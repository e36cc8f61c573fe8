/// A picture of pixels that are set or not.
struct Mask: Equatable {
  let width: Int
  let height: Int
  /// `width * height` pixels, row after row.
  let isSet: [Bool]

  private var sums: SummedArea {
    SummedArea(width: width, height: height, values: isSet.map { $0 ? 1 : 0 })
  }

  private func mapped(_ value: (_ x: Int, _ y: Int) -> Bool) -> Mask {
    Mask(
      width: width, height: height,
      isSet: isSet.indices.map { value($0 % width, $0 / width) })
  }

  /// Set where any pixel of the square around it is.
  func dilated(by side: Int) -> Mask {
    let sums = sums
    return mapped { sums.sum(around: $0, $1, side: side).sum > 0 }
  }

  /// Set where all pixels of the square around it are that lie in the picture.
  func eroded(by side: Int) -> Mask {
    let sums = sums
    return mapped { x, y in
      let (sum, count) = sums.sum(around: x, y, side: side)
      return sum == count
    }
  }

  /// The largest part that hangs together by sides of pixels; the first in row order of equal ones.
  var largestPart: Mask {
    var part = [Int](repeating: 0, count: isSet.count)
    var (parts, largest, size) = (0, 0, 0)
    for start in isSet.indices where isSet[start] && part[start] == 0 {
      parts += 1
      part[start] = parts
      var (open, count) = ([start], 0)
      func visit(_ next: Int, if isInside: Bool) {
        guard isInside, isSet[next], part[next] == 0 else { return }
        part[next] = parts
        open.append(next)
      }
      while let pixel = open.popLast() {
        count += 1
        let x = pixel % width
        visit(pixel - 1, if: x > 0)
        visit(pixel + 1, if: x + 1 < width)
        visit(pixel - width, if: pixel >= width)
        visit(pixel + width, if: pixel + width < isSet.count)
      }
      if count > size { (largest, size) = (parts, count) }
    }
    return Mask(width: width, height: height, isSet: part.map { $0 > 0 && $0 == largest })
  }
}
