/* Plays many games at once from tables that were made by asking the articles (see forms.py).
 *
 * Nothing here knows a sheet: numbers, steps, meetings and the forms of the clauses come in a `game`.
 * What a form does is what the clause of the same name in companion/rules does; the tests play both.
 * No memory is asked for, nothing is read or written but what the caller hands over, and chance
 * comes from the caller's seed: same seed, same answer, here and in Python.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SEATS = 4, PIECES = 4, WAY = 80, KEYS = 9, TARGETS = 3, OWED = 8, MOST_MOVES = 48 };
enum { BASE = -1, NOBODY = -1, NEVER = -2, REPLACED_FACE = 6, FIRST_BONUS = 7 };
enum { SCALE = 64, CARDS = 28, LAYS = 32 };

/* The forms of clauses; forms.py numbers them in the same way. */
enum {
    OWN_PIECE_THERE = 1 << 0,
    OWN_PIECE_ON_SINGLE_SQUARE = 1 << 1,
    OTHERS_BARRIER = 1 << 2,
    ANY_BARRIER = 1 << 3,
    JUMPS_IN_THE_FINISH = 1 << 4,
    BACKWARDS_TO_CAPTURE = 1 << 5,
    PAIR_MOVES_WHOLE = 1 << 6,
    ENDS_ON_TWO = 1 << 7,
    SQUARE_IS_FULL = 1 << 8
};
enum { NO_DUTY, CLEAR_THE_START, BRING_IN_WITH_A_SIX, BRING_IN_WITH_A_FIVE, OPEN_A_BARRIER };
enum { NO_AFTER, CAPTURE, CAPTURE_OR_RETURN, PENALTY, MAKE_ROOM_ON_THE_START };
enum { ONE_ROLL, THREE_ROLLS, TRIES_WITH_NOBODY_OUT };
enum { EARNS_NOTHING, CAPTURED_SOMETHING, GOT_HOME };

typedef struct {
    int8_t pieces[SEATS][PIECES];
    int8_t home[SEATS];
    int8_t throws[SEATS];  /* while they roll for the start: -1 takes no part, 0 has yet to roll */
    int8_t owed[OWED];
    int8_t homes, owing, opening, seat, rolls, moved;
    int16_t sixes;
} position;

typedef struct {
    int8_t seat, face, origin, target, size;  /* size 0 is a pass; a lay is its number in `lays` */
} move;

typedef struct {
    int8_t steps[SEATS][KEYS][2][WAY][TARGETS + 1];  /* how many, then the targets */
    int8_t square[SEATS][WAY];
    int8_t meets[SEATS][WAY][SEATS];   /* the progress of another colour that is captured there */
    int8_t beside[SEATS][WAY][SEATS];  /* the same for any square that both come by */
    uint8_t threat[SEATS][WAY][SEATS][WAY];  /* faces with which their piece captures mine */
    int8_t lays[6][LAYS][4];           /* by face, the cards on each stack */
    uint32_t lawful[2401][6];          /* by own heights and face, which of the lays */
    int8_t counts[SEATS];              /* pieces of each colour; none where it does not play */
    int8_t following[SEATS];
    int8_t hands[SEATS][2];            /* the colours that a seat moves; -1 is none */
    int8_t player[SEATS];              /* the number of the player of a seat; -1 is none */
    int8_t again[7], ranks[7];
    int8_t compels[4], captures[4], entering[4], after[4], earns_roll[4], earns_squares[4];
    int8_t squares_earned[4], bonuses[2];
    int8_t is_cards, last, arrived, track_end, neutral, players, first_wins, most_sixes;
    int8_t has_home, may_keep_the_pairs, turn_rolls, settles, owes, keeps_moved;
    int8_t replaced_face, room, start, first_finish, two_are_safe, full;
    uint32_t forbids;
} game;

typedef struct {
    int32_t own[WAY], theirs[WAY];  /* what a piece is worth by its progress */
    int32_t danger, chase, random;
} level;

typedef struct {
    int64_t games, unfinished, rolls;
} tally;

int odds_size(int what) {
    return what == 0   ? (int)sizeof(game)
           : what == 1 ? (int)sizeof(position)
           : what == 2 ? (int)sizeof(move)
           : what == 3 ? (int)sizeof(level)
                       : (int)sizeof(tally);
}

/* -- chance ------------------------------------------------------------------------------ */

static const uint64_t STEP = 0x9E3779B97F4A7C15u;

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint64_t stream(uint64_t seed, uint64_t number) {
    return mix(seed + mix(number + STEP));
}

static int draw(uint64_t *state, int below) {
    *state += STEP;
    return (int)(((mix(*state) >> 32) * (uint64_t)below) >> 32);
}

/* The chance of one play-out. Every seat has dice of its own, counted from the first roll of the
 * game, so that play-outs of neighbouring positions go on alike; in every six play-outs each roll of
 * each seat shows each face once. Choices among equal moves are drawn apart from them. */
typedef struct {
    uint64_t dice[SEATS], choice;
    int turned;
} chance;

static chance chance_of(uint64_t seed, int64_t number, const int32_t *rolled) {
    chance c;
    uint64_t six = stream(seed, (uint64_t)(number / 6));
    for (int seat = 0; seat < SEATS; seat++)
        c.dice[seat] = mix(six + (uint64_t)seat + 1) + (uint64_t)rolled[seat] * STEP;
    c.choice = mix(stream(seed, (uint64_t)number));
    c.turned = (int)(number % 6);
    return c;
}

static int roll(chance *c, int seat) { return (draw(&c->dice[seat], 6) + c->turned) % 6 + 1; }

/* -- pieces ------------------------------------------------------------------------------ */

