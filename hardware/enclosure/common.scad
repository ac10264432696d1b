// Pieces that both enclosures are made of. All lengths in mm.

$fn = 48;

wall = 2.4;        // three lines of a 0.4 mm nozzle twice over
gap = 0.3;         // between parts that slide into each other
m3_clear = 3.4;
m3_pilot = 2.6;    // an M3 screw cuts its own thread in here
m2_pilot = 1.7;    // and an M2 screw in here
button_hole = 12.2;
arcade_hole = 30.2;
led_hole = 5.2;

// A plate or column with round upright edges, its corner at the origin.
module rounded(width, depth, height, radius) {
    linear_extrude(height)
        translate([radius, radius])
            offset(r = radius) square([width - 2 * radius, depth - 2 * radius]);
}

// The same, smaller by an inset all round.
module inset(width, depth, height, radius, by) {
    translate([by, by, 0]) rounded(width - 2 * by, depth - 2 * by, height, max(radius - by, 0.5));
}

// A post with a hole for a screw.
module post(height, outer, pilot) {
    difference() {
        cylinder(d = outer, h = height);
        translate([0, 0, -1]) cylinder(d = pilot, h = height + 2);
    }
}

// A triangle that points up, or down if turned by 180 degrees, to be cut into a face.
module triangle(size, depth) {
    translate([0, 0, -depth]) linear_extrude(depth + 0.1)
        polygon([[0, 0.6 * size], [0.6 * size, -0.4 * size], [-0.6 * size, -0.4 * size]]);
}

// A tick, likewise.
module tick(size, depth) {
    translate([0, 0, -depth]) linear_extrude(depth + 0.1)
        polygon(size * [[-0.7, 0], [-0.45, 0.25], [-0.2, 0], [0.5, 0.7], [0.75, 0.45], [-0.2, -0.5]]);
}

// Holes for sound, in rings, all inside the buzzer's own ring.
module grille() {
    circle(d = 2, $fn = 12);
    for (ring = [1, 2], n = [0 : 6 * ring - 1])
        rotate(n * 60 / ring) translate([2.5 * ring, 0]) circle(d = 1.8, $fn = 12);
}

// A hole in an upright wall along x, its upper corners cut off so that no bridge is longer than `most`.
most = 18;
module opening(width, height, through) {
    corner = max(0, (width - most) / 2);
    rotate([90, 0, 0]) translate([0, 0, -through]) linear_extrude(through)
        polygon([[0, 0], [width, 0], [width, height - corner], [width - corner, height],
                 [corner, height], [0, height - corner]]);
}
