// The box: Pi, screen, three buttons, buzzer, two lights, and for build A the roll button.
//
// part = "body", "lid" (laid flat for printing), "assembly", "open" or "under" (to look at).

include <common.scad>

part = "assembly";
pi = "zero";            // "zero", or "full" for a Pi 3, 4 or 5
oled = "0.96";          // "0.96", "1.3" or "2.42": the screen's diagonal in inches
roll_button = true;     // build A; builds B and C have a die of their own
tilt = 15;              // how steeply the lid leans towards the players
front = 34;             // height of the front wall

width = pi == "zero" ? 130 : 152;
depth = pi == "zero" ? 92 : 126;
radius = 7;
slope = depth / cos(tilt);
back = front + depth * tan(tilt);

// The screens: board, mounting holes, picture, and how far the picture lies above the middle.
oled_board = oled == "0.96" ? [27.3, 27.8] : oled == "1.3" ? [35.5, 33.7] : [72, 43];
oled_holes = oled == "0.96" ? [23.5, 23.8] : oled == "1.3" ? [30.4, 28.5] : [67, 38];
oled_picture = oled == "0.96" ? [21.8, 10.9] : oled == "1.3" ? [29.5, 14.8] : [55.1, 27.6];
oled_above = oled == "0.96" ? 0.7 : oled == "1.3" ? 1.4 : 0;
oled_glass = 1.8;       // how far the glass stands above the board
window = [oled_picture[0] + 2, oled_picture[1] + 2];

// On the lid, from its lower left corner, along and up the slope.
left = oled == "2.42" ? 50 : 44;
oled_at = [left, slope - 32];
buttons_at = [[left - 23, 22], [left, 22], [left + 23, 22]];    // up, down, OK
sign_up = 13;           // how far above a button its sign is cut into the lid
lights_at = [[left - oled_board[0] / 2 - 10, slope - 26], [left - oled_board[0] / 2 - 10, slope - 38]];
roll_at = [width - 30, pi == "zero" ? 42 : 34];
buzzer_at = [width - 30, slope - 22];
corners = [[9, 9], [width - 9, 9], [9, slope - 9], [width - 9, slope - 9]];

// The Pi, its ports towards the back wall: board, holes, pin header, and how high it stands.
pi_board = pi == "zero" ? [65, 30] : [85, 56];
pi_holes = pi == "zero" ? [[3.5, 3.5], [61.5, 3.5], [3.5, 26.5], [61.5, 26.5]]
                        : [[23.5, 3.5], [81.5, 3.5], [23.5, 52.5], [81.5, 52.5]];
pi_header = pi == "zero" ? 7 : 27;
pi_up = 5;
pi_at = [pi == "zero" ? 22 : wall + 1, depth - wall - 1 - pi_board[1]];
// Ports at the back, as [middle from the board's right end, width of the hole for the plug].
back_ports = pi == "zero" ? [[12.4, 13], [41.4, 12], [54, 12]] : [[33, 60]];

module above_slope() {
    translate([-50, 0, front]) rotate([tilt, 0, 0]) translate([0, -50, 0])
        cube([width + 100, slope + 150, 200]);
}

module on_lid() {
    translate([0, 0, front]) rotate([tilt, 0, 0]) children();
}

module wedge(by, floor) {
    difference() {
        translate([0, 0, floor]) inset(width, depth, back + 20, radius, by);
        above_slope();
    }
}

module pi_posts() {
    for (hole = pi_holes)
        translate([pi_at[0] + hole[0], pi_at[1] + hole[1], wall - 0.1]) post(pi_up + 0.1, 6, 2.1);
}

module bosses() {
    intersection() {
        wedge(wall - 0.1, wall - 0.1);
        on_lid() for (at = corners) translate([at[0], at[1], -60]) cylinder(d = 8.5, h = 60);
    }
}

module port_holes() {
    board_top = wall + pi_up + 1.4;
    for (port = back_ports)
        translate([pi_at[0] + pi_board[0] - port[0] - port[1] / 2, depth - wall - 2, board_top - 2.6])
            cube([port[1], wall + 4, 8.5]);
    if (pi == "full")      // USB and Ethernet
        translate([-2, pi_at[1] + 1, board_top - 0.5]) cube([wall + 4, 54, 18]);
}

module cable_slot() {
    // The board's ribbon cables leave at the right, low.
    translate([width - wall - 2, 22, 6]) cube([wall + 4, 30, 5]);
}

