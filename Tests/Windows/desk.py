#!/usr/bin/env python3
"""A desk for tests of windows: an X server without a screen, a session bus, and the accessibility
bus, which end with this program. It drives programs as a screen reader and a keyboard do.

Reads a JSON object per line from standard input and answers each with a line: {"ok": …} or
{"error": "…"}. `do` is one of:

  start    program, arguments, environment: starts another program; the others look at the windows
           of all
  find     role, name (both optional), seconds: waits until such a widget is shown
  gone     the same: waits until none is shown
  becomes  the same, to: waits until the widget found has that name, even for a moment
  press    the same: presses it, as a screen reader does
  focus    the same: gives it the keyboard
  write    the same, text: replaces a text that is not secret
  type     text: types it on the keyboard
  key      name: presses a key, as XKeysymToString calls it; `held`: another key held meanwhile
  tree     describes everything that is shown
  picture  file: the windows on the screen, as PNG
  startable    ok: the names that the session bus may start
  locked   path: waits until a process holds a lock on this file (flock(2))
  kill     ends the program started first (SIGKILL)
  wait     seconds: waits for the end of the program started last; ok: its exit status

DESK_SIZE and DESK_DPI of the environment are the size of the screen and its dots per inch.
"""
import ctypes
import ctypes.util
import fcntl
import json
import mmap
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

SIZE = os.environ.get("DESK_SIZE", "900x760")
# In seconds. Only a failing test waits so long, also on a busy machine.
TIMEOUT = 180.0
# Nothing but the accessibility bus starts on it: no keyring, portal or settings of the machine's desktop.
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir={folder}</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{folder}/services</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


