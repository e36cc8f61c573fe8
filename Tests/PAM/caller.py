"""An application of PAM whose memory is looked at afterwards: `caller.py SERVICE MASKED [keep]`.

The passcode comes masked, so that nothing here holds it but what libpam is given. With `keep` a copy stays.
With `watch` it says of its terminal, with each text that it is to show, whether what is typed would be shown there,
and reads a line of it at the end, as the next program would.
"""
import ctypes
import ctypes.util
import os
import sys
import termios

MASK = 0x5A
ECHO_OFF, INFO, SUCCESS, TTY = 1, 4, 0, 3


class Message(ctypes.Structure):
    _fields_ = [("style", ctypes.c_int), ("text", ctypes.c_char_p)]


class Response(ctypes.Structure):
    _fields_ = [("text", ctypes.c_void_p), ("code", ctypes.c_int)]


CONVERSE = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.POINTER(Message)), ctypes.POINTER(ctypes.POINTER(Response)),
    ctypes.c_void_p)


class Conversation(ctypes.Structure):
    _fields_ = [("converse", CONVERSE), ("data", ctypes.c_void_p)]


libc = ctypes.CDLL(None)
libc.calloc.restype = ctypes.c_void_p
libpam = ctypes.CDLL(ctypes.util.find_library("pam"))
service, masked = sys.argv[1].encode(), bytes.fromhex(sys.argv[2])


def unmasked():
    """The passcode, byte by byte, in memory of malloc's."""
    place = libc.calloc(len(masked) + 1, 1)
    for index, byte in enumerate(masked):
        ctypes.c_ubyte.from_address(place + index).value = byte ^ MASK
    return place


@CONVERSE
def converse(count, messages, responses, _):
    answers = ctypes.cast(libc.calloc(count, ctypes.sizeof(Response)), ctypes.POINTER(Response))
    for index in range(count):
        if messages[index].contents.style == ECHO_OFF:
            answers[index].text = unmasked()
        if messages[index].contents.style == INFO and "watch" in sys.argv:
            is_shown = termios.tcgetattr(0)[3] & termios.ECHO
            print("SHOWN" if is_shown else "hidden", messages[index].contents.text.decode(), flush=True)
    responses[0] = answers
    return SUCCESS


kept = unmasked() if "keep" in sys.argv else None
handle = ctypes.c_void_p()
libpam.pam_start(service, b"root", ctypes.byref(Conversation(converse, None)), ctypes.byref(handle))
if "watch" in sys.argv:
    libpam.pam_set_item(handle, TTY, os.ttyname(0).encode())
    print("ended", libpam.pam_authenticate(handle, 0), flush=True)
    print(f"left behind: [{sys.stdin.readline().strip()}]", flush=True)
else:
    print(libpam.pam_authenticate(handle, 0), flush=True)
    sys.stdin.read()
