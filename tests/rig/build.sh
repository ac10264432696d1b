#!/bin/bash
# Builds the rig's "Pi" from Debian packages alone: kernel, initrd and disk, without anything of ours.
# usage: build.sh OUT (as root; needs mmdebstrap, e2fsprogs, kmod, cpio and xz-utils)
#
# No maintainer script is run, so a foreign architecture needs no emulation while building.
set -euo pipefail

OUT=$(realpath -m "$1")
RIG=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
WORK=$OUT/work
ROOT=$WORK/root
KERNEL=$WORK/kernel

ARCH=arm64
USERLAND=bookworm        # Python 3.11 and systemd 252, as Raspberry Pi OS Bookworm has them
KERNELS=trixie-backports # earlier kernels of Debian have no gpio-sim

# The mirror that this machine's own apt uses.
# shellcheck disable=SC2016 # apt fills in the address
MIRROR=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Release: $USERLAND" 'Component: main' | head -n 1)
[ -n "$MIRROR" ] || { echo "build.sh: apt knows no mirror of Debian $USERLAND" >&2; exit 1; }

MODULES=(gpio-sim i2c-dev i2c-tiny-usb xhci-pci ftdi_sio cdc-acm usb-storage sd_mod vfat nls_cp437 nls_ascii configfs virtio_pci virtio_console virtio_blk ext4)
BOOT_MODULES=(virtio_pci virtio_blk ext4)

say() {
    echo "   $*"
}

# An apt of its own, which knows only the kernel's suite.
kernel_apt() {
    local command=$1
    shift
    "$command" -qq -o Dir::Etc::SourceList="$WORK/sources.list" -o Dir::Etc::SourceParts=- \
        -o Dir::State::Lists="$WORK/lists" -o Dir::Cache="$WORK/cache" -o Dir::State::status=/dev/null \
        -o APT::Sandbox::User=root -o APT::Architecture=$ARCH -o APT::Architectures=$ARCH \
        -o Acquire::Languages=none "$@"
}

fetch_kernel() {
    local image parts package
    mkdir -p "$WORK"/lists/partial "$WORK"/cache/archives/partial "$WORK"/debs "$KERNEL"
    echo "deb [arch=$ARCH signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $MIRROR $KERNELS main" >"$WORK/sources.list"
    kernel_apt apt-get update
    image=$(kernel_apt apt-cache depends linux-image-$ARCH | awk '/Depends: linux-image-[0-9]/ {print $2}')
    parts=$(kernel_apt apt-cache depends "$image" | awk '$1 == "Depends:" && $2 ~ /^linux-(base|binary|modules)-[0-9]/ {print $2}')
    # shellcheck disable=SC2086 # the parts are words
    (cd "$WORK/debs" && kernel_apt apt-get download "$image" $parts)
    for package in "$WORK"/debs/*.deb; do
        dpkg-deb --extract "$package" "$KERNEL"
    done
    if [ -d "$KERNEL/lib/modules" ]; then
        mkdir -p "$KERNEL/usr/lib"
        mv "$KERNEL/lib/modules" "$KERNEL/usr/lib/"
        rmdir "$KERNEL/lib"
    fi
    ln -sfn usr/lib "$KERNEL/lib"
    ls "$KERNEL/usr/lib/modules" >"$WORK/version"
    depmod -b "$KERNEL" "$(cat "$WORK/version")"
}

fetch_debian() {
    mmdebstrap -q --arch=$ARCH --variant=extract --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
        --include=systemd-sysv,udev,kmod,python3,python3-venv,python3-pip,busybox-static,bash,dash,coreutils,diffutils,findutils,util-linux,mount,openssl,base-files,base-passwd,libc-bin,grep,sed,mosquitto \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' --aptopt='Acquire::Languages "none"' \
        $USERLAND "$ROOT" "deb $MIRROR $USERLAND main"
}

modules_with_needs() {
    local name
    for name in "$@"; do
        modprobe -d "$KERNEL" -S "$VERSION" --show-depends "$name" 2>/dev/null | awk '$1 == "insmod" {print $2}' || true
    done | awk '!seen[$0]++'
}

unpacked() {
    if [ "${1##*.}" = xz ]; then xz -dc "$1"; else cat "$1"; fi
}

add_modules() {
    local file target
    for file in $(modules_with_needs "${MODULES[@]}"); do
        target=$ROOT/usr/lib/${file#*/lib/}
        mkdir -p "$(dirname "$target")"
        unpacked "$file" >"${target%.xz}"
    done
    cp "$KERNEL/usr/lib/modules/$VERSION"/modules.{order,builtin,builtin.modinfo} "$ROOT/usr/lib/modules/$VERSION/"
    depmod -b "$ROOT" "$VERSION"
}

