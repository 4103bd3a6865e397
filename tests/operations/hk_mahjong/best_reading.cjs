// Reads cases (tests/operations/test_hk_mahjong.py) from standard input; prints for each what hk-mahjong
// makes of the best of all readings of its tiles.
const { FaanCalculator, Meld, Tile, WinningHand } = require("hk-mahjong");

const SUITS = { B: "bamboo", C: "character", D: "dot" };
const HONORS = ["E", "S", "W", "N", "R", "G", "Wh"];
const WINDS = { E: "east", S: "south", W: "west", N: "north" };
const BONUS = {
  F1: "plum", F2: "lily", F3: "chrysanthemum", F4: "bamboo",
  Y1: "spring", Y2: "summer", Y3: "autumn", Y4: "winter",
};
const DRAWN = ["self_drawn", "last_tile", "replacement", "kong_on_kong", "heaven"];

const order = (code) =>
  HONORS.includes(code) ? 100 + HONORS.indexOf(code) : "BCD".indexOf(code[1]) * 10 + Number(code[0]);

const tile = (code) =>
  HONORS.includes(code)
    ? new Tile({ suit: "honor", value: HONORS.indexOf(code) + 1 })
    : new Tile({ suit: SUITS[code[1]], value: Number(code[0]) });

const meld = (codes) => new Meld(codes.map(tile));

function without(codes, taken) {
  const left = [...codes];
  for (const code of taken) {
    const place = left.indexOf(code);
    if (place < 0) {
      return null;
    }
    left.splice(place, 1);
  }
  return left;
}

// Every way to lay sorted codes out as sets and one pair, the pair last.
function readings(codes, pairs = 1) {
  if (!codes.length) {
    return pairs ? [] : [[]];
  }
  const first = codes[0];
  const found = [];
  const sets = [[first, first, first]];
  if (order(first) < 100 && Number(first[0]) <= 7) {
    sets.push([0, 1, 2].map((step) => `${Number(first[0]) + step}${first[1]}`));
  }
  for (const set of sets) {
    const left = without(codes, set);
    if (left) {
      found.push(...readings(left, pairs).map((reading) => [set, ...reading]));
    }
  }
  const left = pairs && without(codes, [first, first]);
  if (left) {
    found.push(...readings(left, 0).map((reading) => [...reading, [first, first]]));
  }
  return found;
}

function winningHands(hand) {
  const codes = [...hand.tiles].sort((one, other) => order(one) - order(other));
  const kinds = new Set(codes);
  if (codes.length === 14 && kinds.size === 13 && codes.every((code) => order(code) >= 100 || "19".includes(code[0]))) {
    return [new WinningHand([meld(codes)])];
  }
  const melds = hand.melds.map((one) => one.tiles);
  return readings(codes)
    .map((reading) => [...melds, ...reading])
    .filter((sets) => sets.length === 5)
    .map((sets) => new WinningHand(sets.map(meld)));
}

function config(hand) {
  const won = hand.won_by;
  return {
    selfPick: DRAWN.includes(won),
    fullyConcealedHand: hand.melds.every((one) => one.concealed),
    robbingKong: won === "robbing_kong",
    winByLastCatch: ["last_tile", "last_discard"].includes(won),
    winByKong: won === "replacement",
    winByDoubleKong: won === "kong_on_kong",
    heavenlyHand: won === "heaven",
    earthlyHand: won === "earth_discard",
    seatWind: WINDS[hand.seat],
    roundWind: WINDS[hand.prevailing],
    extraTiles: Object.fromEntries(Object.entries(BONUS).map(([code, name]) => [name, hand.bonus.includes(code)])),
    enableBonusFaanDueToZeroExtraTile: true,
  };
}

const worth = (result) => (result.value === "∞" ? Infinity : result.value);

function expected(hand) {
  const results = winningHands(hand).map((winning) => FaanCalculator.calculate(winning, config(hand)));
  if (!results.length) {
    return { winning: false, meets_minimum: false, limit: false, faan: null, patterns: null };
  }
  const best = results.reduce((one, other) => (worth(other) > worth(one) ? other : one));
  const limit = best.value === "∞";
  return {
    winning: true,
    meets_minimum: worth(best) >= FaanCalculator.getThresholdFaanValue(),
    limit,
    faan: limit ? null : best.value,
    patterns: best.details.map(({ name, value }) => ({
      id: name.toLowerCase().replace(/[ -]/g, "_"),
      value: limit ? null : value,
      count: 1,
    })),
  };
}

const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(cases.map(expected)));
