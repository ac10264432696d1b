// Things that help to build: a drilling jig, a jig for pawns, a cradle for the board's Pico, a coupon.
//
// part = "jig", "pawn-jig", "cradle", "coupon", or "all" to look at.

include <common.scad>

part = "all";
pitch = 24;             // from place to place
base = 12;              // a pawn's foot
magnet = [5, 3];
hole = 3.5;             // of a reed
plate = 5;

// Lies on the plate: a drill's shank through one hole and a finished one, the next holes follow.
module jig() {
    difference() {
        rounded(4 * pitch + 16, 16, 10, 3);
        for (n = [0 : 4]) translate([8 + n * pitch, 8, -1]) cylinder(d = hole + 0.15, h = 12, $fn = 32);
        for (n = [0 : 4]) translate([8 + n * pitch - 0.4, -1, 9.4]) cube([0.8, 18, 1]);
    }
}

// A cap on a wooden pawn's foot that leads the drill into its middle. Beside it a pocket with a dot
// keeps one magnet, dot up: a finished pawn held over it must be pushed away.
module pawn_jig() {
    difference() {
        hull() {
            cylinder(d = base + 6, h = 14);
            translate([base / 2 + 11, 0, 0]) cylinder(d = magnet[0] + 6, h = 14);
        }
        translate([0, 0, 8]) cylinder(d = base + 0.4, h = 7);
        translate([0, 0, -1]) cylinder(d = magnet[0] + 0.1, h = 16);
        translate([base / 2 + 11, 0, 14 - magnet[1] - 0.1]) cylinder(d = magnet[0] + 0.2, h = magnet[1] + 1);
        // the dot: a ring round the pocket
        translate([base / 2 + 11, 0, 13.5]) difference() {
            cylinder(d = magnet[0] + 3.6, h = 1);
            translate([0, 0, -1]) cylinder(d = magnet[0] + 2.2, h = 3);
        }
    }
}

// Screwed under the plate. The Pico H lies in it chip down, its pins towards you, USB outwards. Its
// screws are those of the cover, 12 mm long: the ear is so high that they end inside the plate.
ear = 8;
pico_holes = [[2, 4.8], [2, 16.2], [49, 4.8], [49, 16.2]];
module cradle() {
    difference() {
        union() {
            rounded(66, 21, 2.4, 3);
            rounded(12, 21, ear, 3);
            for (at = pico_holes) translate([at[0] + 14, at[1], 2.3]) cylinder(d = 4.4, h = 4.1);
        }
        for (at = pico_holes) translate([at[0] + 14, at[1], -1]) cylinder(d = m2_pilot, h = 9);
        for (y = [5, 16]) translate([6, y, -1]) cylinder(d = 3.4, h = ear + 2);
    }
}

// Three places, 24 and 20 mm apart, on legs: try reed, magnet and print before you drill a hundred.
// Printed upside down; the outlines of the squares are on its face.
module coupon() {
    spots = [14, 38, 58];
    sides = [22.6, 18.8, 18.8];
    difference() {
        union() {
            rounded(72, 30, plate, 3);
            for (y = [0, 27]) translate([0, y, 0]) cube([72, 3, plate + 27]);
        }
        for (n = [0 : 2]) translate([spots[n], 15, 0]) {
            translate([0, 0, -1]) cylinder(d = hole + 0.1, h = plate + 2, $fn = 32);
            difference() {
                translate([-sides[n] / 2, -sides[n] / 2, -0.01]) cube([sides[n], sides[n], 0.4]);
                translate([-sides[n] / 2 + 0.8, -sides[n] / 2 + 0.8, -1]) cube([sides[n] - 1.6, sides[n] - 1.6, 3]);
            }
        }
    }
}

if (part == "jig") jig();
else if (part == "pawn-jig") pawn_jig();
else if (part == "cradle") cradle();
else if (part == "coupon") coupon();
else {
    color("#c8b48a") render() jig();
    translate([10, 44, 0]) color("#8fb5c9") render() pawn_jig();
    translate([48, 34, 0]) color("#b3a27f") render() cradle();
    translate([20, 72, plate + 27]) mirror([0, 0, 1]) color("#d9cdb2") render() coupon();
}
