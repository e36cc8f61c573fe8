import CGTK

/// What this module adds to libadwaita's style sheet.
enum Style {
  /// For the display; once.
  static func load() { unsafe cgtk_load_style(sheet) }

  /// A row that a touch lights up, and no more than that.
  private static let sheet = """
    row.lit { background-color: alpha(@success_color, 0.35); }
    row { transition: background-color 300ms; }
    """
}