static int count_of(const game *g, const position *p, int seat, int progress) {
    int found = 0;
    for (int i = 0; i < g->counts[seat]; i++) found += p->pieces[seat][i] == progress;
    return found;
}

static void put(const game *g, position *p, int seat, int from, int to) {
    int8_t *own = p->pieces[seat];
    int n = g->counts[seat], i = 0;
    while (i < n && own[i] != from) i++;
    if (i == n) return;
    for (; i + 1 < n && own[i + 1] < to; i++) own[i] = own[i + 1];
    for (; i > 0 && own[i - 1] > to; i--) own[i] = own[i - 1];
    own[i] = (int8_t)to;
}

static int is_home(const position *p, int seat) {
    for (int i = 0; i < p->homes; i++)
        if (p->home[i] == seat) return 1;
    return 0;
}

static int settled(const game *g, const position *p) {
    return g->neutral < 0 || p->pieces[g->neutral][0] >= g->arrived;
}

static int takes_turns(const game *g, const position *p, int seat) {
    return !is_home(p, seat) || !settled(g, p);
}

/* -- what may be played ------------------------------------------------------------------ */

typedef struct {
    int8_t own[PIECES], theirs[SEATS * PIECES];
    int owns, others;
} barriers;

/* Where two of a colour stand, counted on the way of the colour that moves. */
static void find_barriers(const game *g, const position *p, int seat, barriers *found) {
    found->owns = found->others = 0;
    for (int other = 0; other < SEATS; other++)
        for (int i = 1; i < g->counts[other]; i++) {
            int at = p->pieces[other][i];
            if (at == BASE || at != p->pieces[other][i - 1] || g->square[other][at + 1] < 0) continue;
            if (other == seat) {
                found->own[found->owns++] = (int8_t)at;
            } else {
                int here = g->beside[other][at + 1][seat];
                if (here >= 0) found->theirs[found->others++] = (int8_t)here;
            }
        }
}

static int walks_over(const int8_t *squares, int n, int origin, int target) {
    for (int i = 0; i < n; i++)
        if (target >= origin ? squares[i] > origin && squares[i] <= target
                             : squares[i] >= target && squares[i] < origin)
            return 1;
    return 0;
}

static int captures_anything(const game *g, const position *p, const move *m) {
    const int8_t *met = g->meets[m->seat][m->target + 1];
    for (int other = 0; other < SEATS; other++)
        if (met[other] != NEVER && count_of(g, p, other, met[other])) return 1;
    return 0;
}

static int others_on(const game *g, const position *p, int seat, int progress) {
    int found = 0;
    const int8_t *beside = g->beside[seat][progress + 1];
    for (int other = 0; other < SEATS; other++)
        if (beside[other] != NEVER) found += count_of(g, p, other, beside[other]);
    return found;
}

static int forbidden(const game *g, const position *p, const move *m, const barriers *b) {
    uint32_t forms = g->forbids;
    const int8_t *own = p->pieces[m->seat];
    int n = g->counts[m->seat], origin = m->origin, target = m->target;
    if (forms & OWN_PIECE_THERE && origin != target && target != BASE &&
        count_of(g, p, m->seat, target))
        return 1;
    if (forms & OWN_PIECE_ON_SINGLE_SQUARE && origin != target && target != BASE &&
        !(g->start < target && target < g->first_finish) && count_of(g, p, m->seat, target))
        return 1;
    if (forms & OTHERS_BARRIER && walks_over(b->theirs, b->others, origin, target)) return 1;
    if (forms & ANY_BARRIER && (walks_over(b->theirs, b->others, origin, target) ||
                                walks_over(b->own, b->owns, origin, target)))
        return 1;
    if (forms & JUMPS_IN_THE_FINISH)
        for (int i = 0; i < n; i++)
            if (own[i] >= g->first_finish && origin < own[i] && own[i] < target) return 1;
    if (forms & BACKWARDS_TO_CAPTURE && target < origin && !captures_anything(g, p, m)) return 1;
    if (forms & PAIR_MOVES_WHOLE && (m->face == 2 || m->face == 4) && m->size == 1 &&
        origin != BASE && count_of(g, p, m->seat, origin) % 2 == 0) {
        int half = origin + m->face / 2;
        if (half <= g->last && !walks_over(b->theirs, b->others, origin, half)) return 1;
    }
    if (forms & ENDS_ON_TWO) {
        const int8_t *met = g->meets[m->seat][target + 1];
        for (int other = 0; other < SEATS; other++)
            if (met[other] != NEVER && count_of(g, p, other, met[other]) > 1) return 1;
    }
    if (forms & SQUARE_IS_FULL && target != BASE && target != g->last && target != origin) {
        int standing = count_of(g, p, m->seat, target);
        if (origin != BASE && target <= g->track_end) standing += others_on(g, p, m->seat, target);
        if (standing >= g->room) return 1;
    }
    return 0;
}

static int keep(move *moves, int n, int origin) {
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (moves[i].origin == origin) moves[kept++] = moves[i];
    return kept;
}

static int has_origin(const move *moves, int n, int origin) {
    for (int i = 0; i < n; i++)
        if (moves[i].origin == origin) return 1;
    return 0;
}

static int clear_the_start(const game *g, const position *p, move *moves, int n) {
    int seat = moves[0].seat;
    if (p->pieces[seat][0] != BASE || !count_of(g, p, seat, g->start)) return n;
    return has_origin(moves, n, g->start) ? keep(moves, n, g->start) : n;
}

