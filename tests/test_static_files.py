"""The files of production: ours without comments, under names that follow what is sent."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import brotli
from django.core.files.storage import FileSystemStorage

from mahjong_site.static_files import HashedFiles, as_sent
from tests.support.skips import cannot_run

SCRIPTS = Path(__file__).parent.parent / "scoring" / "static" / "scoring"
# Prints which of the pairs of modules do not mean the same, by the parser that Node itself has.
COMPARE = """
const { parse } = require("internal/deps/acorn/acorn/dist/acorn");
const OPTIONS = { ecmaVersion: "latest", sourceType: "module" };
const PLACES = new Set(["start", "end"]);
const meaning = (script) => JSON.stringify(parse(script, OPTIONS), (key, value) =>
  PLACES.has(key) ? undefined : value);
const pairs = JSON.parse(require("fs").readFileSync(0, "utf8"));
const differ = Object.keys(pairs).filter((name) => meaning(pairs[name][0]) !== meaning(pairs[name][1]));
console.log(JSON.stringify(differ));
"""


def collected(folder, scripts):
    """What production has of ``scripts``, by their plain names: the name there and the content."""
    source, there = FileSystemStorage(folder / "source"), folder / "static"
    for name, content in scripts.items():
        (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "source" / name).write_text(content)
    shutil.copytree(folder / "source", there)
    files = HashedFiles(location=there, base_url="/static/")
    problems = [done for done in files.post_process({name: (source, name) for name in scripts})
                if isinstance(done[2], Exception)]  # fmt: skip
    assert not problems
    names = json.loads((there / "staticfiles.json").read_text())["paths"]
    return {name: (names[name], there / names[name]) for name in scripts}


SENT = {
    "scoring/a.js": '/** What a does. */\nimport { b } from "./b.js"; // ours\n\nb(`//  ${b}`);\n',
    "scoring/b.js": "// Why.\nexport const b = (text) => text.match(/\\/\\*  /);\n",
    "other/c.js": "/* Theirs. */  c();\n",
    "scoring/d.css": '/* Why. */\n\n.d::after {\n  content: "/*  d  */"; /* Here. */\n  color: red;\n}\n',
    "other/e.css": "/* Theirs. */  .e {}\n",
}


def test_ours_are_sent_without_comments_and_scripts_name_what_they_import(tmp_path):
    files = collected(tmp_path, SENT)
    text = {name: path.read_text() for name, (_sent_as, path) in files.items()}
    sent_as = Path(files["scoring/b.js"][0]).name
    assert re.sub(r"\s*(import|from|;|\{|\})\s*", r"\1", text["scoring/a.js"]).strip() == (
        f'import{{b}}from"./{sent_as}";b(`//  ${{b}}`);'
    )
    assert text["scoring/b.js"].strip() == r"export const b=(text)=>text.match(/\/\*  /);"
    assert text["other/c.js"] == SENT["other/c.js"]
    assert text["scoring/d.css"] == '.d::after { content: "/*  d  */"; color: red; }'
    assert text["other/e.css"] == SENT["other/e.css"]
    _name, path = files["scoring/b.js"]
    packed = path.with_name(f"{path.name}.br")
    assert not packed.exists() or brotli.decompress(packed.read_bytes()) == path.read_bytes()


def test_a_script_has_another_name_if_it_or_one_that_it_imports_is_sent_otherwise(tmp_path):
    def names(folder, **changed):
        scripts = {**SENT, **{f"scoring/{name}.js": text for name, text in changed.items()}}
        return {name: sent for name, (sent, _path) in collected(tmp_path / folder, scripts).items()}

    before = names("before")
    assert names("comment", b=f"{SENT['scoring/b.js']}// Another reason.\n") == before
    after = names("code", b=SENT["scoring/b.js"].replace("match", "search"))
    changed = {name for name in SENT if before[name] != after[name]}
    assert changed == {"scoring/a.js", "scoring/b.js"}


def test_our_scripts_mean_the_same_without_comments():
    node = shutil.which("node")
    if node is None:
        cannot_run("Node reads the scripts. On Debian: apt install nodejs")
    storage = as_sent("scoring/any.js", FileSystemStorage(SCRIPTS))
    names = [str(path.relative_to(SCRIPTS)) for path in SCRIPTS.rglob("*.js")]
    pairs = {
        name: [(SCRIPTS / name).read_text(), storage.open(name).read().decode()] for name in names
    }
    assert any(len(sent) < len(written) / 2 for written, sent in pairs.values())
    done = subprocess.run(
        [node, "--expose-internals", "--eval", COMPARE],
        input=json.dumps(pairs), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []
