// The box: Pi, screen, three buttons, buzzer, two lights, and for build A the roll button.
//
// part = "body", "lid" (laid flat for printing), "clips" (for a 2.42" screen), "assembly", "open"
// or "under" (to look at), "report" (tells where everything is, for the test of collisions).

include <common.scad>

part = "assembly";
pi = "zero";            // "zero", or "full" for a Pi 3, 4 or 5
oled = "0.96";          // "0.96", "1.3" or "2.42": the screen's diagonal in inches
roll_button = true;     // build A; builds B and C have a die of their own
tilt = 15;              // how steeply the lid leans towards the players
front = 36;             // height of the front wall

include <screens.scad>

width = pi == "zero" ? 130 : 152;
depth = pi == "zero" ? 92 : 126;
radius = pi == "zero" ? 7 : 4;        // the sockets of a Pi 4 reach almost into the corner
slope = depth / cos(tilt);
back = front + depth * tan(tilt);

// On the lid, from its lower left corner, along and up the slope.
left = large ? 46 : 44;
oled_at = [left, slope - 32];
buttons_at = [[left - 23, 22], [left, 22], [left + 23, 22]];    // up, down, OK
sign_up = 13;           // how far above a button its sign is cut into the lid
lights_x = large ? left + 42 : left - oled_board[0] / 2 - 10;
lights_at = [[lights_x, slope - 23], [lights_x, slope - 35]];
roll_at = [width - 27, 42];
buzzer_at = [width - 27, slope - 20];
corners = [[9, 9], [width - 9, 9], [9, slope - 9], [width - 9, slope - 9]];
// Where the screws of the screen are: through its holes, or beside its edges.
edge_x = oled_board[0] / 2 + 3;
screws_at = [for (sx = [-1, 1], sy = [-1, 1]) large
    ? [oled_at[0] + sx * edge_x, oled_at[1] + sy * 13]
    : [oled_at[0] + sx * oled_holes[0] / 2, oled_at[1] + sy * oled_holes[1] / 2]];
post_high = large ? oled_glass + oled_thick - 0.2 : oled_glass;
post_wide = large ? 5 : 4.2;

// The Pi, its ports towards the back wall: board, holes, pin header, and how high it stands.
pi_board = pi == "zero" ? [65, 30] : [85, 56];
pi_holes = pi == "zero" ? [[3.5, 3.5], [61.5, 3.5], [3.5, 26.5], [61.5, 26.5]]
                        : [[23.5, 3.5], [81.5, 3.5], [23.5, 52.5], [81.5, 52.5]];
pi_header = pi == "zero" ? 7 : 27;
pi_up = 5;
pi_at = [pi == "zero" ? 22 : wall + 1, depth - wall - 1 - pi_board[1]];
// Ports at the back, as [middle from the board's right end, width of the hole]. A micro-USB plug's
// grip is 10.6 x 8.5 mm at most. On a Pi 3, 4 or 5: power, one or two HDMI, sound.
back_ports = pi == "zero" ? [[12.4, 13], [41.4, 11], [54, 11]] : [[10.8, 13.6], [32.7, 26.6], [54, 12]];
port_high = pi == "zero" ? 9 : 12;
// USB and Ethernet of a Pi 3, 4 or 5, as [from the board's back edge, width].
side_ports = [[1, 17.2], [19.5, 17], [37.8, 17]];

// What is put in: [name, shape, corner or middle of the lower end, size or [diameter, height]].
// The roll button: 30 mm, to snap in; its tabs end 36 mm below the lid, wires need 6 mm more.
arcade_depth = 36;
lid_parts = concat(
    [["screen board", "box", [oled_at[0] - oled_board[0] / 2, oled_at[1] - oled_board[1] / 2,
                              -oled_glass - oled_thick], [oled_board[0], oled_board[1], oled_thick]],
     ["screen glass", "box", [oled_at[0] - oled_panel[0] / 2,
                              oled_at[1] + glass_above - oled_panel[1] / 2, -oled_glass],
                             [oled_panel[0], oled_panel[1], oled_glass]],
     ["screen plugs", "box", [oled_at[0] - 5.1, oled_at[1] + oled_board[1] / 2 - 3, -oled_glass - oled_thick - 20],
                             [10.2, 2.6, 20]]],
    [for (n = [0 : 2]) ["button", "tube", [buttons_at[n][0], buttons_at[n][1], -26], [12, 23.5]]],
    [for (n = [0 : 2]) ["nut", "tube", [buttons_at[n][0], buttons_at[n][1], -2.5], [17, 2.5]]],
    [for (n = [0 : 1]) ["light", "tube", [lights_at[n][0], lights_at[n][1], -30], [6, 30]]],
    [["buzzer", "tube", [buzzer_at[0], buzzer_at[1], -14], [16, 14]]],
    [for (at = corners) ["boss", "tube", [at[0], at[1], -30], [8.5, 30]]],
    large ? [for (n = [0 : 3]) ["clip", "box", [screws_at[n][0] - (n < 2 ? 3 : 6), screws_at[n][1] - 3, -post_high - 2], [9, 6, 2]]] : [],
    large ? [for (at = screws_at) ["screen post", "tube", [at[0], at[1], -post_high], [post_wide, post_high]]] : [],
    roll_button ? [["roll button", "tube", [roll_at[0], roll_at[1], -arcade_depth], [28, arcade_depth]],
                   ["roll wires", "tube", [roll_at[0], roll_at[1], -arcade_depth - 6], [18, 6]],
                   ["roll snaps", "tube", [roll_at[0], roll_at[1], -6], [36, 6]]] : []);