static int open_a_barrier(const game *g, const position *p, move *moves, int n) {
    move opening[MOST_MOVES];
    int found = 0;
    for (int i = 0; i < n; i++)
        if (moves[i].origin <= g->track_end &&
            count_of(g, p, moves[i].seat, moves[i].origin) == g->room)
            opening[found++] = moves[i];
    if (found) memcpy(moves, opening, (size_t)found * sizeof *moves);
    return found ? found : n;
}

static int compel(const game *g, const position *p, int duty, move *moves, int n) {
    int face = moves[0].face;
    switch (duty) {
    case CLEAR_THE_START:
        return clear_the_start(g, p, moves, n);
    case BRING_IN_WITH_A_SIX:
        if (face != 6) return n;
        return has_origin(moves, n, BASE) ? keep(moves, n, BASE) : clear_the_start(g, p, moves, n);
    case BRING_IN_WITH_A_FIVE:
        return face == 5 && has_origin(moves, n, BASE) ? keep(moves, n, BASE) : n;
    case OPEN_A_BARRIER:
        return face == 6 ? open_a_barrier(g, p, moves, n) : n;
    }
    return n;
}

static int key_of(const game *g, const position *p, int colour, int face) {
    if (face > 6) return face == g->bonuses[0] ? FIRST_BONUS : FIRST_BONUS + 1;
    if (face == g->replaced_face && p->pieces[colour][0] != BASE) return REPLACED_FACE;
    return face - 1;
}

/* The moves of one colour that no clause forbids, and that the duties leave. */
static int free_moves(const game *g, const position *p, int colour, int face, int duties,
                      move *moves) {
    int n = 0, before = NEVER, paired = NEVER, many = g->counts[colour];
    int8_t(*steps)[WAY][TARGETS + 1];
    const int8_t *own = p->pieces[colour];
    barriers found;
    if (!many) return 0;
    steps = (int8_t(*)[WAY][TARGETS + 1]) g->steps[colour][key_of(g, p, colour, face)];
    if (g->forbids & (OTHERS_BARRIER | ANY_BARRIER | PAIR_MOVES_WHOLE))
        find_barriers(g, p, colour, &found);
    for (int i = 0; i < many; i++) {
        int origin = own[i], size;
        const int8_t *targets;
        if (origin != before) {
            before = origin;
            size = 1;
        } else if (origin != paired) {
            paired = origin;
            size = 2;
        } else {
            continue;
        }
        targets = steps[size - 1][origin + 1];
        for (int t = 1; t <= targets[0]; t++) {
            move m = {(int8_t)colour, (int8_t)face, (int8_t)origin, targets[t], (int8_t)size};
            if (!forbidden(g, p, &m, &found)) moves[n++] = m;
        }
    }
    if (duties)
        for (int i = 0; i < 4 && n > 1; i++)
            if (g->compels[i]) n = compel(g, p, g->compels[i], moves, n);
    return n;
}

static int heights(const int8_t *own) {
    return ((own[0] * 7 + own[1]) * 7 + own[2]) * 7 + own[3];
}

static int legal_lays(const game *g, const position *p, int face, move *moves) {
    int n = 0;
    uint32_t lawful = g->lawful[heights(p->pieces[p->seat])][face - 1];
    for (int i = 0; i < LAYS; i++)
        if (lawful >> i & 1) {
            const int8_t *cards = g->lays[face - 1][i];
            int8_t first = 0;  /* the first card of a stack, and nothing else */
            for (int s = 0; s < PIECES; s++)
                if (cards[s] == 1 && cards[0] + cards[1] + cards[2] + cards[3] == 1)
                    first = !p->pieces[p->seat][s];
            move m = {p->seat, (int8_t)face, first, (int8_t)i, 1};
            moves[n++] = m;
        }
    return n;
}

static int may_keep_the_pairs(const game *g, const position *p, const move *moves, int n) {
    if (p->pieces[p->seat][0] != BASE) return 0;
    for (int i = 0; i < n; i++)
        if (moves[i].size == 2 || moves[i].origin == BASE ||
            count_of(g, p, p->seat, moves[i].origin) % 2)
            return 0;
    return 1;
}

static int ends_turn(const game *g, const position *p, int face) {
    return g->most_sixes >= 0 && p->sixes == g->most_sixes && face <= 6 && g->again[face];
}

/* Every legal move with this roll, in the order of the rules. */
static int legal_moves(const game *g, const position *p, int face, move *moves) {
    move pass = {p->seat, (int8_t)face, 0, 0, 0};
    int n;
    if (p->seat < 0) return 0;
    if (p->opening) {
        moves[0] = pass;
        return 1;
    }
    if (p->owing) {
        n = free_moves(g, p, p->seat, face, 0, moves);
        if (!n) moves[n++] = pass;
        return n;
    }
    if (ends_turn(g, p, face)) {
        if (g->keeps_moved && p->moved > BASE && p->moved <= g->track_end) {
            move back = {p->seat, (int8_t)face, p->moved, BASE, 1};
            moves[0] = back;
        } else {
            moves[0] = pass;
        }
        return 1;
    }
    if (g->is_cards) {
        n = legal_lays(g, p, face, moves);
    } else {
        n = free_moves(g, p, p->seat, face, 1, moves);
        if (g->neutral >= 0) n += free_moves(g, p, g->neutral, face, 1, moves + n);
    }
    if (!n) moves[n++] = pass;
    else if (g->may_keep_the_pairs && may_keep_the_pairs(g, p, moves, n)) moves[n++] = pass;
    return n;
}

/* -- what follows ------------------------------------------------------------------------ */

/* Each tells whether another colour's piece was captured. */

static int capture(const game *g, const move *m, position *next) {
    const int8_t *met = g->meets[m->seat][m->target + 1];
    int captured = 0;
    for (int other = 0; other < SEATS; other++)
        if (met[other] != NEVER && count_of(g, next, other, met[other])) {
            put(g, next, other, met[other], BASE);
            captured = 1;
        }
    return captured;
}

