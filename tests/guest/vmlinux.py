#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright(c) 2026 pollwire authors
"""Takes the uncompressed kernel (ELF) out of a bzImage.

QEMU enters an ELF kernel directly (PVH), which saves the guest from
unpacking itself under emulation: three seconds a boot.

usage: vmlinux.py BZIMAGE VMLINUX
"""
import lzma
import struct
import subprocess
import sys
import zlib

# Offsets in the setup header, from the kernel's Documentation/arch/x86/boot.rst.
SETUP_SECTS = 0x1F1
PAYLOAD_OFFSET = 0x248


def unpack(payload):
    if payload[:6] == b'\xfd7zXZ\0':
        return lzma.LZMADecompressor().decompress(payload)
    if payload[:2] == b'\x1f\x8b':
        return zlib.decompressobj(31).decompress(payload)
    if payload[:4] == b'\x28\xb5\x2f\xfd':
        # The build appends the unpacked size, which zstd would refuse.
        return subprocess.run(['zstd', '-dc'], input=payload[:-4], check=True,
                              stdout=subprocess.PIPE).stdout
    sys.exit(f'vmlinux: unknown compression, starts with {payload[:6].hex()}')


def main():
    with open(sys.argv[1], 'rb') as f:
        image = f.read()
    offset, length = struct.unpack_from('<II', image, PAYLOAD_OFFSET)
    start = ((image[SETUP_SECTS] or 4) + 1) * 512 + offset
    kernel = unpack(image[start:start + length])
    if kernel[:4] != b'\x7fELF':
        sys.exit('vmlinux: the unpacked kernel is not an ELF file')
    with open(sys.argv[2], 'wb') as f:
        f.write(kernel)


if __name__ == '__main__':
    main()
