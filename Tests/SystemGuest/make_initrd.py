#!/usr/bin/env python3
"""Writes the initial file system of a guest that boots from a disk: the guest kit's busybox, `init` beside this file, and the
kernel modules for disk, file system, shared folder and what is plugged in.

    make_initrd.py KIT SYS OUT      SYS: where the kit unpacked its packages; OUT: the file to write
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
#: crc32c is not among what ext4 depends on: it asks the kernel's crypto for it. systemd wants autofs4 and binfmt_misc, evdev
#: is for logind.
MODULES = ["virtio_pci", "virtio_blk", "crc32c_generic", "ext4", "9pnet_virtio", "9p", "autofs4", "binfmt_misc", "evdev",
           "vhci_hcd", "uhid", "usbhid", "virtio_rng"]


def main():
    kit, unpacked, out = sys.argv[1:]
    sys.dont_write_bytecode = True
    sys.path.insert(0, kit)
    from build_guest import Cpio, Modules

    folder, = (pathlib.Path(unpacked) / "lib/modules").iterdir()
    modules = Modules(folder)
    order = []
    for name in MODULES:
        order += [module for module in modules.order(name) if module not in order]
    cpio = Cpio(out)
    cpio.node("dev/console", 5, 1)
    cpio.add("bin/busybox", (pathlib.Path(unpacked) / "bin/busybox").read_bytes(), 0o755)
    cpio.add("init", (HERE / "init").read_bytes(), 0o755)
    cpio.add("modules/order", "".join(f"{name}\n" for name in order).encode())
    for name in order:
        cpio.add(f"modules/{name}.ko", modules.files[name].read_bytes())
    cpio.close()


main()
