"""A device model (include/authcore/model.h) as a device of the guest kit's usb_device.py: what a driver's tests drive
in-process, plugged into a real kernel."""
import ctypes
import os
import pathlib
import struct
import sys
import threading
import time

sys.path.insert(0, os.environ["KIT"])
from usb_device import IN, STALL, Device  # noqa: E402

OK, TIMEOUT = 0, 100

U8P = ctypes.POINTER(ctypes.c_uint8)
U32P = ctypes.POINTER(ctypes.c_uint32)


class Host(ctypes.Structure):
    LOG = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_char_p)
    SET_ERROR = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)
    SERVICE = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
    _fields_ = [("struct_size", ctypes.c_uint32), ("abi_version", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("log", LOG), ("set_error", SET_ERROR), ("service", SERVICE)]


class DeviceInfo(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("vendor", ctypes.c_uint16), ("product", ctypes.c_uint16),
                ("release", ctypes.c_uint16), ("bus", ctypes.c_uint8), ("address", ctypes.c_uint8),
                ("interface_count", ctypes.c_uint8)]


class InterfaceInfo(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("number", ctypes.c_uint8), ("class_code", ctypes.c_uint8),
                ("subclass_code", ctypes.c_uint8), ("protocol_code", ctypes.c_uint8),
                ("endpoint_count", ctypes.c_uint8), ("endpoints", ctypes.c_uint8 * 30)]


def function(*arguments):
    return ctypes.CFUNCTYPE(ctypes.c_int32, *arguments)


class Model(ctypes.Structure):
    _fields_ = [
        ("struct_size", ctypes.c_uint32), ("abi_version", ctypes.c_uint32), ("name", ctypes.c_char_p),
        ("plug", function(ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p))),
        ("unplug", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("device_info", function(ctypes.c_void_p, ctypes.POINTER(DeviceInfo))),
        ("interface_info", function(ctypes.c_void_p, ctypes.c_uint8, ctypes.POINTER(InterfaceInfo))),
        ("control", function(ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint8, ctypes.c_uint8, ctypes.c_uint16,
                             ctypes.c_uint16, U8P, ctypes.c_uint16, U32P)),
        ("write", function(ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint8, U8P, ctypes.c_uint32)),
        ("read", function(ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint8, U8P, ctypes.c_uint32, U32P)),
    ]


class ModelDevice(Device):
    """One device of the model in the shared object `path`.  `interrupts` are the endpoints that are no bulk ones."""

    strings = ["authcore", "Simulated Fingerprint Reader", "1"]
    _models = {}

    def __init__(self, path, settings="", interrupts=(0x81,)):
        super().__init__()
        self.model = self._load(path)
        handle = ctypes.c_void_p()
        if self.model.plug(settings.encode(), ctypes.byref(handle)) != OK:
            raise ValueError(f"the model refuses {settings!r}")
        self.handle = handle
        #: What was written last to each register, by wValue.
        self.written = {}
        self._describe(interrupts)
        self.closed = threading.Event()
        threading.Thread(target=self._tick, daemon=True).start()

    @classmethod
    def _load(cls, path):
        if path not in cls._models:
            library = ctypes.CDLL(path)
            host = Host(ctypes.sizeof(Host), 1 << 16, None, Host.LOG(lambda *_: None),
                        Host.SET_ERROR(lambda _, text: print(f"model: {text.decode()}", file=sys.stderr)),
                        Host.SERVICE(lambda *_: None))
            table = ctypes.POINTER(Model)()
            entry = library.ac_device_model_entry
            entry.argtypes = [ctypes.POINTER(Host), ctypes.POINTER(ctypes.POINTER(Model))]
            if entry(ctypes.byref(host), ctypes.byref(table)) != OK:
                raise ValueError(f"{path} is no device model")
            cls._models[path] = (table.contents, host)
        return cls._models[path][0]

    def _describe(self, interrupts):
        info = DeviceInfo(ctypes.sizeof(DeviceInfo))
        self.model.device_info(self.handle, ctypes.byref(info))
        body = b""
        for index in range(info.interface_count):
            face = InterfaceInfo(ctypes.sizeof(InterfaceInfo))
            self.model.interface_info(self.handle, index, ctypes.byref(face))
            endpoints = list(face.endpoints)[:face.endpoint_count]
            body += bytes([9, 4, face.number, 0, len(endpoints), face.class_code, face.subclass_code,
                           face.protocol_code, 0])
            for address in endpoints:
                is_interrupt = address in interrupts
                body += struct.pack("<BBBBHB", 7, 5, address, 3 if is_interrupt else 2, 64, 1 if is_interrupt else 0)
        self.config_descriptor = struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), info.interface_count, 1, 0, 0xA0,
                                             50) + body
        self.device_descriptor = struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x0110, 255, 255, 255, 8, info.vendor,
                                             info.product, info.release, 1, 2, 3, 1)

    def _tick(self):
        """A model answers NAK until its time has come; usbip has no polls, so it is asked again."""
        while not self.closed.wait(0.005):
            self.wake()

    def close(self):
        self.closed.set()

    def vendor(self, request_type, request, value, index, length, data):
        if not request_type & IN:
            self.written[value] = data
        size = max(1, length if request_type & IN else len(data))
        buffer = (ctypes.c_uint8 * size)(*data)
        count = ctypes.c_uint32()
        status = self.model.control(self.handle, time.monotonic_ns(), request_type, request, value, index, buffer,
                                    length, ctypes.byref(count))
        if status != OK:
            return STALL
        return bytes(buffer[:min(count.value, length)]) if request_type & IN else b""

    def transfer(self, endpoint, length, data):
        now = time.monotonic_ns()
        if not endpoint & IN:
            buffer = (ctypes.c_uint8 * max(1, len(data)))(*data)
            return b"" if self.model.write(self.handle, now, endpoint, buffer, len(data)) == OK else STALL
        buffer = (ctypes.c_uint8 * max(1, length))()
        count = ctypes.c_uint32()
        status = self.model.read(self.handle, now, endpoint, buffer, length, ctypes.byref(count))
        if status == TIMEOUT:
            return None
        return bytes(buffer[:min(count.value, length)]) if status == OK else STALL


def model_path(products, driver="uru4000"):
    return str(pathlib.Path(products) / f"libauthcore-driver-{driver}-model.so")