module body() {
    difference() {
        union() {
            difference() {
                wedge(0, 0);
                translate([0, 0, wall]) inset(width, depth, back + 20, radius, wall);
            }
            pi_posts();
            bosses();
        }
        on_lid() for (at = corners)
            translate([at[0], at[1], -14]) cylinder(d = m3_pilot, h = 20);
        port_holes();
        cable_slot();
        for (n = [0 : 7])      // air
            translate([18 + n * (width - 44) / 7, 30, -1]) rounded(3, 22, wall + 2, 1.4);
    }
}

module lid_shape() {
    intersection() {
        rounded(width, depth, back + 40, radius);
        on_lid() translate([-10, -20, 0]) cube([width + 20, slope + 40, wall]);
    }
    // A rim that holds the lid in place, open at the screws.
    intersection() {
        difference() {
            inset(width, depth, back + 40, radius, wall + gap);
            translate([0, 0, -1]) inset(width, depth, back + 42, radius, wall + gap + 1.6);
        }
        on_lid() difference() {
            translate([-10, -20, -2.5]) cube([width + 20, slope + 40, 2.6]);
            for (at = corners) translate([at[0], at[1], -10]) cylinder(d = 16, h = 20);
        }
    }
}

module lid() {
    difference() {
        union() {
            lid_shape();
            on_lid() {
                for (sx = [-1, 1], sy = [-1, 1])
                    translate([oled_at[0] + sx * oled_holes[0] / 2, oled_at[1] + sy * oled_holes[1] / 2,
                               -oled_glass]) cylinder(d = 4.2, h = oled_glass + 0.1);
                translate([buzzer_at[0], buzzer_at[1], -5]) difference() {
                    cylinder(d = 16, h = 5.1);
                    translate([0, 0, -1]) cylinder(d = 12.6, h = 7);
                }
            }
        }
        on_lid() {
            // The window widens outwards, so that the picture is seen from the side.
            translate([oled_at[0], oled_at[1] + oled_above, 0]) hull() {
                translate([0, 0, -0.1]) cube([window[0], window[1], 0.02], center = true);
                translate([0, 0, wall + 0.1])
                    cube([window[0] + 4, window[1] + 4, 0.02], center = true);
            }
            // Screws of 4 mm hold the screen: through its board, the post and half of the lid.
            for (sx = [-1, 1], sy = [-1, 1])
                translate([oled_at[0] + sx * oled_holes[0] / 2, oled_at[1] + sy * oled_holes[1] / 2,
                           -oled_glass - 1]) cylinder(d = m2_pilot, h = oled_glass + 1 + wall / 2);
            for (at = buttons_at) translate([at[0], at[1], -1]) cylinder(d = button_hole, h = wall + 2);
            signs(wall);
            for (at = lights_at) translate([at[0], at[1], -1]) cylinder(d = led_hole, h = wall + 2);
            translate([buzzer_at[0], buzzer_at[1], 0]) grille(wall);
            if (roll_button) translate([roll_at[0], roll_at[1], -1]) cylinder(d = arcade_hole, h = wall + 2);
            for (at = corners) translate([at[0], at[1], -3]) cylinder(d = m3_clear, h = wall + 6);
        }
    }
}

// What the three buttons mean, cut into the lid; in the pictures painted.
module signs(at) {
    translate([buttons_at[0][0], buttons_at[0][1] + sign_up, at]) triangle(6, 0.6);
    translate([buttons_at[1][0], buttons_at[1][1] + sign_up, at]) rotate(180) triangle(6, 0.6);
    translate([buttons_at[2][0], buttons_at[2][1] + sign_up, at]) tick(5, 0.6);
}

module fittings() {
    on_lid() {
        color("#3b3b3f") signs(wall - 0.12);
        color("#10131a") translate([oled_at[0], oled_at[1] + oled_above, -0.5])
            cube([window[0] + 4, window[1] + 4, 0.8], center = true);
        color("#9fe3ff") translate([oled_at[0] - window[0] / 2 + 2, oled_at[1] + oled_above + 2, 0])
            cube([window[0] * 0.5, 1, 0.3]);
        color("#9fe3ff") translate([oled_at[0] - window[0] / 2 + 2, oled_at[1] + oled_above - 2, 0])
            cube([window[0] * 0.7, 1, 0.3]);
        for (n = [0 : 2]) translate([buttons_at[n][0], buttons_at[n][1], wall]) {
            color("#3b3b3f") cylinder(d = 15, h = 1.6);
            color(n == 2 ? "#2f8b4f" : "#e8e4da") cylinder(d = 9.5, h = 4.5);
        }
        color("#35c45f") translate([lights_at[0][0], lights_at[0][1], wall - 0.5]) light();
        color("#e0392f") translate([lights_at[1][0], lights_at[1][1], wall - 0.5]) light();
        if (roll_button) translate([roll_at[0], roll_at[1], wall]) {
            color("#8f1d1d") cylinder(d = 34, h = 3.5);
            color("#d62828") cylinder(d = 25, h = 7.5);
        }
        color("#8a8a8a") for (at = corners) translate([at[0], at[1], wall]) cylinder(d = 5.6, h = 1.6);
    }
}

