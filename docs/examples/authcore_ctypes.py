#!/usr/bin/env python3
"""A program in Python that keeps secrets and signs with authcore, through libauthcore-client (authcore/client.h).

  authcore_ctypes.py evaluate REASON    has the owner prove presence
  authcore_ctypes.py add SERVICE        adds what standard input holds, behind a finger
  authcore_ctypes.py get SERVICE        opens it with a touch, and writes it to standard output
  authcore_ctypes.py sign KEY           signs what standard input holds with a key of the enclave's, which is made first
                                        where there is none: the signature in DER goes to standard output

AUTHCORE_CLIENT names the library where it is not installed. The items are those of the application that Python is.
"""
import ctypes, hashlib, os, sys
from ctypes import byref, c_char_p, c_int32, c_size_t, c_uint32, c_void_p

FINGER, ITEM_NOT_FOUND, LARGEST_SIGNATURE = 1, -25300, 72

def struct(**fields):
    """A struct of the header: it begins with its size, and what is not given is 0."""
    kind = type("Struct", (ctypes.Structure,), {"_fields_": [("struct_size", c_uint32), *fields.items()]})
    return lambda **values: kind(ctypes.sizeof(kind), **values)

Prompt = struct(flags=c_uint32, reason=c_char_p, fallback_title=c_char_p, cancel_title=c_char_p, timeout_ms=c_uint32)
Evaluated = struct(evidence=c_int32, age_s=c_uint32)
Item = struct(flags=c_uint32, item_class=c_int32, service=c_char_p, account=c_char_p, server=c_char_p, label=c_char_p,
              identifier=c_char_p, group=c_char_p, attributes=c_void_p, attribute_count=c_uint32, access=c_char_p,
              accessible=c_char_p)
Key = struct(flags=c_uint32, name=c_char_p, tag=c_void_p, tag_count=c_size_t, label=c_char_p,
             identifier=c_char_p, group=c_char_p, access=c_char_p, accessible=c_char_p)

library = ctypes.CDLL(os.environ.get("AUTHCORE_CLIENT", "libauthcore-client.so.1"))
for name, result in {"error_message": c_char_p, "error_hint": c_char_p, "secret_bytes": c_void_p,
                     "secret_count": c_size_t, "version": c_uint32}.items():
    getattr(library, "ac_client_" + name).restype = result

class AuthcoreError(Exception):
    def __init__(self, code, message, hint):
        super().__init__(f"{message} ({code})" + (f"\n{hint}" if hint else ""))
        self.code = code

def call(name, *arguments):
    """Makes a call that can fail; its last argument is where its error goes."""
    error = c_void_p()
    code = getattr(library, "ac_client_" + name)(*arguments, byref(error))
    if code != 0:
        message, hint = library.ac_client_error_message(error), library.ac_client_error_hint(error)
        library.ac_client_error_free(error)
        raise AuthcoreError(code, message.decode(), hint and hint.decode())

def evaluate(client, reason):
    context, evaluated = c_void_p(), Evaluated()
    call("context_open", client, c_uint32(0), byref(context))
    try:
        call("context_evaluate", context, c_int32(FINGER), byref(Prompt(reason=reason.encode())), byref(evaluated))
        print({1: "a finger", 2: "the passcode", 3: "nothing"}[evaluated.evidence])
    finally:
        library.ac_client_context_close(context)

def add(client, service):
    secret = sys.stdin.buffer.read()
    call("item_add", client, None, byref(Item(service=service.encode(), access=b"biometry-current")),
         secret, c_size_t(len(secret)))

def get(client, service):
    secret = c_void_p()
    call("item_get", client, None, byref(Item(service=service.encode())), None, byref(secret))
    try:
        sys.stdout.buffer.write(ctypes.string_at(library.ac_client_secret_bytes(secret),
                                                 library.ac_client_secret_count(secret)))
    finally:
        library.ac_client_secret_free(secret)

def sign(client, name):
    digest = hashlib.sha256(sys.stdin.buffer.read()).digest()
    signature, count = ctypes.create_string_buffer(LARGEST_SIGNATURE), c_size_t()
    def use():
        call("key_sign", client, None, byref(Key(name=name.encode())), None, digest, c_size_t(len(digest)),
             signature, byref(count))
    try:
        use()
    except AuthcoreError as error:
        if error.code != ITEM_NOT_FOUND:
            raise
        call("key_create", client, byref(Key(name=name.encode(), access=b"biometry-current")), None)
        use()
    sys.stdout.buffer.write(signature.raw[:count.value])

def main():
    commands = {command.__name__: command for command in (evaluate, add, get, sign)}
    if len(sys.argv) != 3 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    client = c_void_p()
    try:
        call("open", None, byref(client))
        # c_void_p objects are passed as pointers; a plain number would be cut to 32 bits.
        commands[sys.argv[1]](client, sys.argv[2])
    except AuthcoreError as error:
        sys.exit(str(error))
    finally:
        library.ac_client_close(client)

if __name__ == "__main__":
    main()
