/// A Markdown table that is also readable as plain text: the first column from the left, the others
/// from the right.
struct MarkdownTable: CustomStringConvertible {
  let head: [String]
  /// Each with as many cells as `head`.
  let rows: [[String]]

  var description: String {
    let cells = [head] + rows
    let widths = head.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    var lines = cells.map { row in
      let padded = row.enumerated().map { column, cell in
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + blanks : blanks + cell
      }
      return "| " + padded.joined(separator: " | ") + " |"
    }
    let rule = widths.enumerated().map { column, width in
      String(repeating: "-", count: column == 0 ? width + 2 : width + 1) + (column == 0 ? "" : ":")
    }
    lines.insert("|" + rule.joined(separator: "|") + "|", at: 1)
    return lines.joined(separator: "\n")
  }
}