board_top = wall + pi_up + 1.4;
box_parts = [
    ["Pi", "box", [pi_at[0], pi_at[1], wall + pi_up], [pi_board[0], pi_board[1], 1.4 + 3.5]],
    ["header plugs", "box", [pi_at[0] + pi_header, pi_at[1] + 0.8, board_top], [51, 5.4, 22]],
    ["card", "box", [pi_at[0] + pi_board[0], pi_at[1] + pi_board[1] / 2 - 7, wall + pi_up - 2], [3, 14, 3]]];

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
    for (port = back_ports)
        translate([pi_at[0] + pi_board[0] - port[0] - port[1] / 2, depth - wall - 2, board_top - 3])
            opening(port[1], port_high, wall + 4);
    if (pi == "full") for (port = side_ports)
        translate([wall + 2, pi_at[1] + pi_board[1] - port[0] - port[1], board_top - 0.5])
            rotate(90) opening(port[1], 18, wall + 4);
}

module cable_slot() {
    // The board's ribbon cables leave at the right, low.
    translate([width + 2, 22, 6]) rotate(90) opening(30, 10, wall + 4);
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
                difference() {
                    for (at = screws_at) translate([at[0], at[1], -post_high])
                        cylinder(d = post_wide, h = post_high + 0.1);
                    glass(0.3);
                }
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
            // Screws of 4 mm hold the screen (6 mm its clips): through the post and half of the lid.
            translate([0, 0, -post_high - 1]) linear_extrude(post_high + 1 + wall / 2)
                for (at = screws_at) translate(at) circle(d = m2_pilot, $fn = 24);
            signs(wall);
            translate([0, 0, -3]) linear_extrude(wall + 6) {
                for (at = buttons_at) translate(at) circle(d = button_hole);
                for (at = lights_at) translate(at) circle(d = led_hole);
                translate(buzzer_at) grille();
                if (roll_button) translate(roll_at) circle(d = arcade_hole);
                for (at = corners) translate(at) circle(d = m3_clear);
            }
        }
    }
}

// The screen's glass, grown by a gap to each side; posts keep off it.
module glass(by) {
    translate([oled_at[0] - oled_panel[0] / 2 - by, oled_at[1] + glass_above - oled_panel[1] / 2 - by, -oled_glass - 9])
        cube([oled_panel[0] + 2 * by, oled_panel[1] + 2 * by, oled_glass + 9]);
}

// Four clips that hold a board by its edge.
module clips() {
    for (n = [0 : 3]) translate([n * 12, 0, 0]) difference() {
        rounded(9, 6, 2, 1);
        translate([3, 3, -1]) cylinder(d = 2.3, h = 4, $fn = 24);
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
            cube([window[0] + 1, window[1] + 1, 0.8], center = true);
        color("#9fe3ff") translate([oled_at[0] - oled_picture[0] / 2, oled_at[1] + oled_above + 1, 0])
            cube([oled_picture[0] * 0.6, oled_picture[1] / 8, 0.3]);
        color("#9fe3ff") translate([oled_at[0] - oled_picture[0] / 2, oled_at[1] + oled_above - oled_picture[1] / 4, 0])
            cube([oled_picture[0] * 0.8, oled_picture[1] / 8, 0.3]);
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

function paint(name) =
    name == "screen board" ? "#1f4f8a" : name == "screen glass" ? "#10131a" : name == "nut" ? "#8a8a8a" :
    name == "roll button" || name == "roll snaps" ? "#8f1d1d" : name == "clip" ? "#d9cdb2" : "#2b2b2b";

// What is screwed, glued and clamped into the lid, seen from inside; the same list is tested.
module parts_below() {
    for (part = lid_parts)
        if (part[0] != "boss" && part[0] != "screen post" && part[0] != "light" && part[0] != "roll wires")
            color(paint(part[0])) translate(part[2])
                if (part[1] == "box") cube(part[3]);
                else cylinder(d = part[3][0], h = part[3][1], $fn = part[0] == "nut" ? 6 : 48);
    color("#35c45f") translate([lights_at[0][0], lights_at[0][1], -7]) cylinder(d = 5, h = 7);
    color("#e0392f") translate([lights_at[1][0], lights_at[1][1], -7]) cylinder(d = 5, h = 7);
    if (!large) color("#8a8a8a") for (at = screws_at)
        translate([at[0], at[1], -oled_glass - oled_thick - 1.2]) cylinder(d = 3.6, h = 1.2);
}

// One line for each part, and for the box itself, to be read by a program.
module report() {
    echo("BOX", width, depth, front, tilt, wall, 0);
    echo("WINDOW", oled_at[0] - window[0] / 2, oled_at[1] + oled_above - window[1] / 2, window[0], window[1]);
    echo("PICTURE", oled_at[0] - oled_picture[0] / 2, oled_at[1] + oled_above - oled_picture[1] / 2, oled_picture[0], oled_picture[1]);
    for (part = lid_parts) echo("LID", part);
    for (part = box_parts) echo("INSIDE", part);
    for (at = screws_at) echo("SCREW", at[0], at[1], post_wide);
    for (port = back_ports) echo("PORT", port[0], port[1]);
    echo("GRILLE", 2.5 * 2 + 0.9, 12.6 / 2);
}

// Pictures show the finished solids if `made` names their STL files; else they are made here.
made = ["", ""];    // body, lid

module lid_flat() {
    rotate([180, 0, 0]) translate([0, 0, -wall]) rotate([-tilt, 0, 0]) translate([0, 0, -front]) lid();
}

if (part == "report") report();
else if (part == "body") body();
else if (part == "clips") clips();
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
