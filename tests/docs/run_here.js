/* run_here.js SOURCE TOOL -- command blocks of the Guide in their pages, without a browser: `node run_here.js`.
 *
 * - Each block runs in its page, or docs/notes/webassembly.md lists it with the reason; how many run stands there, too.
 * - No two buttons of a page have the same name, and each names its command.
 * - The shell of the pages prints what bash prints, for the same commands and a `delassus` that prints its words.
 * - A picture that the page draws has the curve of gnuplot's script, point by point.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

const { execFileSync, spawnSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const [source, tool] = process.argv.slice(2).map((word) => path.resolve(word));
const kit = ["shell.js", "gnuplot.js"].map((name) => fs.readFileSync(path.join(source, "cmake/handbook", name), "utf8")).join("\n");
const { shellBlocks, shellNames, shellParse, shellRun, shellText, gnuplotPicture } = Function(`${kit}\nreturn { shellBlocks, shellNames, shellParse, shellRun, shellText, gnuplotPicture };`)();
const failures = [];
const expect = (isTrue, words) => isTrue || failures.push(words);

/* --- which blocks run --- */

function listOfBlocks() {
  const guide = path.join(source, "docs/guide");
  const rows = [];
  let [run, all] = [0, 0];
  for (const page of fs.readdirSync(guide).filter((name) => name.endsWith(".md")).sort()) {
    const text = fs.readFileSync(path.join(guide, page), "utf8");
    const commands = [...text.matchAll(/^```sh[^\n]*\n(.*?)^```$/gms)].map(([, body]) => body);
    const given = [...text.matchAll(/^```\w+ file=(\S+)$/gm)].map(([, name]) => name);
    const names = shellNames(commands);
    expect(new Set(names).size === names.length, `${page}: two blocks with the name ${names.find((name, i) => names.indexOf(name) < i)}`);
    names.forEach((name, i) => expect(/\w/.test(name) && (name.startsWith("delassus") || !/^delassus/m.test(commands[i])), `${page}: block ${i} has the name '${name}'`));
    shellBlocks(commands, given).forEach(({ reason, setUp }, i) => {
      all += !setUp;
      run += !setUp && !reason;
      if (reason) {
        rows.push(`| [${page.replace(".md", "")}](../guide/${page}) | \`${commands[i].split("\n")[0].slice(0, 40).trim()}\` | ${reason} |`);
      }
    });
  }
  return { rows, count: `${run} of ${all}` };
}