static int capture_or_return(const game *g, const move *m, position *next) {
    const int8_t *met = g->meets[m->seat][m->target + 1];
    for (int other = 0; other < SEATS; other++)
        if (met[other] != NEVER && count_of(g, next, other, met[other]) > 1) {
            put(g, next, m->seat, m->target, BASE);
            return 0;
        }
    return capture(g, m, next);
}

static int does_its_duty(const game *g, const position *p, const move *m) {
    const int8_t *met = g->meets[m->seat][m->target + 1];
    for (int other = 0; other < SEATS; other++)
        if (other != p->seat && met[other] != NEVER && count_of(g, p, other, met[other])) return 1;
    return 0;
}

static void penalty(const game *g, const position *p, const move *m, position *next) {
    move moves[MOST_MOVES];
    const move *guilty = NULL;
    int n, same = 0, stands;
    if (does_its_duty(g, p, m)) return;
    n = legal_moves(g, p, m->face, moves);
    for (int i = 0; i < n; i++) {
        const move *one = &moves[i];
        if (!one->size || !does_its_duty(g, p, one)) continue;
        if (one->seat == m->seat && one->origin == m->origin) {
            if (!same) guilty = one;
            same = 1;
        } else if (!same && (!guilty || one->origin > guilty->origin ||
                             (one->origin == guilty->origin && one->seat == p->seat &&
                              guilty->seat != p->seat))) {
            guilty = one;
        }
    }
    if (!guilty) return;
    stands = same ? m->target : guilty->origin;
    if (!count_of(g, next, guilty->seat, stands)) stands = BASE;
    put(g, next, guilty->seat, stands, BASE);
}

static int make_room_on_the_start(const game *g, const move *m, position *next) {
    const int8_t *beside = g->beside[m->seat][g->start + 1];
    int rival = NOBODY, at = NEVER;
    if (m->origin != BASE) return 0;
    if (count_of(g, next, m->seat, g->start) + others_on(g, next, m->seat, g->start) <= g->room)
        return 0;
    for (int other = 0; other < SEATS; other++)
        if (beside[other] != NEVER && beside[other] > at && count_of(g, next, other, beside[other]))
            rival = other, at = beside[other];
    if (rival != NOBODY) put(g, next, rival, at, BASE);
    return rival != NOBODY;
}

static int bring_about(const game *g, const position *p, const move *m, const int8_t *forms,
                       position *next) {
    int captured = 0;
    for (int i = 0; i < 4; i++) switch (forms[i]) {
        case CAPTURE: captured |= capture(g, m, next); break;
        case CAPTURE_OR_RETURN: captured |= capture_or_return(g, m, next); break;
        case PENALTY: penalty(g, p, m, next); break;
        case MAKE_ROOM_ON_THE_START: captured |= make_room_on_the_start(g, m, next); break;
        }
    return captured;
}

static int three_rolls(const game *g, const position *p, int seat) {
    for (int hand = 0; hand < 2; hand++) {
        int colour = g->hands[seat][hand], i = 0, n;
        const int8_t *own;
        if (colour < 0) continue;
        own = p->pieces[colour];
        n = g->counts[colour];
        while (i < n && own[i] == BASE) i++;
        for (; i < n; i++)
            if (own[i] != g->last + 1 - n + i) return 1;
    }
    return 3;
}

static int tries_with_nobody_out(const game *g, const position *p, int seat) {
    const int8_t *own = p->pieces[seat];
    int n = g->counts[seat], i = 0;
    while (i < n && own[i] == BASE) i++;
    if (!i) return 1;
    for (; i < n; i++)
        if (own[i] != (g->has_home ? g->last : g->last + 1 - n + i)) return 1;
    return 3;
}

static int turn_rolls(const game *g, const position *p, int seat) {
    if (g->turn_rolls == THREE_ROLLS) return three_rolls(g, p, seat);
    if (g->turn_rolls == TRIES_WITH_NOBODY_OUT) return tries_with_nobody_out(g, p, seat);
    return 1;
}

static int players_done(const game *g, const position *p) {
    int done = 0;
    for (int player = 0; player < g->players; player++) {
        int all = 1;
        for (int seat = 0; seat < SEATS; seat++)
            if (g->player[seat] == player && !is_home(p, seat)) all = 0;
        done += all;
    }
    return done;
}

static int is_over(const game *g, const position *p) {
    return settled(g, p) && players_done(g, p) >= (g->first_wins ? 1 : g->players - 1);
}

static void end_game(position *p) {
    p->seat = NOBODY;
    p->rolls = 1;
    p->sixes = 0;
    p->moved = NOBODY;
    p->owing = 0;
    memset(p->owed, 0, sizeof p->owed);
}

static void turn_to(position *p, int seat, int rolls, int sixes) {
    p->seat = (int8_t)seat;
    p->rolls = (int8_t)rolls;
    p->sixes = (int16_t)sixes;
    p->moved = NOBODY;
    p->owing = 0;
    memset(p->owed, 0, sizeof p->owed);
}

static void pass_turn(const game *g, position *p, int seat) {
    int next = g->following[seat];
    while (p->homes && next != seat && !takes_turns(g, p, next)) next = g->following[next];
    turn_to(p, next, turn_rolls(g, p, next), 0);
}

