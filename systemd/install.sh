#!/bin/bash
# Installs, updates, takes back or removes the Ludo companion on Raspberry Pi OS and Debian
# (Bookworm or Trixie, 64 bit). Run it again to update: games and configuration stay as they are.
#
# Each version has a folder of its own, with its programs and its units. It is made beside the one
# that runs, checked, and then one rename (`swap`) makes it the one that counts: whenever the plug is
# pulled, the box starts with the version before or with the new one, whole.
set -euo pipefail

NAME=ludo-companion
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=${ROOT:-} # another one is for tests
OPT=$ROOT/opt/$NAME
CONFIG=$ROOT/etc/$NAME/companion.toml
STATE=$ROOT/var/lib/$NAME
UNITS=$ROOT/etc/systemd/system
RULES=$ROOT/etc/udev/rules.d/60-$NAME.rules
PYTHON=${PYTHON:-/usr/bin/python3}
MACHINE=${MACHINE:-$(uname -m)}

# The units of each part. Of these, `.path` units and services that nobody else starts are enabled.
BASE=("$NAME.service" "$NAME-shutdown.path" "$NAME-shutdown.service" "$NAME-settings.path" "$NAME-settings.service" "$NAME-update.path" "$NAME-update.service")
KIOSK_UNITS=("$NAME-kiosk.service")
HOUSE_UNITS=("ludo-house.service")
STARTED=("$NAME.service" "$NAME-shutdown.path" "$NAME-settings.path" "$NAME-update.path" "$NAME-kiosk.service" "ludo-house.service")

usage() {
    cat <<TEXT
usage: sudo systemd/install.sh [option ...]
  --config FILE   use this configuration, if there is none yet
  --kiosk         show the page on the HDMI screen as well
  --no-kiosk      no longer show it there
  --house         be the house of a café as well: Mosquitto, and every table on one page
  --no-house      no longer be one; its archive stays
  --wheels DIR    take every Python package from this folder, and install nothing with apt
  --dry-run       only say what would be done
  --back          go back to the version before
  --uninstall     remove the companion; games and configuration stay
  --purge         with --uninstall: remove them as well
  --package       as the Debian package asks for it: no apt, no link in /usr/local
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

# Tells systemd, where it runs: in a chroot there is nobody to tell.
tell() {
    if [ "$DRY" = yes ] || [ -d "$ROOT/run/systemd/system" ]; then
        run "$@"
    fi
}

read_options() {
    DRY=no KIOSK=no HOUSE=no ACTION=install PURGE=no PACKAGE=no
    GIVEN_CONFIG='' WHEELS=''
    [ ! -d "$HERE/wheels" ] || WHEELS=$HERE/wheels
    while [ $# -gt 0 ]; do
        case $1 in
            --config | --wheels)
                [ $# -gt 1 ] || fail "$1 needs a value; --help tells more"
                case $1 in
                    --config) GIVEN_CONFIG=$2 ;;
                    --wheels) WHEELS=$2 ;;
                esac
                shift
                ;;
            --kiosk) KIOSK=yes ;;
            --house) HOUSE=yes ;;
            --no-kiosk) ACTION=remove_kiosk ;;
            --no-house) ACTION=remove_house ;;
            --dry-run) DRY=yes ;;
            --back) ACTION=back ;;
            --uninstall) ACTION=uninstall ;;
            --purge) PURGE=yes ;;
            --package) PACKAGE=yes ;;
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
    [ -z "$WHEELS" ] || [ -d "$WHEELS" ] || fail "there is no folder $WHEELS"
    [ "$KIOSK" = yes ] || [ ! -e "$UNITS/$NAME-kiosk.service" ] || KIOSK=update
    [ "$HOUSE" = yes ] || [ ! -e "$UNITS/ludo-house.service" ] || HOUSE=update
}

# What cannot be had here is said before anything begins.
check_machine() {
    [ "$DRY" = yes ] || [ "$(id -u)" = 0 ] || fail "run it as root: sudo $0"
    local version
    version=$("$PYTHON" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    case $MACHINE in
        aarch64) ;;
        x86_64) say "this is no Pi: Picos on USB and the simulated table work, pins do not" ;;
        armv*) fail "this system has 32 bit, for which much that is needed does not exist: put the 64-bit Raspberry Pi OS on the card (it runs on a Zero 2 W and on every Pi since the 3)" ;;
        *) fail "there is nothing to install on $MACHINE: it takes a Pi or a PC, with 64 bit" ;;
    esac
    case $version in
        3.11 | 3.13) ;;
        *) fail "this is for Bookworm and Trixie, which have Python 3.11 and 3.13; here it is $version" ;;
    esac
}