# What the maintainer scripts would have done, and the devices' groups as on Raspberry Pi OS.
settle_debian() {
    local unit
    cp "$ROOT/usr/share/base-passwd/passwd.master" "$ROOT/etc/passwd"
    cp "$ROOT/usr/share/base-passwd/group.master" "$ROOT/etc/group"
    printf 'gpio:x:997:\ni2c:x:998:\nspi:x:999:\nmosquitto:x:996:\n' >>"$ROOT/etc/group"
    echo 'mosquitto:x:996:996::/var/lib/mosquitto:/usr/sbin/nologin' >>"$ROOT/etc/passwd"
    chown 996 "$ROOT/var/lib/mosquitto"
    sed 's/:.*/:*:19000:0:99999:7:::/' "$ROOT/etc/passwd" >"$ROOT/etc/shadow"
    chmod 600 "$ROOT/etc/shadow"
    ln -sfn dash "$ROOT/usr/bin/sh"
    ln -s busybox "$ROOT/usr/bin/kill" # with which systemd has Mosquitto read its passwords again
    echo rig >"$ROOT/etc/hostname"
    echo 0123456789abcdef0123456789abcdef >"$ROOT/etc/machine-id"
    echo '/dev/vdb /opt/rig ext4 ro,nofail' >"$ROOT/etc/fstab"
    # It was unpacked, not installed: its dpkg knows no other package.
    mkdir -p "$ROOT/etc/dpkg/dpkg.cfg.d"
    echo force-depends >"$ROOT/etc/dpkg/dpkg.cfg.d/rig"
    # Nobody knows how long anything takes under emulation.
    for unit in ludo-companion ludo-house; do
        mkdir -p "$ROOT/etc/systemd/system/$unit.service.d"
        printf '[Service]\nTimeoutStartSec=infinity\n' >"$ROOT/etc/systemd/system/$unit.service.d/90-rig.conf"
    done
    # The adapter of the rig becomes bus 1, which is the header's bus on every Pi.
    echo 'SUBSYSTEM=="i2c-dev", SYMLINK+="i2c-1"' >"$ROOT/etc/udev/rules.d/50-rig.rules"
    ln -sfn /lib/systemd/system/multi-user.target "$ROOT/etc/systemd/system/default.target"
    for unit in systemd-networkd systemd-resolved systemd-timesyncd systemd-firstboot systemd-update-done \
        systemd-journal-catalog-update systemd-hwdb-update ldconfig systemd-machine-id-commit systemd-binfmt \
        systemd-pcrphase systemd-pcrphase-sysinit systemd-boot-system-token modprobe@drm modprobe@efi_pstore \
        modprobe@fuse getty@tty1 console-getty; do
        ln -sf /dev/null "$ROOT/etc/systemd/system/$unit.service"
    done
    for unit in dev-hugepages.mount sys-kernel-debug.mount sys-fs-fuse-connections.mount dev-mqueue.mount getty.target \
        apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer fstrim.timer e2scrub_all.timer systemd-tmpfiles-clean.timer; do
        ln -sf /dev/null "$ROOT/etc/systemd/system/$unit"
    done
}

add_agent() {
    mkdir -p "$ROOT/opt/rig" "$ROOT/usr/lib/rig" "$ROOT/etc/systemd/system/multi-user.target.wants"
    cp "$RIG"/inside/*.py "$ROOT/usr/lib/rig/"
    cp "$RIG/inside/rig-agent.service" "$ROOT/etc/systemd/system/"
    ln -sf /etc/systemd/system/rig-agent.service "$ROOT/etc/systemd/system/multi-user.target.wants/"
    # Compiled here if this machine has the same Python: importing under emulation is slow.
    if command -v python3.11 >/dev/null; then
        python3.11 -m compileall -q -s "$ROOT" -p / --invalidation-mode unchecked-hash \
            "$ROOT/usr/lib/python3.11" "$ROOT/usr/lib/python3" "$ROOT/usr/lib/rig" >/dev/null || true
    fi
}

# A first root that loads the disk's driver and goes on from the disk.
make_initrd() {
    local first=$WORK/initrd number=10 file
    mkdir -p "$first"/{bin,modules,dev,mnt}
    cp "$ROOT/usr/bin/busybox" "$first/bin/"
    for file in $(modules_with_needs "${BOOT_MODULES[@]}"); do
        unpacked "$file" >"$first/modules/$number-$(basename "$file" .xz)"
        number=$((number + 1))
    done
    cat >"$first/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox mount -t devtmpfs dev /dev
for module in /modules/*; do /bin/busybox insmod $module; done
until [ -b /dev/vda ]; do /bin/busybox usleep 20000; done
/bin/busybox mount -t ext4 -o noatime /dev/vda /mnt
/bin/busybox mount --move /dev /mnt/dev
exec /bin/busybox switch_root /mnt /lib/systemd/systemd
INIT
    chmod +x "$first/init"
    (cd "$first" && find . | cpio -o -H newc --quiet) >"$OUT/initrd"
}

make_kernel() {
    local image
    image=$(find "$KERNEL" -name 'vmlinuz*' -type f | head -n 1)
    (zcat "$image" 2>/dev/null || cat "$image") >"$OUT/kernel"
}

make_disk() {
    rm -f "$OUT/disk"
    truncate -s 1200M "$OUT/disk"
    mke2fs -q -t ext4 -E lazy_itable_init=1,root_owner=0:0 -d "$ROOT" "$OUT/disk"
}

make_system() {
    fetch_kernel &
    local kernel_job=$!
    fetch_debian
    wait $kernel_job
    VERSION=$(cat "$WORK/version")
    say "Debian $USERLAND, kernel $VERSION"
    settle_debian
    add_modules
    add_agent
    make_initrd
    make_kernel
    make_disk
}

rm -rf "$WORK"
mkdir -p "$WORK"
make_system
rm -rf "$WORK"
