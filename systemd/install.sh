#!/bin/bash
# Installs, updates or removes the Ludo companion on Raspberry Pi OS (Bookworm or Trixie, 64 bit).
# Run it again to update: games and configuration stay as they are.
set -euo pipefail

NAME=ludo-companion
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
VENV=/opt/$NAME
CONFIG=/etc/$NAME/companion.toml
STATE=/var/lib/$NAME
UNITS=${UNITS:-/etc/systemd/system}
RULES=/etc/udev/rules.d/60-$NAME.rules
USERS=/etc/sysusers.d
OS_RELEASE=${OS_RELEASE:-/etc/os-release}
MACHINE=${MACHINE:-$(uname -m)}

usage() {
    cat <<TEXT
usage: sudo systemd/install.sh [option ...]
  --config FILE   use this configuration, if there is none yet
  --kiosk         show the page on the HDMI screen as well
  --source WHAT   the wheel or folder to install; the folder of this script if not given
  --wheels DIR    take every Python package from this folder, and install nothing with apt
  --dry-run       only say what would be done
  --force         install on another system or machine as well
  --uninstall     remove the companion; games and configuration stay
  --purge         with --uninstall: remove them as well
TEXT
}

fail() {
    echo "install.sh: $*" >&2
    exit 1
}

say() {
    echo "== $*"
}

# Does one thing, or only says so.
run() {
    if [ "$DRY" = yes ]; then
        printf 'would run:'
        printf ' %q' "$@"
        printf '\n'
    else
        "$@"
    fi
}

read_options() {
    DRY=no FORCE=no KIOSK=no ACTION=install PURGE=no NEW_CONFIG=no
    GIVEN_CONFIG='' SOURCE=$(dirname "$HERE") WHEELS=''
    while [ $# -gt 0 ]; do
        case $1 in
            --config | --source | --wheels)
                [ $# -gt 1 ] || fail "$1 needs a value; --help tells more"
                case $1 in
                    --config) GIVEN_CONFIG=$2 ;;
                    --source) SOURCE=$2 ;;
                    --wheels) WHEELS=$2 ;;
                esac
                shift
                ;;
            --kiosk) KIOSK=yes ;;
            --dry-run) DRY=yes ;;
            --force) FORCE=yes ;;
            --uninstall) ACTION=uninstall ;;
            --purge) PURGE=yes ;;
            -h | --help)
                usage
                exit 0
                ;;
            *) fail "there is no option $1; --help lists them" ;;
        esac
        shift
    done
    [ "$PURGE" = no ] || [ "$ACTION" = uninstall ] || fail "--purge belongs to --uninstall"
    [ -z "$GIVEN_CONFIG" ] || [ -f "$GIVEN_CONFIG" ] || fail "there is no file $GIVEN_CONFIG"
    [ -e "$SOURCE" ] || fail "there is nothing at $SOURCE"
    [ -z "$WHEELS" ] || [ -d "$WHEELS" ] || fail "there is no folder $WHEELS"
    [ "$KIOSK" = yes ] || [ ! -e "$UNITS/$NAME-kiosk.service" ] || KIOSK=update
}

check_machine() {
    [ "$DRY" = yes ] || [ "$(id -u)" = 0 ] || fail "run it as root: sudo $0"
    local codename
    codename=$(sed -n 's/^VERSION_CODENAME=//p' "$OS_RELEASE")
    [ "$FORCE" = yes ] && return
    case $codename in
        bookworm | trixie) ;;
        *) fail "this is for Bookworm and Trixie, not '$codename'; --force tries all the same" ;;
    esac
    [ "$MACHINE" = aarch64 ] ||
        fail "this is for 64-bit Raspberry Pi OS (aarch64), not $MACHINE; --force tries all the same"
}

# A file is whole on the disk before it takes the place of another: a power cut would leave an
# empty one, and to systemd an empty unit is one that must not be started.
place() {
    run install -D -m 0644 "$1" "$2.new"
    run sync "$2.new"
    run mv -f "$2.new" "$2"
}

