#!/usr/bin/env python3
"""A client of authcore in Python's standard library alone, written from docs/protocol.md.

  authcore_client.py HOME status         what the core says about the device, as JSON
  authcore_client.py HOME unlock         with a passcode: asked for, or a line of standard input
  authcore_client.py HOME add SERVICE    adds what standard input holds, behind a finger
  authcore_client.py HOME get SERVICE    opens it with a touch, and writes it to standard output

HOME is a state folder that a core serves. AUTHCORE_DRIVER names the driver of the reader. The items are
those of the application that Python is: authcore item lists its own.
"""
import getpass, io, json, os, socket, struct, sys, unicodedata

# Made by scripts/make-protocol.
VERSION = 7
FAILURE = 0
HELLO = 2
USE_DRIVER = 5
GET_STATUS = 6
PROMPT = 8
PROMPT_ANSWER = 9
PROGRESS = 11
ENGINE_REQUEST = 15
UNLOCK_DEVICE = 33
ADD_ITEM = 40
GET_ITEM = 44
PROMPT_ANSWER_SHOWN = 1
PROMPT_ANSWER_CANCEL = 2
PROMPT_ANSWER_FALLBACK = 3
PROMPT_ANSWER_PASSCODE = 4
PROMPT_ANSWER_NO_PASSCODE = 5
PROMPT_ANSWER_HARMLESS_PASSCODE = 6
PROMPTED_SECRET_PASSCODE = 1
PROMPTED_SECRET_APP_PASSWORD = 2
ADDRESSED_ENGINE_KEYCHAIN = 1
ADDRESSED_ENGINE_ENCLAVE = 2
OWNER_INTERACTION_ALLOWED = 1
OWNER_INTERACTION_FORBIDDEN = 2
AWAITED_TOUCH_NONE = 1
AWAITED_TOUCH_PLAYED = 2
AWAITED_TOUCH_PERSON = 3
AWAITED_TOUCH_UNATTENDED = 4
ITEM_CLASS_GENERIC = 1
ITEM_CLASS_INTERNET = 2
ITEM_CLASS_CERTIFICATE = 3
ITEM_CLASS_KEY = 4
ITEM_CLASS_NOTE = 5
ACCESSIBILITY_WHEN_UNLOCKED = 1
ACCESSIBILITY_AFTER_FIRST_UNLOCK = 2
ACCESSIBILITY_WHEN_PASSCODE_SET_THIS_DEVICE_ONLY = 3
ACCESSIBILITY_WHEN_UNLOCKED_THIS_DEVICE_ONLY = 4
ACCESSIBILITY_AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY = 5
ATTRIBUTE_NAME_SERVICE = 1
ATTRIBUTE_NAME_LABEL = 3
HELLO_FIELDS = "us"
FAILURE_FIELDS = "isS"
PROMPT_FIELDS = "ubySSsuyySbsbSY"
PROMPT_ANSWER_FIELDS = "uyss"
PROMPT_OPTIONS_FIELDS = "sSSubybbbS"
CORE_STATUS_FIELDS = "bSSS"
CORE_STATUS_FIELDS_AFTER_SENSOR = "Ysssbuuuuubbbubssbb"
CORE_STATUS_NAMES = [
    "isService", "driverName", "driverPath", "device", "sensor", "absence", "enclavePath",
    "keychainPath", "policyPath", "isPasscodeSet", "passcodeDelay", "eraseAfter", "wrongPasscodes",
    "fingers", "matchableFingers", "isLocked", "isFirstUnlocked", "isLockedOut", "misses",
    "isBiometricUnlockArmed", "rootKey", "domainState", "isMemoryLocked", "isRollbackDetected"
]
SENSOR_FACTS_FIELDS = "suuuyb"
# End of what scripts/make-protocol makes.

NO_CONTEXT, BIOMETRY_CURRENT, AND = 0, 4, 1
SERVICE, LABEL, TEXT, NUMBER = ATTRIBUTE_NAME_SERVICE, ATTRIBUTE_NAME_LABEL, 1, 3  # attributes, and what they hold
HAPPENED = {1: "touch the sensor", 2: "try again", 3: "not recognized", 4: "recognized"}
# A field is a letter: s for a string, or one of these; a capital for an optional field.
SIZED = {"y": ">B", "b": ">?", "u": ">I", "i": ">i", "t": ">Q", "d": ">d", "a": ">2s"}  # a: access control

def write(fields, *values):
    def one(field, value):
        if field.isupper():
            return b"\0" if value is None else b"\1" + one(field.lower(), value)
        if field == "s":
            value = value.encode() if isinstance(value, str) else value
            return one("u", len(value)) + value
        return struct.pack(SIZED[field], value)
    return b"".join(map(one, fields, values))

def read(stream, fields):
    def one(field):
        if field.isupper():
            return one(field.lower()) if one("b") else None
        if field == "s":
            return stream.read(one("u"))
        value = stream.read(struct.calcsize(SIZED[field])) or sys.exit("the core has gone")
        return struct.unpack(SIZED[field], value)[0]
    return [one(field) for field in fields]

def fail(message):
    code, text, hint = read(message, FAILURE_FIELDS)
    sys.exit(f"{text.decode()} ({code})\n{(hint or b'').decode()}".strip())