class Desk:
    def __init__(self):
        self.screen = [int(side) for side in SIZE.split("x")]
        # Orphans of children become children of this process, which ends them: the launcher of the accessibility bus starts a daemon that
        # would outlive both (PR_SET_CHILD_SUBREAPER of linux/prctl.h).
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
        self.folder = tempfile.mkdtemp(prefix="desk-")
        self.children = []
        self.programs = []
        self.program = None
        self.log = None
        reading, writing = os.pipe()
        self.children.append(subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", SIZE + "x24", "-fbdir", self.folder,
             "-nolisten", "tcp", "-noreset"],
            pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        os.close(writing)
        with os.fdopen(reading) as stream:
            number = stream.readline().strip()
        if not number:
            raise RuntimeError("Xvfb does not start")
        with open(os.path.join(self.folder, "Xvfb_screen0"), "rb") as screen:
            self.pixels = mmap.mmap(screen.fileno(), 0, prot=mmap.PROT_READ)
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": self.folder, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8",
            "DISPLAY": ":" + number, "XDG_RUNTIME_DIR": self.folder, "XDG_CONFIG_HOME": self.folder,
            "XDG_CACHE_HOME": self.folder, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo",
            "GSETTINGS_BACKEND": "memory", "GIO_USE_VFS": "local", "XDG_DATA_DIRS": "/usr/share",
        }
        with open(os.path.join(self.folder, "bus.conf"), "w", encoding="utf-8") as file:
            file.write(BUS.format(folder=self.folder))
        os.mkdir(os.path.join(self.folder, "services"))
        shutil.copy("/usr/share/dbus-1/services/org.a11y.Bus.service", os.path.join(self.folder, "services"))
        bus = subprocess.Popen(
            ["dbus-daemon", "--config-file=" + self.folder + "/bus.conf", "--nofork", "--print-address=1"],
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.children.append(bus)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        os.environ.update(self.environment)
        import gi
        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi, GLib
        self.atspi = Atspi
        self.loop = GLib.MainContext.default()
        Atspi.init()
        Atspi.set_timeout(60_000, 60_000)
        self.x = ctypes.CDLL(ctypes.util.find_library("X11"))
        self.xtst = ctypes.CDLL(ctypes.util.find_library("Xtst"))
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        self.x.XKeysymToString.restype = ctypes.c_char_p
        self.x.XStringToKeysym.restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(None))
        if "DESK_DPI" in os.environ:
            self.set_resolution(int(os.environ["DESK_DPI"]))

    def close(self):
        for program in self.programs:
            if program.poll() is None:
                program.kill()
                program.wait()
        for child in reversed(self.children):
            child.send_signal(signal.SIGTERM)
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                child.kill()
        self.end_heirs()
        shutil.rmtree(self.folder, ignore_errors=True)

    @staticmethod
    def end_heirs():
        """Ends orphans until this process has no child."""
        while True:
            with open(f"/proc/self/task/{os.getpid()}/children") as file:
                for heir in file.read().split():
                    os.kill(int(heir), signal.SIGKILL)
            try:
                os.wait()
            except ChildProcessError:
                return

    def set_resolution(self, dots):
        """Announces dots per inch as a desktop's settings do (XSETTINGS, freedesktop.org)."""
        name = b"Xft/DPI"
        settings = (struct.pack("<B3xII", 0, 1, 1) + struct.pack("<BxH", 0, len(name)) + name
                    + bytes(-len(name) % 4) + struct.pack("<Ii", 1, dots * 1024))
        x, display = self.x, self.display
        for function in (x.XInternAtom, x.XDefaultRootWindow, x.XCreateSimpleWindow):
            function.restype = ctypes.c_ulong
        root = ctypes.c_ulong(x.XDefaultRootWindow(display))
        owner = ctypes.c_ulong(x.XCreateSimpleWindow(display, root, -1, -1, 1, 1, 0, 0, 0))
        atom = lambda text: ctypes.c_ulong(x.XInternAtom(display, text, 0))
        kind = atom(b"_XSETTINGS_SETTINGS")
        x.XChangeProperty(display, owner, kind, kind, 8, 0, settings, len(settings))
        x.XSetSelectionOwner(display, atom(b"_XSETTINGS_S0"), owner, ctypes.c_ulong(0))
        x.XSync(display, 0)

    # Programs

    def do_start(self, program, arguments=(), environment=None):
        self.log = open(os.path.join(self.folder, "log"), "wb+")
        self.program = subprocess.Popen(
            [program, *arguments], env={**self.environment, **(environment or {})},
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)
        self.programs.append(self.program)
        return self.program.pid

    def do_startable(self):
        from gi.repository import Gio
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        return bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListActivatableNames",
                             None, None, Gio.DBusCallFlags.NONE, -1)[0]

    def do_kill(self):
        self.programs[0].kill()
        self.programs[0].wait()

    def do_wait(self, seconds=TIMEOUT):
        status = self.program.wait(seconds)
        return {"status": status, "output": self.output()}

    def do_locked(self, path, seconds=TIMEOUT):
        def is_locked():
            try:
                with open(path) as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except FileNotFoundError:
                return False
            except BlockingIOError:
                return True
            return False
        self.until(is_locked, f"no lock on {path}", seconds)

    def output(self):
        self.log.flush()
        with open(os.path.join(self.folder, "log"), "rb") as log:
            return log.read().decode("utf-8", "replace")

    # Widgets

    def shown(self):
        """All widgets of the programs that are shown, outer ones first."""
        processes = {program.pid for program in self.programs}
        found = []
        desktop = self.atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            application = desktop.get_child_at_index(index)
            if application is not None and application.get_process_id() in processes:
                # Cached values are stale.
                application.set_cache_mask(self.atspi.Cache.NONE)
                self.collect(application, found)
        return found

    def collect(self, widget, found, depth=0):
        if depth > 0 and not self.is_shown(widget):
            return
        found.append((widget, depth))
        for index in range(widget.get_child_count()):
            child = widget.get_child_at_index(index)
            if child is not None:
                self.collect(child, found, depth + 1)

    def is_shown(self, widget):
        """GTK 4.8 says of windows only whether they are showing; what has no room is on a page that
        is not shown."""
        if not widget.get_state_set().contains(self.atspi.StateType.VISIBLE):
            return False
        try:
            extents = widget.get_extents(self.atspi.CoordType.WINDOW)
        except Exception as error:  # GTK takes ten times as long to list a widget's interfaces.
            if "No such interface" in str(error):
                return True  # A page, which is not drawn itself.
            raise
        return extents.width > 0 and extents.height > 0

    def matching(self, role, name):
        try:
            return [widget for widget, _ in self.shown()
                    if (role is None or widget.get_role_name() == role)
                    # libadwaita 1.2 names the answers of its dialogs twice.
                    and (name is None or widget.get_name() in (name, f"{name} {name}"))]
        except Exception:  # A widget disappeared meanwhile.
            return []

    def until(self, condition, what, seconds, pause=0.02, rest=0.0):
        """Looks again at once if the screen has changed since the last look began, and after `rest` seconds in any case: a look at all
        widgets costs a hundred times what a look at the screen does."""
        end = time.monotonic() + seconds
        while True:
            while self.loop.pending():
                self.loop.iteration(False)
            began, screen = time.monotonic(), self.pixels[:]
            result = condition()
            if result:
                return result
            if self.program.poll() is not None:
                raise RuntimeError(f"{what}: the program ended with {self.program.returncode}\n"
                                   + self.output())
            if time.monotonic() > end:
                raise RuntimeError(f"{what} within {seconds} s; shown:\n{self.do_tree()}"
                                   f"\n{self.output()}")
            time.sleep(pause)
            while time.monotonic() < began + rest and self.pixels[:] == screen:
                time.sleep(pause)

    def find(self, role, name, seconds=TIMEOUT):
        return self.until(lambda: self.matching(role, name), f"no {role} “{name}”", seconds, rest=0.5)[0]

    def do_find(self, role=None, name=None, seconds=TIMEOUT):
        widget = self.find(role, name, seconds)
        states = widget.get_state_set()
        kinds = self.atspi.StateType
        extents = widget.get_extents(self.atspi.CoordType.WINDOW)
        return {"name": widget.get_name(), "description": widget.get_description(),
                "text": self.text(widget), "enabled": bool(states.contains(kinds.SENSITIVE)),
                "focused": bool(states.contains(kinds.FOCUSED)),
                "right": extents.x + extents.width, "bottom": extents.y + extents.height}

    def text(self, widget):
        if "Text" not in widget.get_interfaces():
            return None
        return self.atspi.Text.get_text(widget, 0, self.atspi.Text.get_character_count(widget))

    def do_gone(self, role=None, name=None, seconds=TIMEOUT):
        self.until(lambda: not self.matching(role, name), f"still a {role} “{name}”", seconds, rest=0.5)

    def do_becomes(self, to, role=None, name=None, seconds=TIMEOUT):
        # It asks this widget alone: a look at all of them may take longer than the name lasts.
        widget = self.find(role, name, seconds)
        self.until(lambda: widget.get_name() == to, f"the {role} “{name}” does not become “{to}”", seconds, 0.005)

    def do_press(self, role=None, name=None, seconds=TIMEOUT):
        widget = self.find(role, name, seconds)
        if ("Action" not in widget.get_interfaces()
                or not self.atspi.Action.do_action(widget, 0)):
            raise RuntimeError(f"the {role} “{name}” cannot be pressed")

    def do_focus(self, role=None, name=None, seconds=TIMEOUT):
        widget = self.find(role, name, seconds)
        if not self.atspi.Component.grab_focus(widget):
            raise RuntimeError(f"the {role} “{name}” takes no keys")

    def do_write(self, role=None, name=None, text="", seconds=TIMEOUT):
        widget = self.find(role, name, seconds)
        if not self.atspi.EditableText.set_text_contents(widget, text):
            raise RuntimeError(f"the {role} “{name}” cannot be written to")

    def do_tree(self):
        lines = []
        for widget, depth in self.shown():
            text = self.text(widget)
            lines.append("  " * depth + f"{widget.get_role_name()} “{widget.get_name()}”"
                         + (f" = {text!r}" if text and text != widget.get_name() else ""))
        return "\n".join(lines)

    # Keys

    def do_type(self, text):
        self.arrange()
        for letter in text:
            self.atspi.generate_keyboard_event(0, letter, self.atspi.KeySynthType.STRING)

    def do_key(self, name, held=None):
        self.arrange()
        codes = [self.code(key) for key in ([held] if held else []) + [name]]
        for code in codes:
            self.xtst.XTestFakeKeyEvent(self.display, code, 1, 0)
        for code in reversed(codes):
            self.xtst.XTestFakeKeyEvent(self.display, code, 0, 0)
        self.x.XSync(self.display, 0)

    def code(self, name):
        symbol = self.x.XStringToKeysym(name.encode())
        code = self.x.XKeysymToKeycode(self.display, ctypes.c_ulong(symbol))
        if symbol == 0 or code == 0:
            raise RuntimeError(f"there is no key {name}")
        return code

    def arrange(self):
        """There is no window manager: windows are put into the middle, and the newest has the keys.
        Returns the edges of what is shown: left, top, right, bottom."""
        edges = [*self.screen, 0, 0]
        root, parent, count = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_uint()
        children = ctypes.POINTER(ctypes.c_ulong)()
        top = self.x.XDefaultRootWindow(self.display)
        self.x.XQueryTree(self.display, ctypes.c_ulong(top), ctypes.byref(root),
                          ctypes.byref(parent), ctypes.byref(children), ctypes.byref(count))
        newest = None
        for index in range(count.value):
            window = ctypes.c_ulong(children[index])
            size = self.size_if_viewable(window)
            if size:
                newest = window
                places = [max(0, (whole - part) // 2) for whole, part in zip(self.screen, size)]
                self.x.XMoveWindow(self.display, window, *places)
                ends = [min(whole, at + part)
                        for whole, at, part in zip(self.screen, places, size)]
                edges = [min(edges[0], places[0]), min(edges[1], places[1]),
                         max(edges[2], ends[0]), max(edges[3], ends[1])]
        if newest is not None:
            self.x.XSetInputFocus(self.display, newest, 1, ctypes.c_ulong(0))
        self.x.XWarpPointer(self.display, None, ctypes.c_ulong(top), 0, 0, 0, 0, *self.screen)
        self.x.XSync(self.display, 0)
        return edges

    def size_if_viewable(self, window):
        # XWindowAttributes: width and height are the ints at 8 and 12, map_state that at 92, which is
        # 2 where it is viewable.
        attributes = (ctypes.c_char * 256)()
        self.x.XGetWindowAttributes(self.display, window, attributes)
        size = struct.unpack_from("ii", attributes, 8)
        is_viewable = struct.unpack_from("i", attributes, 92)[0] == 2
        return size if is_viewable and min(size) > 10 else None

    # Pictures

    def do_picture(self, file):
        """Xvfb keeps its screen in a file of xwd(1): a header of big-endian words, then pixels."""
        left, top, right, bottom = self.arrange()
        time.sleep(0.3)  # Moved windows are redrawn.
        content = self.pixels[:]
        header = struct.unpack(">25I", content[:100])
        size, stride, colors = header[0], header[12], header[19]
        pixels = content[size + colors * 12:]
        rows = bytearray()
        for y in range(top, bottom):
            row = pixels[y * stride + left * 4:y * stride + right * 4]
            line = bytearray((right - left) * 3)
            line[0::3], line[1::3], line[2::3] = row[2::4], row[1::4], row[0::4]
            rows += b"\0" + line

        def chunk(kind, data):
            return (struct.pack(">I", len(data)) + kind + data
                    + struct.pack(">I", zlib.crc32(kind + data)))

        with open(file, "wb") as picture:
            picture.write(b"\x89PNG\r\n\x1a\n"
                          + chunk(b"IHDR", struct.pack(">IIBBBBB", right - left, bottom - top,
                                                 8, 2, 0, 0, 0))
                          + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


def main():
    desk = Desk()
    try:
        print(json.dumps({"ok": None}), flush=True)
        for line in sys.stdin:
            request = json.loads(line)
            action = getattr(desk, "do_" + request.pop("do"))
            try:
                answer = {"ok": action(**request)}
            except Exception as error:  # The test reports it.
                answer = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(answer), flush=True)
    finally:
        desk.close()


if __name__ == "__main__":
    main()