is_installed() {
    # shellcheck disable=SC2016 # dpkg fills in the state
    [ "$(dpkg-query --show --showformat '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

install_packages() {
    [ -z "$WHEELS" ] || return 0
    say "Debian packages"
    local packages=(python3-venv python3-pip python3-lgpio python3-spidev)
    # Its drop-in, which also works on a Pi 5, would be removed for it.
    is_installed python3-rpi-lgpio || packages+=(python3-rpi.gpio)
    [ "$KIOSK" = no ] || packages+=(cage chromium)
    run apt-get update -q
    run apt-get install -q -y --no-install-recommends "${packages[@]}"
}

# Building leaves files beside the sources, and takes what it finds there: the clone is not ours.
copy_source() {
    local copy=/tmp/$NAME
    if [ "$DRY" = no ]; then
        copy=$(mktemp -d)
        # shellcheck disable=SC2064 # the folder of this moment
        trap "rm -rf '$copy'" EXIT
    fi
    run cp -r "$SOURCE"/{pyproject.toml,README.md,LICENSE,companion,firmware} "$copy"
    SOURCE=$copy
}

install_python() {
    say "the companion, in $VENV"
    [ -x "$VENV/bin/python" ] || run python3 -m venv --system-site-packages --without-pip "$VENV"
    # The system's pip serves: unpacking another takes a Zero 2 W half a minute.
    local pip=(python3 -m pip --python "$VENV/bin/python" --disable-pip-version-check install --quiet)
    local what=$NAME needed=()
    if [ -n "$WHEELS" ]; then
        pip+=(--no-index --find-links "$WHEELS")
        needed=(lgpio)
    else
        [ ! -d "$SOURCE" ] || copy_source
        what=$SOURCE
    fi
    run "${pip[@]}" --upgrade "${needed[@]}" "$what"
    # A newer build may have the same version number: ours is installed whatever is there.
    run "${pip[@]}" --force-reinstall --no-deps "$what"
    run install -d /usr/local/bin
    run ln -sfn "$VENV/bin/companion" /usr/local/bin/companion
}

install_config() {
    if [ -e "$CONFIG" ]; then
        say "$CONFIG stays as it is"
    elif [ -n "$GIVEN_CONFIG" ]; then
        say "configuration: $CONFIG"
        place "$GIVEN_CONFIG" "$CONFIG"
        NEW_CONFIG=yes
    else
        say "no configuration yet: copy one of hardware/configs/ to $CONFIG, adapt it, and run this again"
    fi
}

install_service() {
    say "users, devices, services"
    place "$HERE/$NAME.sysusers" "$USERS/$NAME.conf"
    [ "$KIOSK" = no ] || place "$HERE/ludo-kiosk.sysusers" "$USERS/ludo-kiosk.conf"
    run systemd-sysusers
    if [ "$NEW_CONFIG" = yes ]; then # it may hold a PIN: the service reads it, and nobody else
        run chgrp "$NAME" "$CONFIG"
        run chmod 0640 "$CONFIG"
    fi
    place "$HERE/60-$NAME.rules" "$RULES"
    run udevadm control --reload
    run udevadm trigger --subsystem-match=gpio --subsystem-match=i2c-dev --subsystem-match=spidev --subsystem-match=tty
    if command -v raspi-config >/dev/null; then
        run raspi-config nonint do_i2c 0
    fi
    local unit
    for unit in "$NAME.service" "$NAME-shutdown.path" "$NAME-shutdown.service"; do
        place "$HERE/$unit" "$UNITS/$unit"
    done
    [ "$KIOSK" = no ] || place "$HERE/$NAME-kiosk.service" "$UNITS/$NAME-kiosk.service"
    run systemctl daemon-reload
    run systemctl enable --quiet "$NAME.service" "$NAME-shutdown.path"
    [ "$KIOSK" != yes ] || run systemctl enable --quiet "$NAME-kiosk.service"
    run sync # once it runs, people pull the plug
    run systemctl restart "$NAME-shutdown.path" "$NAME.service"
    case $KIOSK in
        yes) run systemctl restart "$NAME-kiosk.service" ;;
        update) run systemctl try-restart "$NAME-kiosk.service" ;; # who stopped it keeps it so
    esac
}

uninstall() {
    local unit
    say "removing the companion"
    for unit in "$NAME-kiosk.service" "$NAME-shutdown.path" "$NAME.service" "$NAME-shutdown.service"; do
        [ -e "$UNITS/$unit" ] || [ "$DRY" = yes ] || continue
        run systemctl disable --quiet --now "$unit" || true
        run rm -f "$UNITS/$unit"
    done
    run systemctl daemon-reload
    run rm -f "$RULES" "$USERS/$NAME.conf" "$USERS/ludo-kiosk.conf" /usr/local/bin/companion
    run rm -rf "$VENV"
    if [ "$PURGE" = yes ]; then
        run rm -rf "$STATE" "/etc/$NAME"
    else
        say "games stay in $STATE, the configuration in /etc/$NAME; --purge removes them"
    fi
}

main() {
    read_options "$@"
    check_machine
    if [ "$ACTION" = uninstall ]; then
        uninstall
        return
    fi
    install_packages
    install_python
    install_config
    install_service
    say "done: 'companion doctor' looks at the table, 'systemctl status $NAME' at the service"
}

main "$@"
