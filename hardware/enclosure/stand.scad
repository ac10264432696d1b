// The stand of build 0: a screen and a keypad lean towards the players, the Pi lies inside.
//
// part = "stand" (as it is printed, standing on one end: no support) or "assembly" (to look at).

include <common.scad>

part = "assembly";
oled = "0.96";          // or "1.3"
long = 100;             // from end to end
base = 86;              // how deep it stands on the table
high = 74;
top = 52;               // how far back the ridge is

// The screens, as in box.scad; header pins towards the ridge.
small = oled == "0.96";
oled_holes = small ? [23.5, 23.8] : [30.4, 28.5];
oled_picture = small ? [21.74, 10.86] : [29.42, 14.7];
oled_panel = small ? [26.7, 19.26] : [34.5, 23];
oled_above = small ? 1.75 : 1.7;
oled_margin = small ? 1.2 : 1.5;
oled_glass = 1.8;
glass_above = oled_above + oled_picture[1] / 2 + 2.1 - oled_panel[1] / 2;
oled_up = 64;           // the screen's middle, up the front
keys_up = 27;           // the keypad's middle; it is 69 x 20 mm and sticks by itself
lean = atan2(high, top);
front_long = norm([top, high]);

module profile(by) {
    offset(delta = -by) polygon([[0, 0], [base, 0], [top, high]]);
}

// Lays things on the inner face of the front: x along the stand, y up the front, z inwards.
module on_front() {
    rotate([0, 0, lean]) rotate([90, 0, 0]) rotate([0, 90, 0]) children();
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
                    at_screen() difference() {
                        for (sx = [-1, 1], sy = [-1, 1])
                            translate([sx * oled_holes[0] / 2, sy * oled_holes[1] / 2, -oled_glass - wall])
                                cylinder(d = 4.2, h = oled_glass + wall);
                        translate([-oled_panel[0] / 2 - 0.3, glass_above - oled_panel[1] / 2 - 0.3, -9])
                            cube([oled_panel[0] + 0.6, oled_panel[1] + 0.6, 9 - wall]);
                    }
                    // The Pi's posts, on the floor.
                    for (x = [3.5, 61.5], y = [3.5, 26.5])
                        translate([base - 40 + y, 0, 18 + x]) hull() {      // with a brace, to print well
                            rotate([-90, 0, 0]) cylinder(d = 6, h = 7.4);
                            translate([-3, 0, -10]) cube([6, 0.5, 7]);
                        }
                }
            }
        }
        at_screen() {
            for (sx = [-1, 1], sy = [-1, 1])
                translate([sx * oled_holes[0] / 2, sy * oled_holes[1] / 2, -9])
                    cylinder(d = m2_pilot, h = 9 - wall / 2);
            translate([0, oled_above, 0]) hull() {
                translate([0, 0, -wall - 0.1]) cube([oled_picture[0] + 2 * oled_margin, oled_picture[1] + 2 * oled_margin, 0.02], center = true);
                translate([0, 0, 0.1]) cube([oled_picture[0] + 2 * oled_margin + 4, min(18, oled_picture[1] + 2 * oled_margin + 4), 0.02], center = true);
            }
        }
        // The keypad's ribbon goes in here, below the keys.
        on_outside() translate([long / 2 - 9, 6, -wall - 1]) cube([18, 3, wall + 2]);
        for (x = [3.5, 61.5], y = [3.5, 26.5])
            translate([base - 40 + y, -1, 18 + x]) rotate([-90, 0, 0]) cylinder(d = 2.1, h = 9);
    }
}

// The outer face of the front: x along the stand, y up the front, z outwards.
module on_outside() {
    multmatrix([[0, cos(lean), -sin(lean), 0], [0, sin(lean), cos(lean), 0], [1, 0, 0, 0], [0, 0, 0, 1]]) children();
}

module at_screen() {
    on_outside() translate([long / 2, oled_up, 0]) children();
}

made = ["", ""];

if (part == "stand") stand();
else rotate([90, 0, 90]) {
    color("#d9cdb2") if (made[0] == "") render() stand(); else import(made[0]);
    at_screen() {
        color("#10131a") translate([0, oled_above, -wall]) cube([oled_picture[0] + 3, oled_picture[1] + 3, 0.4], center = true);
        color("#9fe3ff") translate([-8, oled_above + 1, -wall + 0.3]) cube([13, 1.4, 0.2]);
        color("#9fe3ff") translate([-8, oled_above - 3, -wall + 0.3]) cube([16, 1.4, 0.2]);
    }
    on_outside() translate([long / 2, keys_up, 0]) {
        color("#2b2b2b") translate([-34.5, -10, 0]) cube([69, 20, 0.9]);
        for (n = [0 : 3]) color(n == 3 ? "#d62828" : n == 2 ? "#2f8b4f" : "#e8e4da")
            translate([-25.5 + 17 * n, 0, 0.9]) cylinder(d = 11, h = 0.7);
    }
    color("#1f7a45") translate([base - 40, 7.4, 18]) cube([30, 1.4, 65]);
    color("#202020") translate([base - 40 + 1, 8.8, 25]) cube([5, 8.5, 51]);
}
