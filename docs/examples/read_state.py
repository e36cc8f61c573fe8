#!/usr/bin/env python3
"""Reads a state folder of authcore with its root key and passcode alone, as docs/cryptography.md says.

  read_state.py HOME [PASSCODE-FILE [APP-PASSWORD-FILE]]     each item and each key as a line of JSON, secrets as Base64

It is a second implementation, to check the description by, and the way out for a folder whose programs are gone. Close the core
first: authcore --home HOME quit. Needs the package `cryptography`. Nothing is written.
"""
import base64, getpass, hashlib, hmac, io, json, os, sqlite3, struct, sys, unicodedata
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CLASSES = {1: "when-unlocked", 2: "after-first-unlock", 3: "when-passcode-set-this-device-only",
           4: "when-unlocked-this-device-only", 5: "after-first-unlock-this-device-only"}
KINDS = {1: "generic", 2: "internet", 3: "certificate", 4: "key", 5: "note"}
ATTRIBUTES = """service account label description comment creator type isInvisible isNegative generic
    securityDomain server protocol authenticationType port path certificateType certificateEncoding
    subject issuer serialNumber subjectKeyID publicKeyHash keyClass applicationLabel isPermanent
    applicationTag keyType keySizeInBits effectiveKeySize canEncrypt canDecrypt canDerive canSign
    canVerify canWrap canUnwrap tokenID startDate endDate""".split()
CONSTRAINTS = {1: "presence", 2: "biometry-any", 4: "biometry-current", 8: "passcode",
               16: "app-password"}
JUNCTIONS = {1: " and ", 2: " or "}
MARK = 20

class Unreadable(Exception):
    """What lies there is not what the description says, or needs another key."""

class Fields(io.BytesIO):
    """The data types of RFC 4251, read one after the other."""
    def take(self, count):
        taken = self.read(count)
        if len(taken) != count:
            raise Unreadable("it is cut short")
        return taken
    def byte(self): return self.take(1)[0]
    def uint32(self): return struct.unpack(">I", self.take(4))[0]
    def int64(self): return struct.unpack(">q", self.take(8))[0]
    def uint64(self): return struct.unpack(">Q", self.take(8))[0]
    def string(self): return self.take(self.uint32())
    def text(self): return self.string().decode()
    def optional(self, field): return field() if self.byte() else None
    def list(self, field): return [field() for _ in range(self.uint32())]
    def rest(self): return self.read()

def string(value):
    value = value.encode() if isinstance(value, str) else value
    return struct.pack(">I", len(value)) + value

# --- Primitives ---

def hkdf(key, purpose):
    pseudorandom = hmac.digest(bytes(32), key, "sha256")
    return hmac.digest(pseudorandom, b"authcore enclave 1 " + purpose.encode() + b"\1", "sha256")

def combine(first, second, purpose): return hkdf(string(first) + string(second), purpose)

def stretch(secret, salt, cost, block, lanes):
    memory = 128 * block * (cost + lanes + 2) + (1 << 20)
    return hashlib.scrypt(
        string(secret), salt=salt, n=cost, r=block, p=lanes, maxmem=memory, dklen=32)

def normalized(typed):
    """Passcodes are set in Unicode's form C; what is no text stays as it is."""
    try:
        return unicodedata.normalize("NFC", typed.decode()).encode()
    except UnicodeDecodeError:
        return typed

def open_sealed(key, sealed, associated):
    """AES-256-GCM: nonce (12), ciphertext, tag (16)."""
    try:
        return AESGCM(key).decrypt(sealed[:12], sealed[12:], associated)
    except (InvalidTag, ValueError) as error:
        raise Unreadable("it was changed, or sealed under another key") from error

# --- The enclave's folder ---

def read_root_key(path):
    fields = Fields(open(path, "rb").read())
    if fields.text() != "authcore root key" or fields.uint32() != 1:
        raise Unreadable(f"{path} is not a root key that lies in a file")
    return fields.string()

def read_sealed_file(path, magic, key):
    fields = Fields(open(path, "rb").read())
    if fields.text() != magic:
        raise Unreadable(f"{path} is not what its name says")
    version = fields.uint32()
    associated = string(magic) + struct.pack(">I", version)
    return version, Fields(open_sealed(key, fields.string(), associated))