# One installer at a time: two would tread on each other's folders.
take_turn() {
    [ "$DRY" = no ] || return 0
    mkdir -p "$ROOT/run/lock"
    exec 9>"$ROOT/run/lock/$NAME-install"
    flock -n 9 || fail "another installer is at work: wait until it has ended"
}

is_installed() {
    # shellcheck disable=SC2016 # dpkg fills in the state
    [ "$(dpkg-query --show --showformat '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Those that have no wheels for every Python; the locked list has everything else.
install_packages() {
    [ -z "$WHEELS" ] || return 0
    ! is_installed $NAME || fail "the companion is here as a Debian package: update that one, or remove it first"
    say "Debian packages"
    local packages=(python3-pip) wanted=(python3-lgpio python3-spidev) package
    # Its drop-in, which also works on a Pi 5, would be removed for it.
    is_installed python3-rpi-lgpio || wanted+=(python3-rpi.gpio)
    run apt-get update -q
    for package in "${wanted[@]}"; do
        if [ "$DRY" = yes ] || apt-cache show --no-all-versions "$package" >/dev/null 2>&1; then
            packages+=("$package")
        else
            say "$package is not to be had here (Raspberry Pi OS has it): the Pi's own pins may not work"
        fi
    done
    [ "$KIOSK" = no ] || packages+=(cage chromium)
    [ "$HOUSE" = no ] || packages+=(mosquitto openssl avahi-daemon)
    run apt-get install -q -y --no-install-recommends "${packages[@]}"
}

# Of a clone: exactly the wheels of the list, and our own, built with the tools of the list.
fetch_wheels() {
    [ -z "$WHEELS" ] || return 0
    say "the Python packages that were tested"
    WHEELS=/tmp/$NAME
    if [ "$DRY" = no ]; then
        WHEELS=$(mktemp -d)
        # shellcheck disable=SC2064 # the folder of this moment
        trap "rm -rf '$WHEELS'" EXIT
    fi
    run env KEPT_WHEELS="$WHEELS/kept" "$PYTHON" "$HERE/wheels.py" fetch "$WHEELS"
}

# Whether a version is there, to the last byte.
is_whole() {
    [ -e "$1/complete" ] && "$1/bin/companion" doctor --self >/dev/null 2>&1
}

current() {
    readlink "$OPT/current" || true
}

# A version beside the one that runs, which is not touched. What a try left that was cut short
# is swept away first.
make_version() {
    local name=VERSION files=("$HERE"/{*.service,*.path,*.sysusers,*.rules,*.sh,environment.py})
    [ ! -e "$HERE/update.pub" ] || files+=("$HERE/update.pub")
    [ "$DRY" = yes ] || name=$("$PYTHON" "$HERE/environment.py" name "$WHEELS" "${files[@]}")
    NEW=$OPT/versions/$name
    say "version $name, in $NEW"
    if [ "$DRY" = no ] && is_whole "$NEW"; then
        say "it is there already"
        return
    fi
    while [ "versions/$name" = "$(current)" ]; do # it runs: what is wrong with it is mended beside it
        name=$name.again
        NEW=$OPT/versions/$name
    done
    run rm -rf "$NEW"
    run mkdir -p "$OPT/versions"
    run "$PYTHON" "$HERE/environment.py" make "$WHEELS" "$NEW"
    run mkdir "$NEW/system"
    run cp "${files[@]}" "$NEW/system"
    run "$NEW/bin/companion" doctor --self || fail "the new version does not pass its own check; the version before goes on"
    run sync
    run touch "$NEW/complete"
}

# A link is there whole, or not at all.
place_link() {
    run mkdir -p "$(dirname "$2")"
    run ln -sfn "$1" "$2.new"
    run mv -fT "$2.new" "$2"
}

# What stands where systemd looks for a unit, and never changes: so it can be switched on and off
# as any other. What the unit does is linked to it, through `current`: the rename that changes the
# version changes the units too.
stub() {
    cat <<TEXT
# Made by the installer. What it does comes with the version in use, in
# $OPT/current/system/$1
[Install]
WantedBy=multi-user.target
TEXT
}

# A unit that is new is switched on; one that somebody switched off stays so.
link_unit() {
    local unit=$1 fresh=no
    local part=$UNITS/$unit.d/10-version.conf
    [ -e "$UNITS/$unit" ] || [ -L "$UNITS/$unit" ] || fresh=yes
    [ "$(readlink "$part" || true)" = "$OPT/current/system/$unit" ] ||
        place_link "$OPT/current/system/$unit" "$part"
    if [ "$DRY" = yes ]; then
        echo "would write: $UNITS/$unit"
    elif ! cmp -s <(stub "$unit") "$UNITS/$unit"; then
        mkdir -p "$UNITS"
        stub "$unit" >"$UNITS/.$unit.new"
        sync "$UNITS/.$unit.new"
        mv -f "$UNITS/.$unit.new" "$UNITS/$unit"
    fi
    if [ $fresh = yes ] && [[ " ${STARTED[*]} " = *" $unit "* ]]; then
        place_link "../$unit" "$UNITS/multi-user.target.wants/$unit"
    fi
}

link_system() {
    local unit
    for unit in "${BASE[@]}"; do
        link_unit "$unit"
    done
    if [ "$KIOSK" != no ]; then
        for unit in "${KIOSK_UNITS[@]}"; do
            link_unit "$unit"
        done
    fi
    if [ "$HOUSE" != no ]; then
        for unit in "${HOUSE_UNITS[@]}"; do
            link_unit "$unit"
        done
    fi
    [ "$(readlink "$RULES" || true)" = "$OPT/current/system/60-$NAME.rules" ] ||
        place_link "$OPT/current/system/60-$NAME.rules" "$RULES"
    [ "$PACKAGE" = yes ] || place_link "$OPT/current/bin/companion" "$ROOT/usr/local/bin/companion"
}

# The rename. Everything is on the disk before it, and it is on the disk before anything starts.
swap() {
    local before
    before=$(current)
    run sync
    [ -z "$before" ] || [ "$OPT/$before" = "$1" ] || place_link "$before" "$OPT/previous"
    place_link "versions/${1##*/}" "$OPT/current"
    run sync
}

add_users() {
    local kinds=("$NAME")
    [ "$KIOSK" = no ] || kinds+=(ludo-kiosk)
    [ "$HOUSE" = no ] || kinds+=(ludo-house)
    local kind
    for kind in "${kinds[@]}"; do
        run systemd-sysusers ${ROOT:+--root="$ROOT"} "$NEW/system/$kind.sysusers"
    done
}

# Whoever may use the Pi's pins may open the page as the box's own screen; the service itself may
# give its key to nobody.
share_key() {
    tell "$NEW/bin/python" -I -m companion.web.key "$STATE" ||
        say "'companion page' is for root only: $STATE/key.env cannot be given to the group gpio"
}

# A file is whole on the disk before it takes the place of another.
place() {
    run install -D -m 0640 "$1" "$2.new"
    run sync "$2.new"
    run mv -f "$2.new" "$2"
}

install_config() {
    if [ -e "$CONFIG" ]; then
        say "$CONFIG stays as it is"
    elif [ -n "$GIVEN_CONFIG" ]; then
        say "configuration: $CONFIG"
        place "$GIVEN_CONFIG" "$CONFIG"
        run chgrp "$NAME" "$CONFIG" # it may hold a PIN: the service reads it, and nobody else
    else
        say "no configuration yet: the box looks for a board and a die on USB, and a screen on I2C"
    fi
}

# The broker of a house: Debian's Mosquitto reads what `companion house setup` wrote. What was chosen
# before stays, and so do the tables; access rules and configuration are those of this version.
set_up_house() {
    [ "$HOUSE" != no ] || return 0
    local folder=$ROOT/etc/mosquitto house=$ROOT/etc/$NAME/house.toml
    say "the house's broker"
    [ "$DRY" = yes ] || [ -d "$folder" ] || fail "Mosquitto is missing: apt-get install mosquitto openssl"
    run "$NEW/bin/companion" house setup --broker "$folder/ludo" --config "$house"
    run chgrp ludo-house "$house"
    run chgrp -R mosquitto "$folder/ludo"
    place_link ../ludo/mosquitto.conf "$folder/conf.d/ludo.conf"
    tell systemctl restart mosquitto.service
}

# Whom the services may talk with is what their configurations say, also those that are here
# already; what an installer of earlier days wrote goes.
open_network() {
    run rm -f "$UNITS/$NAME.service.d/20-house.conf"
    tell systemctl daemon-reload
    tell systemctl start "$NAME-settings.service" ||
        say "the network stays as it is: journalctl -u $NAME-settings tells why"
}

# The units in use, each with whether it is switched on.
restart() {
    local unit
    tell systemctl daemon-reload
    for unit in "$NAME-shutdown.path" "$NAME-settings.path" "$NAME-update.path" "$NAME.service" "$NAME-kiosk.service" "ludo-house.service"; do
        [ -e "$UNITS/$unit" ] || [ "$DRY" = yes ] || continue
        [ "$unit" != "$NAME-kiosk.service" ] || [ "$KIOSK" != no ] || continue
        [ "$unit" != ludo-house.service ] || [ "$HOUSE" != no ] || continue
        if [ -L "$UNITS/multi-user.target.wants/$unit" ] || [ "$DRY" = yes ]; then
            tell systemctl restart "$unit" || return 1
        else
            tell systemctl try-restart "$unit" || return 1 # who switched it off keeps it so
        fi
    done
}

settle_devices() {
    if [ "$DRY" = yes ] || [ -e "$ROOT/run/udev/control" ]; then # in a container there is no udev
        run udevadm control --reload
        run udevadm trigger --subsystem-match=gpio --subsystem-match=i2c-dev --subsystem-match=spidev --subsystem-match=tty
    fi
    if command -v raspi-config >/dev/null; then
        run raspi-config nonint do_i2c 0
    fi
}

# Only the version that runs and the one before are kept; and nothing of the time when this folder
# was the environment itself.
sweep() {
    local version
    for version in "$OPT"/versions/*; do
        case versions/${version##*/} in
            "$(current)" | "$(readlink "$OPT/previous" || true)") ;;
            *) run rm -rf "$version" ;;
        esac
    done
    [ ! -e "$OPT/pyvenv.cfg" ] || run rm -rf "$OPT"/{bin,include,lib,lib64,share,pyvenv.cfg}
}

