/** Text as somebody types it, in whatever characters, is read as the tiles that the site reads. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { format, learnNames, parse } from "../static/scoring/pad/notation.js";

const GROUPS = [
  ["222B 345B 55B 222D GGG", "pung chow pair pung pung", "222B 345B 55B 222D GGG"],
  ["222b* 543B,55b", "pung chow pair", "222B* 345B 55B"],
  ["2222b# GGGG* 222B#", "kong kong pung", "2222B# GGGG* 222B#"],
  ["222B345BGGG", "pung chow pung", "222B 345B GGG"],
  ["WhWhWh 2b2b2b", "pung pung", "WhWhWh 222B"],
  ["GreenGreen East", "pair tile", "GG E"],
  ["RRRR", "kong", "RRRR"],
  ["🀐🀐🀐 🀀🀁", "pung tile tile", "111B E S"],
  ["19B", "tile tile", "1B 9B"],
  ["0X 22B4* 2B 55C4#", "unknown unknown tile unknown", "0X 22B4* 2B 55C4#"],
  ["", "", ""],
];

for (const [typed, kinds, written] of GROUPS) {
  test(`“${typed}” is the groups “${kinds}”`, () => {
    const groups = parse(typed);
    assert.equal(groups.map(({ kind }) => kind).join(" "), kinds);
    assert.equal(format(groups), written);
  });
}

const READ = [
  ["222B* 345B", "222B* 345B"],
  ["２２２Ｂ　345B", "222B 345B"],
  ["222B *345B", "222B *345B"],
  ["222B * 345B", "222B* 345B"],
  ["222B *, 345B", "222B* 345B"],
  ["2222B#345B", "2222B# 345B"],
  ["🀄\uFE0F🀄\uFE0F🀄\uFE0F", "RRR"],
  ["2\u200B22B、GGG", "222B GGG"],
  ["222 of Bamboo, Green dragon", "222B G"],
  ["East wind 2 of Characters 3 of dots", "E 2C 3D"],
  ["Whıte", "Whıte"],
  ["2 of Bamboos, East windEast wind", "2B EE"],
  ["2 of BambooGreen dragon GreenWh", "2B G G Wh"],
  ["Northern", "Northern"],
  ["Souths GreenG", "Souths GreenG"],
  ["2 of Bambooss", "2 of Bambooss"],
];

for (const [typed, read] of READ) {
  test(`“${typed}” is read as ${read}`, () => {
    assert.equal(format(parse(typed)), read);
  });
}

const NAMED = [
  ["nl", [["Bamboe 2", "2B"], ["Kringen 1", "1D"], ["Groene draak", "G"], ["Oostenwind", "E"]], [
    ["Bamboe 2, bamboe 2, BAMBOE 2 555D Groene draak*", "2B 2B 2B 555D G*"],
    ["2 of Bamboo oostenwind", "2B E"],
    ["oostenwinden", "oostenwinden"],
    ["Bamboe 22", "Bamboe 22"],
    ["Krıngen 1", "Krıngen 1"],
  ]],
  ["en", [["2 of Bamboo", "2B"], ["Green dragon", "G"]], READ],
  ["zh", [["二索", "2B"], ["三索", "3B"], ["發財", "G"], ["東風", "E"], ["南風", "S"]], [
    ["2 of Bamboo 南風", "2B S"],
    ["2 of Bamboo南風", "2B南風"],
    ["二索二索二索三索222D發財發財", "222B 3B 222D GG"],
    ["東風２Ｂ", "E 2B"],
    ["四索", "四索"],
    ["22二索", "22二索"],
    ["東風h", "東風h"],
    ["123B東風GGG", "123B E GGG"],
  ]],
];

for (const [language, names, cases] of NAMED) {
  for (const [typed, read] of cases) {
    test(`“${typed}” is read as ${read} on a page in ${language}`, () => {
      learnNames(names);
      assert.equal(format(parse(typed)), read);
      learnNames([]);
    });
  }
}
