import CGTK
import WindowContents

/// A line of a group that says yes or no to something.
package final class SwitchRow: Widget {
  private let toggle: ObjectReference

  package init(title: String, subtitle: String = "", isOn: Bool) {
    guard let toggle = unsafe gtk_switch_new() else {
      preconditionFailure("GTK makes every widget it is asked for")
    }
    self.toggle = unsafe ObjectReference(sinking: toggle)
    unsafe super.init(adw_action_row_new())
    let row = unsafe object.as(AdwActionRow.self)
    unsafe adw_preferences_row_set_title(object.as(AdwPreferencesRow.self), title.asMarkup)
    unsafe adw_action_row_set_subtitle(row, subtitle.asMarkup)
    unsafe adw_action_row_set_subtitle_lines(row, 0)
    unsafe gtk_widget_set_valign(toggle, GTK_ALIGN_CENTER)
    unsafe adw_action_row_add_suffix(row, toggle)
    unsafe adw_action_row_set_activatable_widget(row, toggle)
    unsafe gtk_switch_set_active(self.toggle.opaque, isOn ? 1 : 0)
  }

  package var isOn: Bool { unsafe gtk_switch_get_active(toggle.opaque) != 0 }
}