install_all() {
    install_packages
    fetch_wheels
    make_version
    add_users
    install_config
    share_key
    # Where a version is in use, links lead nowhere for a moment at worst, and nobody follows them;
    # where none is, the first links are made when they lead somewhere.
    [ ! -L "$OPT/current" ] || link_system
    BEFORE=$(current)
    swap "$NEW"
    link_system
    set_up_house
    open_network
    settle_devices
    run sync
    if ! restart; then
        if [ -z "$BEFORE" ] || [ "$OPT/$BEFORE" = "$NEW" ]; then
            fail "the service does not start: journalctl -u $NAME tells why"
        fi
        say "the new version does not start: going back to the one before"
        swap "$OPT/$BEFORE"
        restart || true
        fail "the version before is in use again; journalctl -u $NAME tells why the new one was not"
    fi
    sweep
    say "done: 'companion doctor' looks at the table, 'systemctl status $NAME' at the service"
}

go_back() {
    local before
    before=$(readlink "$OPT/previous" || true)
    if [ -z "$before" ] || [ ! -e "$OPT/$before/complete" ]; then
        fail "there is no version before this one"
    fi
    "$OPT/$before/bin/companion" doctor --self >/dev/null || fail "the version before is not whole any more"
    say "going back to ${before#versions/}"
    swap "$OPT/$before"
    restart || fail "it does not start: journalctl -u $NAME tells why"
}

