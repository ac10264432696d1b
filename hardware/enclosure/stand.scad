// The stand of build 0: a screen and a keypad lean towards the players, the Pi lies inside.
//
// part = "stand" (as it is printed, standing on one end: no support), "assembly" (to look at) or
// "report" (tells where everything is, for the test of collisions).

include <common.scad>

part = "assembly";
oled = "0.96";          // or "1.3"
long = 100;             // from end to end
base = 86;              // how deep it stands on the table
high = 74;
top = 52;               // how far back the ridge is

include <screens.scad>

oled_at = [long / 2, 55];   // the screen's middle, up the front, pins towards the ridge: wires need room
keys_up = 27;           // the keypad's middle; it is 69 x 20 mm and sticks by itself
slot = [18, 6];         // the ribbon goes in here, level, with its socket of 13 x 2.6 mm
slot_up = 9;
lean = atan2(high, top);
screws_at = [for (sx = [-1, 1], sy = [-1, 1])
    [oled_at[0] + sx * oled_holes[0] / 2, oled_at[1] + sy * oled_holes[1] / 2]];

// The Zero, pins towards the front, sockets towards the back, where an opening lets their plugs in.
pi_board = [65, 30];
pi_holes = [[3.5, 3.5], [61.5, 3.5], [3.5, 26.5], [61.5, 26.5]];
pi_at = [18, base - 40];
pi_up = 5;
board_top = wall + pi_up + 1.4;
usb = 41.4;             // from the board's right end to the middle of the data socket
power = 54;             // and to that of the socket marked PWR
plug = [10.6, 8.5];     // a plug's grip
opening_at = [pi_at[0] + pi_board[0] - power - plug[0] / 2 - 1.5, board_top + 1.4 - plug[1] / 2 - 1.2];
opening = [power - usb + plug[0] + 3, plug[1] + 2.4];

module profile(by) {
    offset(delta = -by) polygon([[0, 0], [base, 0], [top, high]]);
}

module stand() {
    difference() {
        union() {
            difference() {
                linear_extrude(long) profile(0);
                translate([0, 0, -1]) linear_extrude(long + 2) profile(wall);
            }
            intersection() {
                linear_extrude(long) profile(1);
                union() {
                    on_front() difference() {
                        for (at = screws_at) translate([at[0], at[1], -oled_glass - wall])
                            cylinder(d = 4.2, h = oled_glass + wall);
                        translate([oled_at[0] - oled_panel[0] / 2 - 0.3, oled_at[1] + glass_above - oled_panel[1] / 2 - 0.3, -9])
                            cube([oled_panel[0] + 0.6, oled_panel[1] + 0.6, 9 - wall]);
                    }
                    // The Pi's posts, each with a brace, to print well.
                    for (hole = pi_holes) translate([pi_at[1] + hole[1], 0, pi_at[0] + hole[0]]) hull() {
                        rotate([-90, 0, 0]) cylinder(d = 6, h = wall + pi_up);
                        translate([-3, 0, -10]) cube([6, 0.5, 7]);
                    }
                }
            }
        }
        on_front() {
            for (at = screws_at) translate([at[0], at[1], -9]) cylinder(d = m2_pilot, h = 9 - wall / 2);
            // The window widens outwards, so that the picture is seen from the side.
            translate([oled_at[0], oled_at[1] + oled_above, 0]) hull() {
                translate([0, 0, -wall - 0.1]) cube([window[0], window[1], 0.02], center = true);
                translate([0, 0, 0.1]) cube([window[0] + 4, min(18, window[1] + 4), 0.02], center = true);
            }
            translate([(long - slot[0]) / 2, slot_up, -wall - 1]) cube([slot[0], slot[1], wall + 2]);
        }
        for (hole = pi_holes) translate([pi_at[1] + hole[1], -1, pi_at[0] + hole[0]])
            rotate([-90, 0, 0]) cylinder(d = 2.1, h = 9);
        translate([pi_at[1] + pi_board[1] - 0.2, opening_at[1], opening_at[0]]) cube([20, opening[1], opening[0]]);
    }
}