class Keybag:
    """The class keys, the generations and the key of the finger set."""
    def __init__(self, folder, passcode):
        root = read_root_key(os.path.join(folder, "root.key"))
        self.index = hkdf(root, "index")
        self.marks = hkdf(root, "generation marks")
        version, fields = read_sealed_file(
            os.path.join(folder, "keybag"), "authcore keybag", hkdf(root, "keybag"))
        if version >= 2:
            fields.uint32()
        self.passcode = fields.optional(lambda: (
            fields.uint64(), fields.uint32(), fields.uint32(), fields.string(),
            fields.uint32() if version >= 3 else 0, fields.byte() if version >= 3 else 0,
            fields.optional(lambda: (fields.string(), fields.string()))
            if version >= 4 else None))
        classes = fields.list(lambda: (fields.byte(), fields.string()))
        access = fields.optional(fields.string)
        generations_key = fields.optional(fields.string) if version >= 2 else None
        generations = fields.string() if version >= 2 else b""
        self.fingers = fields.list(lambda: self.finger(fields, version))
        self.finger_set = fields.optional(fields.string)
        wrapping = self.wrapping_key(root, passcode)
        self.classes = {
            number: open_sealed(wrapping, wrapped, b"authcore class key" + bytes([number]))
            for number, wrapped in classes}
        self.access = access and open_sealed(wrapping, access, b"authcore access control key")
        self.generations = {}
        if generations_key:
            key = open_sealed(wrapping, generations_key, b"authcore generations key")
            listed = Fields(open_sealed(key, generations, b"authcore generations"))
            self.generations = dict(listed.list(lambda: (listed.uint32(), listed.string())))

    def finger(self, fields, version):
        identifier, slot, kind = fields.uint32(), fields.byte(), fields.byte()
        finger = {"id": f"{identifier:08x}", "slot": slot, "synthetic": bool(kind & 1),
                  "enrolledAt": fields.uint64(), "name": fields.text()}
        if version >= 6:
            chip = fields.optional(lambda: (fields.text(), fields.string(), fields.byte()))
            finger["kind"] = "chip" if chip else "image"
        return finger

    def wrapping_key(self, root, passcode):
        if self.passcode is None:
            return hkdf(root, "classes without passcode")
        cost, block, lanes, salt, _, is_normalized, guarded = self.passcode
        if guarded:
            raise Unreadable("its passcode is guarded by a TPM")
        given = normalized(passcode()) if is_normalized else passcode()
        stretched = stretch(given, salt, cost, block, lanes)
        return hkdf(combine(stretched, root, "passcode"), "classes with passcode")

    def class_key(self, number, mark):
        """The key of a class in the generation that a mark names; an empty mark names none."""
        key = self.classes.get(number)
        if key is None:
            raise Unreadable("its class went with the passcode")
        if not mark:
            return key
        generation = struct.unpack(">I", mark[:4])[0]
        if generation not in self.generations:
            raise Unreadable("it was sealed later than this keybag")
        return combine(key, self.generations[generation], "generation")

    def is_mark(self, mark):
        expected = hmac.digest(self.marks, mark[:4], "sha256")[:16]
        return len(mark) == MARK and hmac.compare_digest(mark[4:], expected)

# --- Items and private keys ---

class Sealed:
    """Attributes and a secret of a row, sealed for one purpose."""
    def facts_fields(self): return Fields(self.described(self.attributes, b"attributes"))

    def described(self, sealed, what):
        """Attributes or a certificate: what is sealed under the attribute key of its class."""
        mark = sealed[:MARK] if self.bag.is_mark(sealed[:MARK]) else b""
        key = hkdf(self.bag.class_key(self.accessibility, mark), "attributes")
        associated = b"authcore " + what + b" 1" + bytes([self.accessibility]) + self.identity
        return open_sealed(key, sealed[len(mark):], associated)

    @staticmethod
    def protection(fields):
        """Accessibility and access control among attributes."""
        facts = {"accessible": CLASSES[fields.byte()]}
        if control := fields.optional(lambda: fields.take(2)):
            names = [name for bit, name in CONSTRAINTS.items() if control[0] & bit]
            facts["access"] = JUNCTIONS[control[1]].join(names)
        return facts

    def opened(self, app_password):
        fields = Fields(self.secret)
        version = fields.byte()
        if version not in (1, 2, 3):
            raise Unreadable(f"it has version {version}")
        mark = fields.string() if version >= 2 else b""
        domain_state = fields.string()
        control = b"\1" + self.control if self.control else b"\0"
        associated = (string(self.name) + bytes([self.accessibility]) + control
                      + string(self.identity) + string(domain_state))
        if version == 3:
            cost = fields.take(16)
            salt = fields.string()
            associated += cost + string(salt)
        wrapped_key, sealed = fields.string(), fields.string()
        wrapping = self.wrapping_key(self.bag.class_key(self.accessibility, mark))
        key = open_sealed(wrapping, wrapped_key, associated)
        if version == 3:
            if app_password is None:
                raise Unreadable("it needs its application password")
            stretched = stretch(app_password, salt, *struct.unpack(">QII", cost))
            key = open_sealed(combine(wrapping, stretched, "application password"), key, associated)
        return Fields(open_sealed(key, sealed, associated)).string()

    def wrapping_key(self, class_key):
        if not self.control:
            return hkdf(class_key, self.purpose)
        if self.bag.access is None:
            raise Unreadable("what opens it went with the passcode")
        key = combine(class_key, self.bag.access, self.purpose)
        constraints, junction = self.control
        if not (constraints & 4 and junction == 1):
            return key
        if self.bag.finger_set is None:
            raise Unreadable("its set of fingers is gone")
        return combine(key, self.bag.finger_set, self.purpose)