static void throw_for_start(const game *g, position *p, int face) {
    int top = 0, best = 0, first = NOBODY;
    p->throws[p->seat] = (int8_t)face;
    for (int seat = 0; seat < SEATS; seat++)
        if (p->throws[seat] == 0) {
            p->seat = (int8_t)seat;
            return;
        }
    for (int seat = 0; seat < SEATS; seat++)
        if (p->throws[seat] > 0 && g->ranks[p->throws[seat]] > top) top = g->ranks[p->throws[seat]];
    for (int seat = 0; seat < SEATS; seat++)
        if (p->throws[seat] > 0 && g->ranks[p->throws[seat]] == top) {
            p->throws[seat] = 0;
            if (!best++) first = seat;
        } else {
            p->throws[seat] = -1;
        }
    p->seat = (int8_t)first;
    if (best > 1) return;
    p->opening = 0;
    memset(p->throws, -1, sizeof p->throws);
    p->rolls = (int8_t)turn_rolls(g, p, first);
}

static void play_lay(const game *g, position *p, const move *m) {
    int seat = p->seat, full = 1;
    int8_t *own = p->pieces[seat];
    if (m->size) {
        const int8_t *cards = g->lays[m->face - 1][m->target];
        for (int i = 0; i < PIECES; i++) own[i] = (int8_t)(own[i] + cards[i]);
        for (int other = 0; other < SEATS; other++) {
            if (other == seat || !g->counts[other]) continue;
            for (int i = 0; i < PIECES; i++)
                if (cards[i] && p->pieces[other][i] == own[i] && own[i] < g->full)
                    p->pieces[other][i] = 0;
        }
    }
    for (int i = 0; i < PIECES; i++) full &= own[i] == g->full;
    if (full) {
        p->home[p->homes++] = (int8_t)seat;
        end_game(p);
    } else if (g->again[m->face]) {
        turn_to(p, seat, 1, p->sixes + 1);
    } else {
        turn_to(p, g->following[seat], 1, 0);
    }
}

static int earned(const game *g, const move *m, int form, int captured) {
    if (form == CAPTURED_SOMETHING) return captured;
    return form == GOT_HOME && m->origin < g->arrived && g->arrived <= m->target;
}

/* What a move owes besides: bonus squares, and a roll that something earned. */
static int owe(const game *g, const position *p, const move *m, int captured, position *next) {
    int seat = p->seat, rolls = 0, sixes = 0, moved = p->moved, owing = 0;
    int8_t owed[OWED] = {0};
    if (next->seat == NOBODY || !takes_turns(g, next, seat)) return 1;
    if (!p->owing && ends_turn(g, p, m->face)) return 1;
    if (p->owing) rolls = p->rolls, sixes = p->sixes;
    else if (next->seat == seat) rolls = next->rolls, sixes = next->sixes;
    for (int i = 0; i < 4 && m->size && !rolls; i++) rolls = earned(g, m, g->earns_roll[i], captured);
    for (int i = 1; i < p->owing; i++) owed[owing++] = p->owed[i];
    for (int i = 0; i < 4 && m->size; i++)
        if (earned(g, m, g->earns_squares[i], captured)) {
            if (owing == OWED) return 0;
            owed[owing++] = g->squares_earned[i];
        }
    if (!owing && !rolls) return 1;
    if (m->size && m->seat == seat) moved = m->target;
    if (!g->keeps_moved || !sixes || (moved != NOBODY && !count_of(g, next, seat, moved)))
        moved = NOBODY;
    turn_to(next, seat, rolls, sixes);
    next->moved = (int8_t)moved;
    next->owing = (int8_t)owing;
    memcpy(next->owed, owed, sizeof owed);
    return 1;
}

/* The position after a legal move; 0 if it cannot be said here (never seen: too much is owed). */
static int play(const game *g, const position *p, const move *m, position *next) {
    int seat = p->seat, captured = 0, arrived;
    *next = *p;
    if (p->opening) {
        throw_for_start(g, next, m->face);
        return 1;
    }
    if (g->is_cards) {
        play_lay(g, next, m);
        return 1;
    }
    if (m->size) {
        for (int i = 0; i < m->size; i++) put(g, next, m->seat, m->origin, m->target);
        if (captures_anything(g, p, m))
            captured = bring_about(g, p, m, m->origin == BASE ? g->entering : g->captures, next);
        captured |= bring_about(g, p, m, g->after, next);
    }
    arrived = next->pieces[seat][0] >= g->arrived && !is_home(p, seat);
    if (arrived || g->neutral >= 0) {
        if (arrived) next->home[next->homes++] = (int8_t)seat;
        if (g->settles && settled(g, next) && !settled(g, p) && is_home(next, seat)) {
            int at = 0;
            while (next->home[at] != seat) at++;
            for (; at > 0; at--) next->home[at] = next->home[at - 1];
            next->home[0] = (int8_t)seat;
        }
        if (is_over(g, next)) {
            end_game(next);
            return 1;
        }
    }
    if (m->face <= 6 && g->again[m->face] && p->sixes != g->most_sixes && !arrived &&
        (!next->homes || takes_turns(g, next, seat)))
        turn_to(next, seat, 1, p->sixes + 1);
    else if (!(m->face <= 6 && g->again[m->face]) && p->rolls > 1 && !m->size)
        turn_to(next, seat, p->rolls - 1, 0);
    else
        pass_turn(g, next, seat);
    return g->owes ? owe(g, p, m, captured, next) : 1;
}

int odds_expand(const game *g, const position *p, int face, move *moves, position *nexts) {
    int n = legal_moves(g, p, face, moves);
    for (int i = 0; i < n; i++)
        if (!play(g, p, &moves[i], &nexts[i])) return -1;
    return n;
}

/* -- how a level of player chooses ------------------------------------------------------- */

static int bits(unsigned faces) {
    int found = 0;
    for (; faces; faces &= faces - 1) found++;
    return found;
}

