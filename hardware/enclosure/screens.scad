// The screens that box and stand hold, by `oled`, the diagonal in inches, set before. Lengths in mm.
//
// Header pins up. Picture and glass: data sheets of the panels. Boards: makers' pages.
// 0.96": holes and the picture's place as three people measured theirs (23.5 x 23.5 to 23.8; 1.75 to
// 1.8 mm above the middle), which agrees with the panel: 2.1 mm from the glass's edge to the picture.
// 1.3": holes and place differ by maker by a millimetre, so the window is wider.
// 2.42": Waveshare's board, whose holes are not published: it is clamped at its sides.
small = oled == "0.96";
large = oled == "2.42";
oled_board = small ? [27.3, 27.8] : large ? [61.5, 39.5] : [35.5, 33.7];
oled_holes = small ? [23.5, 23.8] : [30.4, 28.5];
oled_picture = small ? [21.74, 10.86] : large ? [55.01, 27.49] : [29.42, 14.7];
oled_above = small ? 1.75 : large ? 1.5 : 1.7;      // the picture's middle above the board's
oled_margin = small ? 1.2 : large ? 2.5 : 1.5;      // of the window, on each side of the picture
oled_panel = small ? [26.7, 19.26] : large ? [60.5, 37] : [34.5, 23];
oled_rim = 2.1;         // from the glass's upper edge to the picture
oled_glass = 1.8;       // how far the glass stands above the board
oled_thick = large ? 1.6 : 1.2;                     // the board itself
glass_above = large ? 0 : oled_above + oled_picture[1] / 2 + oled_rim - oled_panel[1] / 2;
window = [oled_picture[0] + 2 * oled_margin, oled_picture[1] + 2 * oled_margin];