class Item(Sealed):
    """A row of the table of items."""
    name, purpose = "authcore item 1", "items"
    columns = "identifier, accessGroup, class, accessibility, accessControl, sealedAttributes, sealedSecret"

    def __init__(self, bag, row):
        self.bag = bag
        (identifier, application, kind, self.accessibility, self.control, self.attributes,
         self.secret) = row
        self.kind, self.identity = KINDS[kind], identifier + bytes([kind]) + application

    def opened(self, app_password):
        if self.kind == "certificate":
            return self.described(self.secret, b"certificate")
        return super().opened(app_password)

    def facts(self):
        fields = self.facts_fields()
        if fields.getvalue()[0] == 0:
            # Of when there were generic items alone: the first byte is of a length.
            facts = {"id": fields.text(), "class": KINDS[fields.byte()], "service": fields.text(),
                     "account": fields.text(), "label": fields.text()}
            return facts | self.protection(fields)
        if fields.byte() != 2:
            raise Unreadable("its attributes are of a later version")
        facts = {"id": fields.text(), "class": KINDS[fields.byte()]}
        for _ in range(fields.uint32()):
            name, form = ATTRIBUTES[fields.byte() - 1], fields.byte()
            facts[name] = (fields.text() if form == 1 else fields.int64() if form == 3
                           else base64.b64encode(fields.string()).decode())
        facts["group"], facts["synchronizable"] = fields.text(), bool(fields.byte())
        facts |= self.protection(fields)
        fields.uint64(), fields.uint64()  # when it was added and changed
        return facts | {"sharedWith": [fields.text() for _ in range(fields.uint32())]}

    def revealed(self, secret):
        name = "certificate" if self.kind == "certificate" else "secret"
        return {name: base64.b64encode(secret).decode()}

class Key(Sealed):
    """A row of the table of private keys."""
    name, purpose = "authcore private key 1", "private keys"
    columns = "identifier, application, name, accessibility, accessControl, sealedAttributes, sealedKey"

    def __init__(self, bag, row):
        self.bag = bag
        (identifier, application, name, self.accessibility, self.control, self.attributes,
         self.secret) = row
        self.identity = identifier + bytes([132]) + application + name

    def facts(self):
        fields = self.facts_fields()
        is_first = fields.getvalue()[0] == 0
        if not is_first and fields.byte() != 2:
            raise Unreadable("its attributes are of a later version")
        facts = {"id": fields.text(), "key": fields.text()}
        if not is_first:
            facts |= {"tag": base64.b64encode(fields.string()).decode(), "label": fields.text(),
                      "group": fields.text()}
        facts |= self.protection(fields)
        fields.uint64()
        return facts | {"publicKey": base64.b64encode(fields.string()).decode()}

    def revealed(self, secret):
        scalar = int.from_bytes(secret[:32], "big")
        point = ec.derive_private_key(scalar, ec.SECP256R1()).public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint)
        if len(secret) != 97 or point != secret[32:]:
            raise Unreadable("its two halves do not belong together")
        return {"privateKey": base64.b64encode(secret[:32]).decode()}

def rows(home, bag):
    path = os.path.abspath(os.path.join(home, "keychain", "keychain.sqlite"))
    # Without a log nobody writes it, and SQLite need not make one to read.
    how = "mode=ro" if os.path.exists(path + "-wal") else "mode=ro&immutable=1"
    database = sqlite3.connect(f"file:{path}?{how}", uri=True)
    try:
        tables = {name for name, in database.execute("SELECT name FROM sqlite_master")}
        for table, kind in ("items", Item), ("keys", Key):
            if table in tables:
                names = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
                # Of when there were no groups.
                columns = kind.columns if "application" not in names else (
                    kind.columns.replace("accessGroup", "application"))
                for row in database.execute(f"SELECT {columns} FROM {table} ORDER BY sequence"):
                    yield kind(bag, row)
    finally:
        database.close()

def line_of(path):
    """What a file holds, without the newline at its end."""
    given = open(path, "rb").read()
    return given[:-1] if given.endswith(b"\n") else given

def main(home, passcode_file=None, app_password_file=None):
    def passcode():
        if passcode_file is None:
            return getpass.getpass("Passcode: ").encode()
        return line_of(passcode_file)
    try:
        bag = Keybag(os.path.join(home, "enclave"), passcode)
    except (OSError, Unreadable) as error:
        sys.exit(f"the enclave's folder in {home} cannot be opened: {error}")
    app_password = normalized(line_of(app_password_file)) if app_password_file else None
    failed = 0
    for row in rows(home, bag):
        line = {}
        try:
            line |= row.facts()
            line |= row.revealed(row.opened(app_password))
        except Unreadable as error:
            line["error"], failed = str(error), 1
        print(json.dumps(line, ensure_ascii=False))
    sys.exit(failed)

if __name__ == "__main__":
    main(*sys.argv[1:]) if 2 <= len(sys.argv) <= 4 else sys.exit(__doc__)
