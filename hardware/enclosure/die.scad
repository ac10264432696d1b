// The die: seven pips, a big button, a Pico, and perhaps a shake switch.
//
// part = "shell", "bottom" (both as they lie on the printer), "assembly" or "open" (to look at),
// "report" (tells where everything is, for the test of collisions).

include <common.scad>

part = "assembly";
width = 112;
depth = 72;
height = 48;            // the button's tabs end 36 mm below its rim, wires need 6 mm more
radius = 12;
pip = 14;               // from pip to pip

pips_at = [34, depth / 2];
button_at = [width - 32, depth / 2];
corners = [[9, 9], [width - 9, 9], [9, depth - 9], [width - 9, depth - 9]];

// The Pico stands on the bottom, its USB socket in the left wall.
pico_board = [51, 21];
pico_at = [wall + 1.5, depth / 2 - pico_board[1] / 2];
pico_holes = [[2, 4.8], [2, 16.2], [49, 4.8], [49, 16.2]];
pico_up = 4;

// Two above, three across the middle, two below: the order in which the firmware counts them.
pips = [[-1, 1], [1, 1], [-1, 0], [0, 0], [1, 0], [-1, -1], [1, -1]];

module shell() {
    difference() {
        union() {
            difference() {
                dome();
                translate([0, 0, -1]) inset(width, depth, height - wall + 1, radius, wall);
            }
            intersection() {
                inset(width, depth, height - 1, radius, wall - 0.1);
                for (at = corners) translate([at[0], at[1], wall]) cylinder(d = 9, h = height - wall - 1);
            }
        }
        for (at = corners) translate([at[0], at[1], -1]) cylinder(d = m3_pilot, h = 18);
        for (spot = pips) translate([pips_at[0] + pip * spot[0], pips_at[1] + pip * spot[1], height - wall - 1])
            cylinder(d = led_hole, h = wall + 2);
        translate([button_at[0], button_at[1], height - wall - 1]) cylinder(d = arcade_hole, h = wall + 2);
        // USB plug, open at the bottom so that the Pico slides in with it
        translate([-1, depth / 2 - 6, -1]) cube([wall + 2, 12, wall + pico_up + 8]);
        // a line round the pips, so that they read as the face of a die
        translate([pips_at[0], pips_at[1], height - 0.6]) difference() {
            frame(23.5);
            translate([0, 0, -1]) frame(22.5);
        }
    }
}

module frame(half) {
    translate([-half, -half, 0]) rounded(2 * half, 2 * half, 5, 7);
}

// The outer shape, its upper edge rounded off.
module dome() {
    hull() {
        rounded(width, depth, height - 3, radius);
        translate([0, 0, height - 3.1]) inset(width, depth, 1.6, radius, 0.8);
        translate([0, 0, height - 1]) inset(width, depth, 1, radius, 2.6);
    }
}

module bottom() {
    difference() {
        union() {
            inset(width, depth, wall, radius, wall + gap);
            for (hole = pico_holes)
                translate([pico_at[0] + hole[0], pico_at[1] + hole[1], wall - 0.1]) post(pico_up + 0.1, 4.4, m2_pilot);
        }
        for (at = corners) translate([at[0], at[1], 0]) {
            translate([0, 0, -1]) cylinder(d = m3_clear, h = wall + 2);
            translate([0, 0, -0.01]) cylinder(d1 = 6.4, d2 = m3_clear, h = 1.6);
        }
    }
}

module fittings() {
    for (spot = pips) color("#d62828")
        translate([pips_at[0] + pip * spot[0], pips_at[1] + pip * spot[1], height]) {
            cylinder(d = 5, h = 0.6);
            translate([0, 0, 0.6]) sphere(d = 5);
        }
    translate([button_at[0], button_at[1], height]) {
        color("#1b4e8f") cylinder(d = 34, h = 3.5);
        color("#2a62b4") cylinder(d = 25, h = 8);
    }
}

module the_pico() {
    translate([pico_at[0], pico_at[1], wall + pico_up]) {
        color("#1f7a45") cube([pico_board[0], pico_board[1], 1]);
        color("#b9bdc2") translate([-1.3, pico_board[1] / 2 - 4, 1]) cube([6, 8, 2.8]);
        color("#2b2b2b") translate([22, 7, 1]) cube([7, 7, 1]);
    }
}

// What hangs from the top and what lies on the bottom, as in box.scad.
button_depth = 36;
top_parts = concat(
    [for (spot = pips) ["pip", "tube", [pips_at[0] + pip * spot[0], pips_at[1] + pip * spot[1], -30], [6, 30]]],
    [for (at = corners) ["boss", "tube", [at[0], at[1], -30], [9, 30]]],
    [["button", "tube", [button_at[0], button_at[1], -button_depth], [28, button_depth]],
     ["button wires", "tube", [button_at[0], button_at[1], -button_depth - 6], [18, 6]],
     ["button snaps", "tube", [button_at[0], button_at[1], -6], [36, 6]]]);
bottom_parts = [
    ["Pico", "box", [pico_at[0], pico_at[1], wall + pico_up], [pico_board[0], pico_board[1], 1 + 2.8]]];

module report() {
    echo("BOX", width, depth, height - wall, 0, wall, 0);
    for (part = top_parts) echo("LID", part);
    for (part = bottom_parts) echo("INSIDE", part);
}

// Pictures show the finished solids if `made` names their STL files; else they are made here.
made = ["", ""];    // bottom, shell

if (part == "report") report();
else if (part == "shell") rotate([180, 0, 0]) translate([0, 0, -height]) shell();
else if (part == "bottom") bottom();
else {
    color("#b3a27f") if (made[0] == "") render() bottom(); else import(made[0]);
    the_pico();
    translate([0, 0, part == "open" ? 55 : 0]) {
        color("#d9cdb2") if (made[1] == "") render() shell(); else
            translate([0, 0, height]) rotate([180, 0, 0]) import(made[1]);
        fittings();
    }
}
