import CGTK

/// How far something has come.
package final class ProgressBar: Widget {
  package init(name: String) {
    unsafe super.init(gtk_progress_bar_new())
    setAccessibleName(name)
  }

  /// 0…1.
  package var share: Double {
    get { unsafe gtk_progress_bar_get_fraction(object.opaque) }
    set { unsafe gtk_progress_bar_set_fraction(object.opaque, newValue) }
  }
}
