#!/usr/bin/env python3
"""Reads a backup of authcore with its passphrase alone, as docs/backup-format.md says.

  read_backup.py FILE [PASSPHRASE-FILE]     each item as a line of JSON, secrets and certificates as Base64; at the end the counts

It is a second implementation, to check the description by, and the way out for a file whose program is gone. One record at a time is in
memory. Needs the package `cryptography`.
"""
import base64, getpass, hashlib, hmac, io, json, struct, sys, unicodedata
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

HEADER = 140
MOST_MEMORY = 272 << 20
# Sealed bytes of an item with a secret, of an end, of an item with a certificate, and of a guarded item, in each version of the format.
LONGEST = {1: {1: 65692, 2: 156}, 2: {1: 65692, 2: 156, 3: 1065116}, 3: {1: 65692, 2: 156, 3: 1065116, 4: 65692}}
ACCESSIBLE = {1: "when-unlocked", 2: "after-first-unlock"}
GUARDED = {3: "when-passcode-set-this-device-only", 4: "when-unlocked-this-device-only", 5: "after-first-unlock-this-device-only"}
CONSTRAINTS = {1: "presence", 2: "biometry-any", 4: "biometry-current", 8: "passcode", 16: "app-password"}
CLASSES = {1: "generic", 2: "internet", 3: "certificate", 4: "key", 5: "note"}

class Unreadable(Exception):
    """The file is not what the description says, or needs another passphrase."""

class Fields(io.BytesIO):
    """The data types of RFC 4251, read one after the other."""
    def take(self, count):
        taken = self.read(count)
        if len(taken) != count:
            raise Unreadable("a record is cut short")
        return taken
    def byte(self): return self.take(1)[0]
    def uint32(self): return struct.unpack(">I", self.take(4))[0]
    def uint64(self): return struct.unpack(">Q", self.take(8))[0]
    def int64(self): return struct.unpack(">q", self.take(8))[0]
    def string(self): return self.take(self.uint32())
    def text(self): return self.string().decode()
    def end(self):
        """Zeros up to the next multiple of 128 bytes."""
        used = self.tell()
        rest = self.read()
        if len(rest) != -used % 128 or any(rest):
            raise Unreadable("a record holds more than it should")

def hkdf(key, purpose):
    pseudorandom = hmac.digest(bytes(32), key, "sha256")
    return hmac.digest(pseudorandom, purpose + b"\1", "sha256")

def normalized(typed):
    """Passphrases are set in Unicode's form C; what is no text stays as it is."""
    try:
        return unicodedata.normalize("NFC", typed.decode()).encode()
    except UnicodeDecodeError:
        return typed

def read_header(header, passphrase):
    """The version, the record key, and what each record is bound to."""
    if not header.startswith(b"authcore backup\n"):
        raise Unreadable("this is not a backup of authcore")
    version = int.from_bytes(header[16:20], "big")
    if version not in LONGEST:
        raise Unreadable(f"version {version} of the format is not known here")
    if len(header) < HEADER or hashlib.sha256(header[:108]).digest() != header[108:]:
        raise Unreadable("the beginning of the file is damaged")
    cost, block, lanes = struct.unpack(">QII", header[28:44])
    memory = 128 * block * (cost + lanes + 2)
    if cost < 2 or cost & (cost - 1) or not block or not 1 <= lanes <= 4 or memory > MOST_MEMORY:
        raise Unreadable("the file asks for more memory than any that authcore wrote")
    stretched = hashlib.scrypt(
        struct.pack(">I", len(passphrase)) + passphrase, salt=header[44:76], n=cost, r=block, p=lanes,
        maxmem=memory + (1 << 20), dklen=32)
    check = hmac.digest(hkdf(stretched, b"authcore backup 1 check"), header[:76], "sha256")
    if not hmac.compare_digest(check, header[76:108]):
        raise Unreadable("the passphrase is another one")
    return version, hkdf(stretched, b"authcore backup 1 records"), header[108:]