static int exposed(const game *g, const position *p, int seat, int i) {
    const int8_t *own = p->pieces[seat];
    int at = own[i];
    if (g->is_cards) return at > 0 && at < g->full;
    if (at == BASE || at > g->track_end) return 0;
    if (!g->two_are_safe) return 1;
    return !((i > 0 && own[i - 1] == at) || (i + 1 < g->counts[seat] && own[i + 1] == at));
}

static int slot(const game *g, const position *p, int seat, int i) {
    return g->is_cards ? i * 7 + p->pieces[seat][i] : p->pieces[seat][i] + 1;
}

/* How many faces of one player's roll capture a piece, with any of that player's pieces. */
static int faces_against(const game *g, const position *p, int seat, int i, int other) {
    unsigned faces = 0;
    const uint8_t *threat = g->threat[seat][slot(g, p, seat, i)][other];
    if (g->is_cards) return bits(threat[slot(g, p, other, i)]);
    for (int j = 0; j < g->counts[other]; j++) faces |= threat[slot(g, p, other, j)];
    return bits(faces);
}

/* What a position is worth to the player of a seat, after the move. */
static int64_t worth(const game *g, const level *l, const position *p, int seat) {
    int64_t found = 0;
    int player = g->player[seat];
    for (int colour = 0; colour < SEATS; colour++) {
        int own = g->player[colour] == player;
        const int32_t *value = own ? l->own : l->theirs;
        if (g->player[colour] < 0) continue;
        for (int i = 0; i < g->counts[colour]; i++) {
            int64_t piece = value[slot(g, p, colour, i)];
            found += own ? SCALE * piece : -SCALE * piece;
            if (!(own ? l->danger : l->chase) || !exposed(g, p, colour, i)) continue;
            piece -= value[g->is_cards ? i * 7 : BASE + 1];
            for (int other = 0; other < SEATS; other++)
                if (g->counts[other] && (g->player[other] == player) != own)
                    found += (own ? -l->danger : l->chase) * piece *
                             faces_against(g, p, colour, i, other);
        }
    }
    return found;
}

/* The number of the move that a level makes; equal ones are drawn from. -1 if it cannot be said. */
static int choose(const game *g, const level *l, const position *p, const move *moves, int n,
                  uint64_t *chance, position *next) {
    int64_t best = 0, scores[MOST_MOVES];
    int equal = 0, pick = 0;
    position after;
    if (n > 1 && l->random) pick = draw(chance, n);
    else if (n > 1) {
        for (int i = 0; i < n; i++) {
            if (!play(g, p, &moves[i], &after)) return -1;
            scores[i] = worth(g, l, &after, p->seat);
            if (!i || scores[i] > best) best = scores[i], equal = 0;
            equal += scores[i] == best;
        }
        equal = equal > 1 ? draw(chance, equal) : 0;
        while (scores[pick] != best || equal--) pick++;
    }
    return play(g, p, &moves[pick], next) ? pick : -1;
}

int odds_choose(const game *g, const level *l, const position *p, int face, uint64_t seed,
                uint64_t number, move *chosen) {
    move moves[MOST_MOVES];
    position next;
    const int32_t rolled[SEATS] = {0};
    chance c = chance_of(seed, (int64_t)number, rolled);
    int n = legal_moves(g, p, face, moves), pick;
    if (!n) return -1;
    pick = choose(g, l, p, moves, n, &c.choice, &next);
    if (pick >= 0) *chosen = moves[pick];
    return pick;
}

/* -- play-outs --------------------------------------------------------------------------- */

static void rank(const game *g, const position *p, int8_t *twice) {
    int8_t when[SEATS];
    int done = 0;
    for (int player = 0; player < g->players; player++) {
        int at, latest = 0, all = 1;
        for (int seat = 0; seat < SEATS; seat++) {
            if (g->player[seat] != player) continue;
            for (at = 0; at < p->homes && p->home[at] != seat; at++) continue;
            if (at == p->homes) all = 0;
            else if (at > latest) latest = at;
        }
        when[player] = (int8_t)(all ? latest : -1);
        done += all;
    }
    for (int player = 0; player < g->players; player++) {
        int better = 1;
        for (int other = 0; other < g->players; other++)
            better += when[other] >= 0 && when[other] < when[player];
        twice[player] = (int8_t)(when[player] >= 0 ? 2 * better : done + 1 + g->players);
    }
}

void odds_rank(const game *g, const position *p, int8_t *twice) { rank(g, p, twice); }

/* One game from here to its end; 0 if it has none within `most` rolls, -1 if it cannot be said. */
static int play_out(const game *g, const level *const *levels, const position *from, int face,
                    chance c, int most, int64_t *rolls, position *end) {
    position here = *from, next;
    move moves[MOST_MOVES];
    for (int made = 0; here.seat != NOBODY; made++) {
        int n;
        if (made == most) return 0;
        if (here.owing) {
            face = here.owed[0];
        } else {
            int rolled = roll(&c, here.seat);  /* also where the face is given: this was its roll */
            if (!face) face = rolled;
        }
        n = legal_moves(g, &here, face, moves);
        if (choose(g, levels[here.seat], &here, moves, n, &c.choice, &next) < 0) return -1;
        here = next;
        face = 0;
        ++*rolls;
    }
    *end = here;
    return 1;
}

/* So many times six play-outs of a seed, and in each six how often each player won, and twice the
 * ranks of each together. `rolled` says how often each seat has rolled before. */
