import CGTK4
import ChoreKeeping
import Foundation

let program = ChoresProgram(file: ChoreFile(), owner: DeviceOwner())
guard let application = adw_application_new("org.authcore.Chores", G_APPLICATION_NON_UNIQUE) else {
  exit(1)
}
let window = ChoresWindow(program)

// GTK calls back on the thread that runs it, which is this one.
chores_connect(
  application, "activate",
  { application, _ in
    guard let application else { return }
    let opened = application.assumingMemoryBound(to: GtkApplication.self)
    MainActor.assumeIsolated { window.open(in: opened) }
  }, nil)
let running = UnsafeMutableRawPointer(application).assumingMemoryBound(to: GApplication.self)
exit(g_application_run(running, 0, nil))