def read_records(file, version, key, checksum):
    """Kind and contents of one record after the other, to the end, which has to be there."""
    number = 0
    while True:
        head = file.read(5)
        if len(head) != 5:
            raise Unreadable("the file is cut short")
        kind, count = struct.unpack(">BI", head)
        if count > LONGEST[version].get(kind, -1):
            raise Unreadable(f"record {number} is damaged")
        sealed = file.read(count)
        if len(sealed) != count:
            raise Unreadable("the file is cut short")
        associated = b"authcore backup 1 record" + checksum + struct.pack(">QB", number, kind)
        try:
            yield kind, number, Fields(AESGCM(key).decrypt(sealed[:12], sealed[12:], associated))
        except (InvalidTag, ValueError) as error:
            raise Unreadable(f"record {number} is damaged, or of another file") from error
        if kind == 2:
            break
        number += 1
    if file.read(1):
        raise Unreadable("the file goes on behind its end")

ATTRIBUTES = (
    "service account label description comment creator type isInvisible isNegative generic securityDomain server protocol "
    "authenticationType port path certificateType certificateEncoding subject issuer serialNumber subjectKeyID publicKeyHash "
    "keyClass applicationLabel isPermanent applicationTag keyType keySizeInBits effectiveKeySize canEncrypt canDecrypt canDerive "
    "canSign canVerify canWrap canUnwrap tokenID startDate endDate").split()

def read_value(fields):
    kind = fields.byte()
    if kind == 1: return fields.text()
    if kind == 2: return base64.b64encode(fields.string()).decode()
    if kind == 3: return fields.int64()
    raise Unreadable("an attribute is of no kind that is known here")

def access(constraints, junction):
    names = [name for bit, name in CONSTRAINTS.items() if constraints & bit]
    return (" and " if junction == 1 else " or ").join(names) + (" (strict)" if constraints & 128 else "")

def read_attributes(encoded):
    """As docs/cryptography.md says: version 2, or, where the first byte is 0, the form before it."""
    fields = Fields(encoded)
    item = {}
    if encoded[0] == 0:
        fields.text()
        item["class"] = CLASSES[fields.byte()]
        for name in ("service", "account", "label"):
            item[name] = fields.text()
    else:
        if fields.byte() != 2:
            raise Unreadable("attributes of a later version")
        fields.text()
        item["class"] = CLASSES[fields.byte()]
        for _ in range(fields.uint32()):
            name = ATTRIBUTES[fields.byte() - 1]
            item[name] = read_value(fields)
        item["group"] = fields.text()
        item["synchronizable"] = bool(fields.byte())
    fields.byte()
    if fields.byte():
        item["access"] = access(fields.byte(), fields.byte())
    item["created"], item["changed"] = fields.int64(), fields.int64()
    if encoded[0] == 2:
        item["sharedWith"] = [fields.text() for _ in range(fields.uint32())]
    if fields.read():
        raise Unreadable("attributes hold more than they should")
    return item

def main():
    with open(sys.argv[1], "rb") as file:
        if len(sys.argv) > 2:
            typed = open(sys.argv[2], "rb").read()
            typed = typed[:-1] if typed.endswith(b"\n") else typed
        else:
            typed = getpass.getpass("Passphrase: ").encode()
        version, key, checksum = read_header(file.read(HEADER), normalized(typed))
        for kind, number, fields in read_records(file, version, key, checksum):
            if kind != 2:
                accessible = fields.byte()
                guard = access(fields.byte(), fields.byte()) if kind == 4 else None
                attributes, content = fields.string(), fields.string()
                fields.end()
                item = read_attributes(attributes)
                if item.get("access") != guard:
                    raise Unreadable("an item is not guarded as its record says")
                item["accessible"] = (GUARDED if kind == 4 else ACCESSIBLE)[accessible]
                item["certificate" if kind == 3 else "secret"] = base64.b64encode(content).decode()
                print(json.dumps(item))
            else:
                counts = {"items": fields.uint64(), "leftOut": fields.uint64(), "unreadable": fields.uint64()}
                fields.end()
                if counts["items"] != number:
                    raise Unreadable("the file does not hold as many items as it says")
                print(json.dumps(counts))

if __name__ == "__main__":
    try:
        main()
    except Unreadable as problem:
        sys.exit(f"{sys.argv[1]}: {problem}")