const { rows, count } = listOfBlocks();
const note = fs.readFileSync(path.join(source, "docs/notes/webassembly.md"), "utf8");
expect(note.includes(`${count} blocks`), `docs/notes/webassembly.md: not "${count} blocks"`);
const listed = note.split("\n").filter((line) => /^\| \[[\w-]+\]\(..\/guide\//.test(line));
rows.filter((row) => !listed.includes(row)).forEach((row) => failures.push(`docs/notes/webassembly.md lacks ${row}`));
listed.filter((row) => !rows.includes(row)).forEach((row) => failures.push(`docs/notes/webassembly.md lists what runs: ${row}`));

/* --- the shell --- */

/* What runs prints the same; each of these is also seen to print something. */
const SCRIPTS = [
  "delassus run 'a b' --set x=\"c d\" \\\n  --end 4 # remark\ndelassus next",
  "study=\"order m --scheme s\"\nfor k in 1 2 3; do\n  delassus $study --shard $k/3 &\n  wait\ndone\ndelassus merge \"$study\"",
  "mkdir -p a/b\ndelassus one two >a/b/f\ncp a/b/f a/g\ncat a/b/f a/g\ncmp a/b/f a/g && echo same\ntail -1 a/g",
  "delassus x >f\ndelassus y >g\ncmp f g || echo \"exit status $?\"\ncmp f g && echo not this\ngrep -h '^word' f g\ngrep word f g",
  "delassus first second third | head -2 | tail -1\nsed 's/word: sec/word: SEC/' f",
  "export P=$PWD/bin:$P\na=1\necho \"$a-$a/2\" $a 'not $a'\necho \"one  two\"",
  "grep nothing f || echo none",
  "grep 'w(o+r' f g || echo $?\ngrep 'o[^r]*d$' f\ngrep '^*\\.\\*' f || echo \"no $?\"\ngrep '[]:[]' f\ngrep 'a^b$c' f || echo literal\ngrep '' empty || echo empty",
  "echo 'a+b (c) {d} a|b ^x$ *y' >h\ngrep 'a+b (c) {d} a|b' h\nsed 's/a+b/$1/' h",
  "head -0 f\ntail -0 f\nhead -1 empty\ntail -5 f\nhead -1 open\ntail -1 open\nsed 's/x/y/' open\ngrep x open",
  "cat missing f || echo \"status $?\"\ngrep -h word missing f || echo \"status $?\"\nsed 's/f/g/' missing f || echo \"status $?\"\nhead -1 missing || echo \"status $?\"\ncp missing g || echo \"status $?\"\ncmp missing f || echo \"status $?\"",
  "delassus a >no/f || echo \"status $?\"\ncp f no/f || echo \"status $?\"\nmkdir -p a/b\ncp f a\ncp f a/b/\ncat a/f a/b/f",
  "cmp f open || echo $?\ncmp open longer || echo $?\ncmp longer open || echo $?\ncmp f f && echo same",
  "a=' x  y '\ndelassus p$a'q' \"$a\" $a\nb=$a\ndelassus \"$b\"\nempty=\ndelassus $empty \"$empty\" end",
  "grep nothing f &\nwait\necho $?\ngrep nothing f && echo no || echo yes\ngrep nothing f | cat\necho $?\ndelassus a >g | cat\ncat g; echo done",
  "echo a#b 'c\nd' \"e\"f i~ j=k { } } x{y} !z @ % 2",
  "for k in a 'b c' \"d\"\ndo echo $k; done\nfor k in 1 2; do for l in 3 4; do echo $k$l; done; done",
];
/* What the page does not do as bash does it is refused, with these words. */
const REFUSED = {
  "python3 x.py": "python3 does not run", "delassus `date`": "`", "delassus $(date)": "$(", "delassus ${x}": "${", "ls *.csv": "*", "echo *.csv": "*", "delassus <file": "<",
  "delassus a | tee b": "tee", "grep nothing f || echo none\nbad || echo failed\nfalse": "bad", "echo {a,b}": "{a,b}", "echo x{1..3}y": "{1..3}", "echo {a,\"b\"}": "{",
  "cat ~/f": "~", "delassus --out=~/f": "~", "echo [ab]": "[", "cat f?": "?", "[ -f f ]": "[", "if delassus; then echo a; fi": "if", "while delassus; do echo; done": "while",
  "grep -v a f": "grep -v", "grep -c a f": "grep -c", "grep a f -v": "grep -v", "grep 'a\\|b' f": "\\|", "grep '[[:digit:]]' f": "[[:digit:]]", "grep": "grep", "head f": "head",
  "head -n 1 f": "head -n", "tail -f f": "tail -f", "head -1 f g": "head", "cat -n f": "cat -n", "cat -": "cat -", "echo -n a": "echo -n", "cp -r a b": "cp -r", "cp f": "cp", "cmp -s f g": "cmp -s",
  "mkdir a": "mkdir", "sed -n 's/a/b/' f": "sed -n", "sed 's/a/b/g' f": "sed", "sed 's/a/[&]/' f": "sed", "sed '1d' f": "sed", "wait 3": "wait", "echo a >>f": ">>",
  "echo a 2>f": "redirection", "echo a &>f": "&>", "echo a >&2": ">&", "echo a |& cat": "|&", "echo a >f >g": "redirection", "A=1 delassus": "assignment", "a=1 | cat": "assignment",
  "for k; do echo; done": "for", "for k in a; echo; done": "for", "for k in a; do echo $k": "for", "for k in a; do echo $k; done | cat": "for", "echo $1": "$1", "echo $$": "$$",
  "echo \"a\\b\"": "\\", "echo a\\ b": "\\", "echo \"open": "quote", "echo 'open": "quote", "; echo a": ";", "echo a &&": "&&", "echo a | | cat": "|", "echo a;; echo b": ";;",
  "echo $nowhere": "$nowhere", "a='*'\necho $a": "*", "(echo a)": "(", "cat <<EOF\na\nEOF": "<",
};
const WORDS = "delassus() { for word in \"$@\"; do echo \"word: $word\"; done; }\n";

const FILES = { f: "word: second\nword: f\n", empty: "", open: "x\nno end", longer: "x\nno end\nmore\n" };

async function inShell(script) {
  let printed = "";
  const shell = {
    variables: new Map(), files: new Map(Object.entries(FILES).map(([name, text]) => [name, new TextEncoder().encode(text)])), status: 0,
    print: (text) => { printed += text; },
    complain: () => {},
    delassus(words, terminal, print) {
      print(words.map((word) => `word: ${word}\n`).join(""));
      return Promise.resolve(0);
    },
  };
  await shellRun(shellParse(script), shell);
  return printed;
}

async function checkShell() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "delassus-shell-"));
  for (const script of SCRIPTS) {
    fs.rmSync(folder, { recursive: true });
    fs.mkdirSync(folder);
    Object.entries(FILES).forEach(([name, text]) => fs.writeFileSync(path.join(folder, name), text));
    const { stdout } = spawnSync("bash", ["-c", WORDS + script], { cwd: folder, encoding: "utf8" });
    const printed = await inShell(script).catch((error) => error.message);
    expect(printed === stdout && printed !== "", `bash prints\n${stdout}the page\n${printed}for\n${script}\n`);
  }
  fs.rmSync(folder, { recursive: true });
  for (const [script, word] of Object.entries(REFUSED)) {
    const said = await inShell(script).then(() => "nothing", (error) => error.message);
    expect(said.includes(word), `${script}\nis not refused for ${word}: ${said}`);
  }
}