class Core:
    def __init__(self, home):
        folder, self.request_id = os.open(home, os.O_RDONLY | os.O_DIRECTORY), 0
        if os.fstat(folder).st_uid != os.getuid() or os.fstat(folder).st_mode & 0o77:
            sys.exit(f"{home} is not a folder that only you may enter")
        self.socket, path = socket.socket(socket.AF_UNIX), f"/proc/self/fd/{folder}/core.sock"
        if self.socket.connect_ex(path) != 0:
            sys.exit(f"no core serves {home}: start authcored --home {home} --on-demand")
        peer = self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        if struct.unpack("3i", peer)[1] != os.getuid():
            sys.exit("the core belongs to somebody else")
        self.stream = self.socket.makefile("rb")
        self.request(HELLO, write(HELLO_FIELDS, VERSION, "an example in Python"))

    def send(self, number, fields):
        self.socket.sendall(write("s", write("yu", number, self.request_id) + fields))

    def request(self, number, fields=b""):
        """Sends a request and answers its prompts. Gives the fields of its reply."""
        self.request_id += 1
        self.send(number, fields)
        while True:
            message = io.BytesIO(read(self.stream, "s")[0])
            number, _ = read(message, "yu")
            if number == FAILURE:
                fail(message)
            elif number == PROMPT:
                prompt, awaits_touch, *_, secret = read(message, PROMPT_FIELDS)[:8]
                self.answer(prompt, awaits_touch, secret)
            elif number == PROGRESS:
                print(HAPPENED.get(read(message, "y")[0], "…"), file=sys.stderr)
            else:
                return message

    def answer(self, prompt, awaits_touch, secret):
        typed = b"" if awaits_touch or secret != PROMPTED_SECRET_PASSCODE else ask_passcode()
        given = PROMPT_ANSWER_PASSCODE if typed else PROMPT_ANSWER_NO_PASSCODE
        kind = PROMPT_ANSWER_SHOWN if awaits_touch else given
        passcode = normalized(typed)
        as_typed = b"" if passcode == typed else typed
        self.send(PROMPT_ANSWER, write(PROMPT_ANSWER_FIELDS, prompt, kind, passcode, as_typed))

    def ask_keychain(self, message, reason):
        fields = write("yt", ADDRESSED_ENGINE_KEYCHAIN, NO_CONTEXT) + options(reason)
        unlocks_first = False
        fields += write("ybs", OWNER_INTERACTION_ALLOWED, unlocks_first, message)
        return self.request(ENGINE_REQUEST, fields)

def normalized(typed):
    """Passcodes are set in Unicode's form C; what is no text stays as it is."""
    try:
        return unicodedata.normalize("NFC", typed.decode()).encode()
    except UnicodeDecodeError:
        return typed

def ask_passcode():
    if sys.stdin.isatty():
        return getpass.getpass("Passcode: ").encode()
    return sys.stdin.buffer.readline().rstrip(b"\n")

def options(reason, prefers_passcode=False):
    touch = AWAITED_TOUCH_PERSON if sys.stdin.isatty() else AWAITED_TOUCH_PLAYED
    return write(
        PROMPT_OPTIONS_FIELDS, reason, None, None, 30_000, True, touch, True, prefers_passcode, False, None)

def status(reply):
    facts = read(reply, CORE_STATUS_FIELDS)
    facts.append(read(reply, SENSOR_FACTS_FIELDS) if read(reply, "b")[0] else None)
    return dict(zip(CORE_STATUS_NAMES, facts + read(reply, CORE_STATUS_FIELDS_AFTER_SENSOR)))

def read_item(stream):
    """Attributes of an item, which are shown nowhere here."""
    read(stream, "sy")
    for _ in range(read(stream, "u")[0]):
        _, form = read(stream, "yy")
        read(stream, "t" if form == NUMBER else "s")
    *_, shares = read(stream, "sbyAttu")
    read(stream, "s" * shares)

def main(home, command, service=""):
    core = Core(home)
    if driver := os.environ.get("AUTHCORE_DRIVER"):
        core.request(USE_DRIVER, write("su", driver, 0))
    if command == "status":
        print(json.dumps(status(core.request(GET_STATUS)), default=lambda it: it.decode(errors="backslashreplace")))
    elif command == "unlock":
        core.request(UNLOCK_DEVICE, options("unlock the device", prefers_passcode=True))
    elif command == "add":
        secret, guard = sys.stdin.buffer.read(), bytes([BIOMETRY_CURRENT, AND])
        item = write("sy", "", ITEM_CLASS_GENERIC)
        item += write("uyysyys", 2, SERVICE, TEXT, service, LABEL, TEXT, service)
        item += write("sbyAttu", "", False, ACCESSIBILITY_WHEN_UNLOCKED_THIS_DEVICE_ONLY, guard, 0, 0, 0)
        core.ask_keychain(write("y", ADD_ITEM) + item + write("s", secret), "")
    elif command == "get":
        query = write("yuSY", GET_ITEM, 0, None, None)
        query += write("uyysu", 1, SERVICE, TEXT, service, 0) + write("SBY", None, False, None)
        reply = core.ask_keychain(query, f"open {service}")
        read_item(reply)
        sys.stdout.buffer.write(read(reply, "s")[0])

if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) in (3, 4) else sys.exit(__doc__)