remove_units() {
    local unit
    for unit in "$@"; do
        [ -e "$UNITS/$unit" ] || [ -L "$UNITS/$unit" ] || [ "$DRY" = yes ] || continue
        tell systemctl stop "$unit" || true
        run rm -f "$UNITS/multi-user.target.wants/$unit" "$UNITS/$unit" "$UNITS/$unit.d"/{10-version,20-network}.conf
        [ ! -d "$UNITS/$unit.d" ] || run rmdir --ignore-fail-on-non-empty "$UNITS/$unit.d"
    done
    tell systemctl daemon-reload
}

# Without its part of the configuration the broker that runs lets the tables in no more.
remove_house() {
    local part=$ROOT/etc/mosquitto/conf.d/ludo.conf
    remove_units "${HOUSE_UNITS[@]}"
    [ -e "$part" ] || [ -L "$part" ] || [ "$DRY" = yes ] || return 0
    run rm -f "$part"
    tell systemctl try-restart mosquitto.service || true
}

uninstall() {
    say "removing the companion"
    run rm -f "$UNITS/$NAME.service.d/20-house.conf"
    remove_house
    remove_units "${KIOSK_UNITS[@]}" "${BASE[@]}"
    run rm -f "$RULES" "$ROOT/usr/local/bin/companion"
    run rm -rf "$OPT"
    if [ "$PURGE" = yes ]; then
        say "removing games and configuration as well"
        run rm -rf "$STATE" "$ROOT/etc/$NAME" "$ROOT/var/lib/ludo-house" "$ROOT/etc/mosquitto/ludo"
    else
        say "games stay in $STATE, the configuration in /etc/$NAME; --purge removes them"
    fi
}

main() {
    read_options "$@"
    check_machine
    take_turn
    case $ACTION in
        install) install_all ;;
        back) go_back ;;
        remove_kiosk) remove_units "${KIOSK_UNITS[@]}" ;;
        remove_house) remove_house ;;
        uninstall) uninstall ;;
    esac
}

main "$@"
