// A pawn with a pocket for its magnet. Its shape is that of the piece on the box's screen, so that
// fingers and eyes that see no colours tell it apart. Printed standing, no support, filled whole.

include <common.scad>

rows = ["#####", "#####", "#####", "#####", "#####"];     // from companion/screens/maps.py
base = 12;              // diameter of the foot
magnet = [5, 3];        // diameter and thickness
tall = 30;
foot = 10;              // height of the foot: weight that keeps it in place
part = "pawn";          // or "set": all four shapes side by side, to look at
shapes = [rows];        // of the set
colours = ["#888888"];

dot = (base / sqrt(2) - 0.9) / 5;       // one dot of the screen; the shape stays within the foot

module outline(rows) {
    offset(delta = 0.42) for (y = [0 : 4], x = [0 : 4]) if (rows[y][x] == "#")
        translate([(x - 2.5) * dot, (1.5 - y) * dot]) square(dot + 0.01);
}

module pawn(rows) {
    difference() {
        union() {
            cylinder(d1 = base - 0.8, d2 = base, h = 0.4);
            translate([0, 0, 0.4]) cylinder(d = base, h = foot - 1.4);
            translate([0, 0, foot - 1]) cylinder(d1 = base, d2 = base - 0.6, h = 1);
            translate([0, 0, foot - 0.5]) linear_extrude(tall - foot + 0.5, scale = 1.12) outline(rows);
        }
        translate([0, 0, -0.01]) cylinder(d = magnet[0] + 0.2, h = magnet[1] + 0.2);
    }
}

if (part == "set") for (n = [0 : len(shapes) - 1])
    translate([n * base * 1.7, 0, 0]) color(colours[n]) render() pawn(shapes[n]);
else pawn(rows);