/* --- pictures --- */

function checkPicture() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "delassus-picture-"));
  execFileSync(tool, ["run", "bouncing-ball", "--scheme", "moreau-jean", "--step", "0.1", "--end", "4", "--out", "ball.csv", "--plot", "ball.svg"], { cwd: folder, stdio: "ignore" });
  const script = fs.readFileSync(path.join(folder, "ball.gp"), "utf8");
  fs.rmSync(folder, { recursive: true });
  const svg = gnuplotPicture(script);
  const number = (pattern) => Number(script.match(pattern)[1]);
  const [width, height] = script.match(/size (\d+),(\d+)/).slice(1).map(Number);
  const [left, right, bottom, top] = ["l", "r", "b", "t"].map((side) => number(RegExp(`set ${side}margin at screen ([\\d.]+)`)));
  const [x0, x1] = script.match(/set xrange \[(\S+):(\S+)\]/).slice(1).map(Number);
  const [y0, y1] = script.match(/set yrange \[(\S+):(\S+)\]/).slice(1).map(Number);
  const plotted = script.slice(script.indexOf("\nplot ")).match(/^\s*plot (?:.*notitle, \\\n\s*)?\$(\w+) using 1:(\d+) with lines/m);
  const table = script.match(RegExp(`\\$${plotted[1]} << EOD\\n([^]*?)\\nEOD`))[1].split("\n").map((row) => row.split(" ").map(Number));
  const curves = [...svg.matchAll(/<path d="(M[\d.LM -]+)" fill="none" stroke="#[^"]*" stroke-width="[\d.]+" stroke-opacity/g)].map(([, d]) => d.split(/[ML]/).slice(1).map((dot) => dot.split(" ").map(Number)));
  const wanted = table.map((row) => [
    width * (left + ((row[0] - x0) / (x1 - x0)) * (right - left)),
    height * (1 - bottom - ((row[plotted[2] - 1] - y0) / (y1 - y0)) * (top - bottom)),
  ]);
  const off = (curve) => Math.max(...curve.map(([x, y], i) => Math.hypot(x - wanted[i][0], y - wanted[i][1])));
  const distances = curves.filter((curve) => curve.length === wanted.length).map(off);
  expect(table.length > 20 && Math.min(...distances) < 0.3, `the nearest curve of the picture is ${Math.min(...distances)} pixels off its table`);
  expect(!svg.includes("data-left-out"), `a picture of the tool is not drawn as a whole: ${svg.match(/data-left-out="[^"]*"/)}`);
  const said = (bad) => {
    try {
      return gnuplotPicture(bad);
    } catch (error) {
      return error.message;
    }
  };
  const before = (command) => script.replace(/^plot /m, `${command}\nplot `);
  expect(said(script.replace("with lines", "with pm3d")) === "the page does not draw pm3d", "the page draws what it does not know");
  expect(said(before("set view 60,<30>")).includes(" data-left-out=\"set view 60,&lt;30&gt;\" "), "a command that is left out is not named");
  expect(said(script.replace(/^plot /m, "plot sin(x) notitle, \\\n  ")).includes(" data-left-out=\"sin(x) notitle\" "), "a curve that is left out is not named");
  const evil = "#fff\" onload=\"alert(1)";
  for (const command of [`set arrow from 0,0 to 1,1 linecolor rgb '${evil}'`, `set label 'a' at 0,0 left textcolor rgb '${evil}'`,
    `set object rectangle from 0,0 to 1,1 behind fillcolor rgb '${evil}'`]) {
    expect(said(before(command)) === `the page does not know the colour '${evil}'`, `${command} is drawn`);
  }
  expect(said(before("set arrow from 0,0 to 1,1 linecolor rgb '#80FF0000'")).includes("stroke=\"#FF0000\" stroke-opacity=\"0.498"), "a transparent arrow");
  expect(said(before("set label 'a\" b' at 0,0 left")).includes("a&quot; b</text>"), "a quote in a label");
  expect(said(before("set label 'a' at screen 0.5,0.5 left")).startsWith("the page does not draw at"), "a label at a place that the page does not know");
}

checkShell().then(() => {
  checkPicture();
  console.log(failures.join("\n") || `${count} blocks of the Guide run in their pages`);
  process.exitCode = failures.length > 0 ? 1 : 0;
});