int odds_play_outs(const game *g, const level *levels, const int8_t *seats, const position *from,
                   int face, uint64_t seed, const int32_t *rolled, int64_t sixes, int most,
                   uint8_t *wins, uint8_t *ranks, tally *into) {
    const level *playing[SEATS];
    for (int seat = 0; seat < SEATS; seat++) playing[seat] = &levels[seats[seat]];
    for (int64_t number = 0; number < 6 * sixes; number++) {
        position end;
        int8_t twice[SEATS];
        int done = play_out(g, playing, from, face, chance_of(seed, number, rolled), most,
                            &into->rolls, &end);
        if (done < 0) return -1;
        into->games++;
        if (!done) {
            into->unfinished++;
            continue;
        }
        rank(g, &end, twice);
        for (int player = 0; player < g->players; player++) {
            wins[number / 6 * SEATS + player] += twice[player] == 2;
            ranks[number / 6 * SEATS + player] += (uint8_t)twice[player];
        }
    }
    return 0;
}

/* -- exact values of two players' endings ------------------------------------------------- */

/* Two players have at most two pieces each on their way, the others lie deepest home. A state is
 * the pair of who moves and the pair of who waits; pairs come sorted, least far along first. A value
 * is the chance of who moves to win, with best play of both, or if both play as a level does. */
typedef struct {
    int32_t pairs, tables;        /* tables: one where both seats see the same board, else two */
    const int8_t *pieces;         /* [pairs][2] */
    const int16_t *number;        /* [WAY][WAY], of a pair by its slots */
    int8_t seats[2], deepest[PIECES];
} ending;

static void set_up(const ending *e, int who, int mine, int theirs, position *p) {
    memset(p, 0, sizeof *p);
    memset(p->throws, -1, sizeof p->throws);
    p->moved = NOBODY;
    p->rolls = 1;
    p->seat = e->seats[who];
    for (int side = 0; side < 2; side++) {
        int seat = e->seats[who ^ side], pair = side ? theirs : mine;
        int8_t *own = p->pieces[seat];
        memcpy(own, e->deepest, sizeof e->deepest);
        own[0] = e->pieces[2 * pair];
        own[1] = e->pieces[2 * pair + 1];
    }
}

/* Where a move leads: the mover's pair, or how it ended; which of the other's two pieces were
 * captured; whether the mover rolls again; and whether this is the last move of a face. Who waits
 * changes little of that, so most states with one pair of the mover share one list of steps, and a
 * box has room for all of them. */
enum { PAIR = 0x7FF, WON = 0x7FF, LOST = 0x7FE, LOW = 0x800, HIGH = 0x1000, STAYS = 0x2000 };
enum { LAST = 0x4000, OUT_OF_THE_TABLES = 0xFFFF };

static int pair_of(const ending *e, int low, int high) {
    return e->number[(low + 1) * WAY + high + 1];
}

/* The other's pair after a capture. */
static int captured(const ending *e, int pair, int which) {
    int low = e->pieces[2 * pair], high = e->pieces[2 * pair + 1];
    if (which & LOW) low = BASE;
    if (which & HIGH) high = low, low = BASE;
    return pair_of(e, low, high);
}

static int step_to(const ending *e, int who, int theirs, const position *p) {
    const int8_t *own = p->pieces[e->seats[who]], *other = p->pieces[e->seats[who ^ 1]];
    int mine, left, stays = p->seat == e->seats[who] ? STAYS : 0;
    if (p->seat == NOBODY) return p->home[0] == e->seats[who] ? WON : LOST;
    mine = pair_of(e, own[0], own[1]);
    left = pair_of(e, other[0], other[1]);
    if (mine < 0 || mine >= LOST || left < 0) return OUT_OF_THE_TABLES;
    for (int which = 0; which <= (LOW | HIGH); which += LOW)
        if (captured(e, theirs, which) == left) return mine | which | stays;
    return OUT_OF_THE_TABLES;
}

/* Of some moves, those that a level draws from. */
static int liked(const game *g, const level *l, const position *p, move *moves, int n) {
    int64_t best = 0;
    int found = 0;
    position after;
    for (int i = 0; i < n && !l->random; i++) {
        int64_t score = play(g, p, &moves[i], &after) ? worth(g, l, &after, p->seat) : 0;
        if (!i || score > best) best = score, found = 0;
        if (score == best) moves[found++] = moves[i];
    }
    return l->random ? n : found;
}

static int somebody_is_home(const game *g, const ending *e, int mine, int theirs) {
    return e->pieces[2 * mine] >= g->arrived || e->pieces[2 * theirs] >= g->arrived;
}

/* Write where every roll of a state can lead (if both play as a level does, where there is one),
 * face by face. Answers how many there are, or -1 if a move leads out of the tables. */
static int list_steps(const game *g, const ending *e, const level *l, int who, int mine, int theirs,
                      uint16_t *steps) {
    int used = 0;
    move moves[MOST_MOVES];
    position here, next;
    set_up(e, who, mine, theirs, &here);
    for (int face = 1; face <= 6; face++) {
        int n = legal_moves(g, &here, face, moves);
        if (l) n = liked(g, l, &here, moves, n);
        for (int i = 0; i < n; i++) {
            int step = OUT_OF_THE_TABLES;
            if (play(g, &here, &moves[i], &next)) step = step_to(e, who, theirs, &next);
            if (step == OUT_OF_THE_TABLES) return -1;
            steps[used++] = (uint16_t)(i < n - 1 ? step : step | LAST);
        }
    }
    return used;
}

/* The lists of every mover's pair, and which of them each state has (`kinds`). `lists` says where
 * each list begins in `steps`, and `first` which list is the first of a mover's pair. Answers how many steps there
 * are, -1 if there is no room for them or for the lists, -2 if a move leads out of the tables. */