module light() {
    cylinder(d = 5, h = 1.5);
    translate([0, 0, 1.5]) sphere(d = 5);
}

module the_pi() {
    translate([pi_at[0], pi_at[1], wall + pi_up]) {
        color("#1f7a45") cube([pi_board[0], pi_board[1], 1.4]);
        color("#202020") translate([pi_header, 1, 1.4]) cube([51, 5, 8.5]);
        color("#b9bdc2") for (port = pi == "zero" ? back_ports : [[11.2, 13], [26, 11], [39.5, 11]])
            translate([pi_board[0] - port[0] - port[1] / 2 + 2, pi_board[1] - 5, 1.4])
                cube([port[1] - 4, 6, 3]);
        color("#b9bdc2") if (pi == "full") for (n = [0 : 2])
            translate([-2, 2 + n * 18, 1.4]) cube([17, 15, 15]);
        color("#2b2b2b") translate([pi_board[0] / 2 - 6, pi_board[1] / 2 - 4, 1.4]) cube([12, 12, 1.2]);
    }
}

// What is screwed, glued and clamped into the lid, seen from inside; in the lid's own coordinates.
module parts_below() {
    board_at = [oled_at[0], oled_at[1], -oled_glass - 1.2];
    color("#1f4f8a") translate([board_at[0] - oled_board[0] / 2, board_at[1] - oled_board[1] / 2, board_at[2]])
        cube([oled_board[0], oled_board[1], 1.2]);
    color("#202020") translate([board_at[0] - 5.1, board_at[1] + oled_board[1] / 2 - 3, board_at[2] - 2.5])
        cube([10.2, 2.5, 2.5]);
    color("#d8b13a") for (n = [0 : 3])
        translate([board_at[0] - 4.1 + 2.54 * n, board_at[1] + oled_board[1] / 2 - 2, board_at[2] - 8.5])
            cube([0.6, 0.6, 8]);
    color("#8a8a8a") for (sx = [-1, 1], sy = [-1, 1])
        translate([board_at[0] + sx * oled_holes[0] / 2, board_at[1] + sy * oled_holes[1] / 2, board_at[2] - 1.2])
            cylinder(d = 3.6, h = 1.2);
    for (at = buttons_at) translate([at[0], at[1], 0]) {
        color("#8a8a8a") translate([0, 0, -2]) cylinder(d = 16, h = 2, $fn = 6);
        color("#2b2b2b") translate([0, 0, -20]) cylinder(d = 11.5, h = 20);
    }
    color("#35c45f") translate([lights_at[0][0], lights_at[0][1], -7]) cylinder(d = 5, h = 7);
    color("#e0392f") translate([lights_at[1][0], lights_at[1][1], -7]) cylinder(d = 5, h = 7);
    color("#2b2b2b") translate([buzzer_at[0], buzzer_at[1], -7]) cylinder(d = 12.2, h = 6.5);
    if (roll_button) translate([roll_at[0], roll_at[1], 0]) {
        color("#8f1d1d") translate([0, 0, -5]) cylinder(d = 36, h = 5);
        color("#8f1d1d") translate([0, 0, -26]) cylinder(d = 27, h = 26);
        color("#2b2b2b") translate([-8, -5, -36]) cube([16, 10, 12]);
    }
}

// Pictures show the finished solids if `made` names their STL files; else they are made here.
made = ["", ""];    // body, lid

module lid_flat() {
    rotate([180, 0, 0]) translate([0, 0, -wall]) rotate([-tilt, 0, 0]) translate([0, 0, -front]) lid();
}

if (part == "body") body();
else if (part == "lid") lid_flat();
else if (part == "under") {
    color("#d9cdb2") if (made[1] == "") render() lid_flat(); else import(made[1]);
    rotate([180, 0, 0]) translate([0, 0, -wall]) parts_below();
}
else {
    color("#b3a27f") if (made[0] == "") render() body(); else import(made[0]);
    the_pi();
    translate([0, 0, part == "open" ? 75 : 0.05]) {
        color("#d9cdb2") if (made[1] == "") render() lid(); else on_lid()
            translate([0, 0, wall]) rotate([180, 0, 0]) import(made[1]);
        fittings();
    }
}