// The outer face of the front: x along the stand, y up the front, z outwards.
module on_front() {
    multmatrix([[0, cos(lean), -sin(lean), 0], [0, sin(lean), cos(lean), 0], [1, 0, 0, 0], [0, 0, 0, 1]]) children();
}

// What is put in, as in box.scad: on the inner face of the front, and on the floor.
screen_parts = [for (part = [
    ["screen board", [oled_at[0] - oled_board[0] / 2, oled_at[1] - oled_board[1] / 2, -oled_glass - oled_thick],
                     [oled_board[0], oled_board[1], oled_thick]],
    ["screen glass", [oled_at[0] - oled_panel[0] / 2, oled_at[1] + glass_above - oled_panel[1] / 2, -oled_glass],
                     [oled_panel[0], oled_panel[1], oled_glass]],
    ["screen plugs", [oled_at[0] - 5.1, oled_at[1] + oled_board[1] / 2 - 3, -oled_glass - oled_thick - 20],
                     [10.2, 2.6, 20]]])
    [part[0], "box", part[1] - [0, 0, wall], part[2]]];
floor_parts = [
    ["Pi", "box", [pi_at[0], pi_at[1], wall + pi_up], [pi_board[0], pi_board[1], 1.4 + 3.5]],
    ["header plugs", "box", [pi_at[0] + 7, pi_at[1] + 0.8, board_top], [51, 5.4, 22]],
    ["card", "box", [pi_at[0] + pi_board[0], pi_at[1] + pi_board[1] / 2 - 7, wall + pi_up - 2], [3, 14, 3]],
    for (from = [usb, power]) ["plug", "box",
        [pi_at[0] + pi_board[0] - from - plug[0] / 2, pi_at[1] + pi_board[1] + 1, board_top + 1.4 - plug[1] / 2],
        [plug[0], 25, plug[1]]]];

module report() {
    echo("BOX", long, base, 0, lean, wall, (base - top) / high);
    echo("WINDOW", oled_at[0] - window[0] / 2, oled_at[1] + oled_above - window[1] / 2, window[0], window[1]);
    echo("PICTURE", oled_at[0] - oled_picture[0] / 2, oled_at[1] + oled_above - oled_picture[1] / 2, oled_picture[0], oled_picture[1]);
    for (part = screen_parts) echo("LID", part);
    for (part = floor_parts) echo("INSIDE", part);
    for (at = screws_at) echo("SCREW", at[0], at[1], 4.2);
    echo("SLOT", slot[0], slot[1], slot_up);
    echo("OPEN", opening_at[0], opening_at[1], opening[0], opening[1]);
}

made = ["", ""];

if (part == "report") report();
else if (part == "stand") stand();
else rotate([90, 0, 90]) {
    color("#d9cdb2") if (made[0] == "") render() stand(); else import(made[0]);
    on_front() translate([oled_at[0], oled_at[1] + oled_above, -wall]) {
        color("#10131a") cube([window[0] + 1, window[1] + 1, 0.4], center = true);
        for (at = [[1, 0.6], [-3.6, 0.8]]) color("#9fe3ff")
            translate([-oled_picture[0] / 2, at[0], 0.3]) cube([oled_picture[0] * at[1], 1.6, 0.2]);
    }
    on_front() translate([long / 2, keys_up, 0]) {
        color("#2b2b2b") translate([-34.5, -10, 0]) cube([69, 20, 0.9]);
        for (n = [0 : 3]) color(n == 3 ? "#d62828" : n == 2 ? "#2f8b4f" : "#e8e4da")
            translate([-25.5 + 17 * n, 0, 0.9]) cylinder(d = 11, h = 0.7);
        color("#c9c9c9") translate([-6.5, -14.5, 0]) cube([13, 4.6, 0.4]);
    }
    color("#1f7a45") translate([pi_at[1], wall + pi_up, pi_at[0]]) cube([pi_board[1], 1.4, pi_board[0]]);
    color("#202020") translate([pi_at[1] + 1, board_top, pi_at[0] + 7]) cube([5, 8.5, 51]);
}