int64_t odds_ending_moves(const game *g, const ending *e, const level *l, uint32_t *first,
                          uint32_t *lists, int64_t list_room, uint16_t *kinds, uint16_t *steps,
                          int64_t room) {
    int64_t used = 0, begun = 0;
    for (int row = 0; row < e->tables * e->pairs; row++) {
        int who = row / e->pairs, mine = row % e->pairs, known = 0;
        first[row] = (uint32_t)begun;
        for (int theirs = 0; theirs < e->pairs; theirs++) {
            uint16_t found[6 * MOST_MOVES];
            int n, kind = 0;
            if (somebody_is_home(g, e, mine, theirs)) continue;
            n = list_steps(g, e, l, who, mine, theirs, found);
            if (n < 0) return -2;
            while (kind < known &&
                   (lists[begun + kind + 1] - lists[begun + kind] != (uint32_t)n ||
                    memcmp(steps + lists[begun + kind], found, (size_t)n * sizeof *steps)))
                kind++;
            kinds[row * e->pairs + theirs] = (uint16_t)kind;
            if (kind < known) continue;
            if (begun + known + 2 > list_room || used + n > room) return -1;
            memcpy(steps + used, found, (size_t)n * sizeof *steps);
            lists[begun + known++] = (uint32_t)used;
            lists[begun + known] = (uint32_t)(used += n);
        }
        begun += known;
    }
    return used;
}

/* The values while they are found, and the same turned round: by who waits first. So all states of one
 * pair of the mover are read side by side, and the compiler takes several at a time. */
typedef struct {
    float *values, *turned;
} found_values;

static int64_t row_of(const ending *e, int who, int pair) {
    return ((int64_t)(e->tables > 1 ? who : 0) * e->pairs + pair) * e->pairs;
}

/* What a step that captures nothing leaves the mover, whoever waits; best or sum of that so far. */
static void weigh_row(const ending *e, const found_values *v, int who, int step, int draws,
                      float *so_far) {
    int mine = step & PAIR;
    const float *again = v->values + row_of(e, who, mine);
    const float *other = v->turned + row_of(e, who ^ 1, mine);
    for (int theirs = 0; theirs < e->pairs; theirs++) {
        float one = step & STAYS ? again[theirs] : 1 - other[theirs];
        so_far[theirs] = draws ? so_far[theirs] + one : one > so_far[theirs] ? one : so_far[theirs];
    }
}

static float value_of(const ending *e, const found_values *v, int who, int theirs, int step) {
    int mine = step & PAIR, left = theirs;
    if (mine >= LOST) return mine == WON;
    if (step & (LOW | HIGH)) left = captured(e, theirs, step);
    if (step & STAYS) return v->values[row_of(e, who, mine) + left];
    return 1 - v->turned[row_of(e, who ^ 1, mine) + left];
}

/* The value of one state by its own list of steps. */
static float weigh_one(const ending *e, const found_values *v, int who, int theirs, int draws,
                       const uint16_t *at) {
    float all = 0;
    for (int face = 1; face <= 6; face++) {
        float best = 0, sum = 0;
        int n = 0;
        do {
            float one = value_of(e, v, who, theirs, *at);
            best = one > best ? one : best;
            sum += one;
            n++;
        } while (!(*at++ & LAST));
        all += draws ? sum / (float)n : best;
    }
    return all / 6;
}

/* The same for all states of a mover's pair that share a list; a step that ends the game or
 * captures is not in it. */
static void weigh_all(const ending *e, const found_values *v, int who, int draws,
                      const uint16_t *at, float *all) {
    float so_far[PAIR + 1];
    memset(all, 0, (size_t)e->pairs * sizeof *all);
    for (int face = 1; face <= 6; face++) {
        int n = 0;
        memset(so_far, 0, (size_t)e->pairs * sizeof *so_far);
        do {
            weigh_row(e, v, who, *at, draws, so_far);
            n++;
        } while (!(*at++ & LAST));
        for (int theirs = 0; theirs < e->pairs; theirs++)
            all[theirs] += draws ? so_far[theirs] / (float)n : so_far[theirs];
    }
    for (int theirs = 0; theirs < e->pairs; theirs++) all[theirs] /= 6;
}

static int is_plain(const uint16_t *at) {
    for (int face = 1; face <= 6; at++) {
        if ((*at & PAIR) >= LOST || *at & (LOW | HIGH)) return 0;
        face += *at & LAST ? 1 : 0;
    }
    return 1;
}

/* One round over all states, from the furthest along back; answers the largest change. Who moves
 * takes the best of what a roll leads to, or draws from it. */
double odds_ending_sweep(const game *g, const ending *e, int draws, const uint32_t *first,
                         const uint32_t *lists, const uint16_t *kinds, const uint16_t *steps,
                         float *values, float *turned) {
    float largest = 0, all[PAIR + 1];
    found_values v = {values, turned};
    for (int row = e->tables * e->pairs - 1; row >= 0; row--) {
        int who = row / e->pairs, mine = row % e->pairs, plain;
        const uint16_t *kind = kinds + (int64_t)row * e->pairs;
        if (somebody_is_home(g, e, mine, 0)) continue;
        plain = is_plain(steps + lists[first[row]]);
        if (plain) weigh_all(e, &v, who, draws, steps + lists[first[row]], all);
        for (int theirs = 0; theirs < e->pairs; theirs++) {
            float change, *value = values + row_of(e, who, mine) + theirs;
            if (somebody_is_home(g, e, mine, theirs)) continue;
            if (kind[theirs] || !plain)
                all[theirs] =
                    weigh_one(e, &v, who, theirs, draws, steps + lists[first[row] + kind[theirs]]);
            change = all[theirs] > *value ? all[theirs] - *value : *value - all[theirs];
            if (change > largest) largest = change;
            *value = turned[row_of(e, who, theirs) + mine] = all[theirs];
        }
    }
    return largest;
}
