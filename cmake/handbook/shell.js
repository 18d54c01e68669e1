/* shell.js -- the part of a shell that the command blocks of the Guide are written in: words with quotes and variables, pipes, > FILE,
 * && ||, & and wait, assignments, `for`, and a few programs that read and write text. What it runs gives what bash gives; everything else is
 * refused. Folders and files are those of a Map: "a/b.csv" -> bytes, "a/" -> null.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

/* An error without a status ends the block, not only the command. */
const shellRefuse = (what) => { throw Error(`the shell of the page does not know ${what}`); };

/* What bash expands in an unquoted text: names of files, lists in braces, a folder of a user. */
const shellExpands = (text) => /[?[*]/.test(text) ? text.match(/[?[*]/)[0] : (text.match(/\{[^{}]*(?:,|\.\.)[^{}]*\}/) ?? text.match(/(?:^|[=:])~/) ?? [""])[0];

/* Tokens: { op } or { parts }, a word of parts { text } and { name }, each quoted or not. */
function shellTokens(text) {
  const tokens = [];
  let word = null;
  let at = 0;
  const end = () => {
    if (word) {
      const expands = shellExpands(word.map(({ text: part, quoted }) => (quoted || part === undefined ? "x" : part)).join(""));
      if (expands) {
        shellRefuse(expands);
      }
      tokens.push({ parts: word });
    }
    word = null;
  };
  const add = (part) => { (word = word || []).push(part); };
  const variable = (quoted) => {
    const [all, name] = text.slice(at).match(/^\$([A-Za-z_]\w*|\?)/) || [];
    if (!all) {
      shellRefuse(text.slice(at, at + 2));
    }
    at += all.length;
    add({ name, quoted });
  };
  while (at < text.length) {
    const [op] = text.slice(at).match(/^(&&|\|\||&>|\|&|>[>|&]|;;|[\n;|&>])/) || [];
    if (["&>", "|&", ">>", ">|", ">&", ";;"].includes(op)) {
      shellRefuse(op);
    } else if (text.startsWith("\\\n", at)) {
      at += 2;
    } else if (op) {
      end();
      tokens.push({ op });
      at += op.length;
    } else if (text[at] === "#" && !word) {
      at = text.indexOf("\n", at) < 0 ? text.length : text.indexOf("\n", at);
    } else if (/\s/.test(text[at])) {
      end();
      at++;
    } else if (text[at] === "'") {
      const close = text.indexOf("'", at + 1);
      if (close < 0) {
        throw Error("a quote is not closed");
      }
      add({ text: text.slice(at + 1, close), quoted: true });
      at = close + 1;
    } else if (text[at] === "\"") {
      add({ text: "", quoted: true });
      for (at++; text[at] !== "\"";) {
        if (text[at] === "$") {
          variable(true);
        } else {
          const [plain] = text.slice(at).match(/^[^"$`\\]+/) || [];
          if (!plain) {
            throw Error(text[at] === undefined ? "a quote is not closed" : `the shell of the page does not know ${text[at]} in quotes`);
          }
          add({ text: plain, quoted: true });
          at += plain.length;
        }
      }
      at++;
    } else if (text[at] === "$") {
      variable(false);
    } else {
      const [plain] = text.slice(at).match(/^[^\s;|&><()`\\$'"]+/) || [];
      if (!plain) {
        shellRefuse(text[at]);
      }
      add({ text: plain, quoted: false });
      at += plain.length;
    }
  }
  end();
  return tokens;
}

const plainWord = (token) => (token && token.parts && token.parts.length === 1 && !token.parts[0].quoted && token.parts[0].text) || "";

/* What a block of commands says: a list of { kind: "pipe", commands, when, background } and { kind: "for", name, words, body, when }. `when`
 * is && or || to the entry before. @return or throws why it cannot run */
function shellParse(text) {
  const tokens = shellTokens(text);
  let at = 0;
  const isOp = (...ops) => tokens[at] && ops.includes(tokens[at].op);
  const assignmentOf = ({ parts }) => (parts[0].quoted || parts[0].text === undefined ? null : parts[0].text.match(/^([A-Za-z_]\w*)=([^]*)$/));

  function simple(piped) {
    const command = { assignments: [], words: [], to: null };
    for (; tokens[at] && (tokens[at].parts || isOp(">")); at++) {
      if (isOp(">")) {
        if (/^\d+$/.test(plainWord(tokens[at - 1])) || !tokens[at + 1]?.parts || command.to) {
          shellRefuse("this redirection");
        }
        command.to = tokens[++at];
        continue;
      }
      const [, name, value] = (command.words.length === 0 && assignmentOf(tokens[at])) || [];
      if (name) {
        command.assignments.push({ name, parts: [{ text: value, quoted: true }, ...tokens[at].parts.slice(1)] });
      } else {
        command.words.push(tokens[at]);
      }
    }
    if (command.assignments.length > 0 && (command.words.length > 0 || piped || isOp("|"))) {
      shellRefuse("an assignment for one command");
    }
    if (command.words.length + command.assignments.length === 0 && !command.to) {
      shellRefuse(tokens[at]?.op ? `${JSON.stringify(tokens[at].op)} here` : "a command without words");
    }
    const [program, ...words] = command.words.map((token) => plainWord(token));
    if (command.words.length > 0 && program !== "delassus" && !Object.hasOwn(shellPrograms, program)) {
      throw Error(`${program || "this"} does not run in a page`);
    }
    if (program && program !== "delassus") {
      shellCheck(program, words);
    }
    return command;
  }

  function loop(when) {
    const name = plainWord(tokens[at + 1]);
    const words = [];
    if (!/^[A-Za-z_]\w*$/.test(name) || plainWord(tokens[at + 2]) !== "in") {
      shellRefuse("this `for`");
    }
    for (at += 3; tokens[at]?.parts; at++) {
      words.push(tokens[at]);
    }
    for (; isOp("\n", ";"); at++);
    if (plainWord(tokens[at]) !== "do") {
      shellRefuse("this `for`");
    }
    at++;
    const body = list("done");
    if (plainWord(tokens[at]) !== "done" || (tokens[++at] && !isOp("\n", ";", "&&", "||"))) {
      shellRefuse("this `for`");
    }
    return { kind: "for", name, words, body, when };
  }

  function list(until) {
    const entries = [];
    let when = "";
    while (at < tokens.length && (until === null || plainWord(tokens[at]) !== until)) {
      if (isOp("\n")) {
        at++;
        continue;
      }
      if (isOp(";", "&", "|", "&&", "||")) {
        shellRefuse(`${tokens[at].op} here`);
      }
      if (plainWord(tokens[at]) === "for") {
        entries.push(loop(when));
      } else {
        const commands = [simple(false)];
        while (isOp("|")) {
          at++;
          commands.push(simple(true));
        }
        entries.push({ kind: "pipe", commands, when, background: isOp("&") });
      }
      when = isOp("&&", "||") ? tokens[at].op : "";
      at += isOp("&&", "||", "&", ";") ? 1 : 0;
    }
    if (when) {
      throw Error(`a command is missing behind ${when}`);
    }
    return entries;
  }
  return list(null);
}

const shellIsFolder = (files, path) => path === "" || files.has(`${path}/`) || [...files.keys()].some((name) => name.startsWith(`${path}/`));
const shellFolderOf = (path) => path.replace(/\/?[^/]*$/, "");
const shellText = (bytes) => new TextDecoder().decode(bytes);

/* Programs: { options, least, most, run }: options that a word may be, number of the other words, and (options, words, input, files) -> text;
 * run throws { message, status, output }. Numbers of lines count as options. */
const shellPrograms = (() => {
  const fail = (message, status, output = "") => { throw Object.assign(Error(message), { status, output }); };
  const linesOf = (text) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []; // with their ends
  const whole = (line) => (line.endsWith("\n") ? line : `${line}\n`);

  /* The lines of files, or of the input; files that are missing end the program after the others. */
  function eachText(paths, input, files, status, use) {
    const missing = paths.filter((path) => !files.get(path));
    const output = (paths.length > 0 ? paths.filter((path) => files.get(path)) : [null]).map((path) => use(path === null ? input : shellText(files.get(path)), path)).join("");
    return missing.length > 0 ? fail(missing.map((path) => `${path}: ${shellIsFolder(files, path) ? "a folder" : "no such file"}`).join("\n"), status, output) : output;
  }

  /* A basic expression of POSIX as one of JavaScript. */
  function expression(text) {
    let [made, at] = ["", 0];
    while (at < text.length) {
      const [list] = text.slice(at).match(/^\[\^?\]?[^\]]*\]/) ?? [];
      const begins = at === 0 || (at === 1 && text[0] === "^");
      if (text[at] === "[") {
        if (!list || /\[[.:=]/.test(list.slice(1))) {
          shellRefuse(`the expression ${text}`);
        }
        const inner = list.slice(1, -1).replace(/^\^/, "");
        made += `[${list[1] === "^" ? "^" : ""}${inner.replace(/[\\\][^]/g, "\\$&")}]`;
        at += list.length - 1;
      } else if (text[at] === "\\") {
        if (!/[.*^$[\]\\/]/.test(text[at + 1] ?? "")) {
          shellRefuse(`\\${text[at + 1] ?? ""} in an expression`);
        }
        made += `\\${text[++at]}`;
      } else if ((text[at] === "^" && at === 0) || (text[at] === "$" && at === text.length - 1) || text[at] === "." || (text[at] === "*" && !begins)) {
        made += text[at];
      } else {
        made += text[at].replace(/[*+?^${}()|\]/]/, "\\$&");
      }
      at++;
    }
    return RegExp(made, "us");
  }

  const some = (take) => ([count], paths, input, files) => eachText(paths, input, files, 1, (text) => take(linesOf(text), -count).join(""));

  return {
    export: { options: /^$/, least: 0, most: Infinity, run: () => "" }, // of paths, which a page does not have
    wait: { options: /^$/, least: 0, most: 0, run: () => "" }, // what stands before & has run
    echo: { options: /^$/, least: 0, most: Infinity, run: (_, words) => `${words.join(" ")}\n` },
    cat: { options: /^$/, least: 0, most: Infinity, run: (_, paths, input, files) => eachText(paths, input, files, 1, (text) => text) },
    head: { options: /^-\d+$/, needed: true, least: 0, most: 1, run: some((lines, count) => lines.slice(0, count)) },
    tail: { options: /^-\d+$/, needed: true, least: 0, most: 1, run: some((lines, count) => lines.slice(Math.max(0, lines.length - count))) },
    mkdir: {
      options: /^-p$/, needed: true, least: 1, most: Infinity,
      run(_, paths, input, files) {
        paths.forEach((path) => path.split("/").forEach((__, i, names) => files.set(`${names.slice(0, i + 1).join("/")}/`, null)));
        return "";
      },
    },
    cp: {
      options: /^$/, least: 2, most: 2,
      run(_, [from, to], input, files) {
        const folder = to.replace(/\/$/, "");
        const target = shellIsFolder(files, folder) ? `${folder}/${from.replace(/.*\//, "")}` : to;
        if (!files.get(from) || !shellIsFolder(files, shellFolderOf(target))) {
          fail(`${files.get(from) ? to : from}: no such file`, 1);
        }
        files.set(target, files.get(from));
        return "";
      },
    },
    cmp: {
      options: /^$/, least: 2, most: 2,
      run(_, names, input, files) {
        const [a, b] = names.map((name) => files.get(name) ?? fail(`${name}: no such file`, 2));
        const least = Math.min(a.length, b.length);
        const at = a.subarray(0, least).findIndex((byte, i) => byte !== b[i]);
        if (at >= 0) {
          fail("", 1, `${names.join(" ")} differ: byte ${at + 1}, line ${shellText(a.subarray(0, at)).split("\n").length}\n`);
        }
        return a.length === b.length ? "" : fail(`${names[a.length > least ? 1 : 0]} ends after byte ${least}`, 1);
      },
    },
    grep: {
      options: /^-h$/, least: 1, most: Infinity,
      run(options, [pattern, ...paths], input, files) {
        const named = paths.length > 1 && options.length === 0;
        const wanted = expression(pattern);
        const found = eachText(paths, input, files, 2, (text, path) => linesOf(text).filter((line) => wanted.test(line.replace(/\n$/, "")))
          .map((line) => (named ? `${path}:` : "") + whole(line)).join(""));
        return found || fail("", 1);
      },
    },
    sed: {
      options: /^$/, least: 1, most: Infinity,
      run(_, [command, ...paths], input, files) {
        const [, from, to] = command.match(/^s\/([^/\n]+)\/([^/&\\\n]*)\/$/) ?? shellRefuse(`sed '${command}'`);
        const wanted = expression(from);
        return eachText(paths, input, files, 2, (text) => linesOf(text).map((line) => {
          const end = line.endsWith("\n") ? "\n" : "";
          return line.slice(0, line.length - end.length).replace(wanted, () => to) + end;
        }).join(""));
      },
    },
  };
})();

/* Options and words of a program. Before it runs only the words are known that are not in quotes; the others are "".
 * @return [options, words], or throws what the page's program does not do */
function shellCheck(program, all) {
  const { options, needed, least, most } = shellPrograms[program];
  const isOption = (word) => /^-./.test(word);
  const count = all.findIndex((word) => !isOption(word));
  const [given, words] = count < 0 ? [all, []] : [all.slice(0, count), all.slice(count)];
  const wrong = given.find((word) => !options.test(word)) ?? (program === "echo" ? undefined : words.find((word) => isOption(word) || word === "-"));
  if (wrong !== undefined) {
    shellRefuse(`${program} ${wrong}`);
  }
  if (words.length < least || words.length > most || given.length > 1 || (needed && given.length === 0)) {
    shellRefuse(`${program} ${all.join(" ")}`.trim());
  }
  return [given, words];
}

/* Run a list. `shell` has variables, files, status, print(text), complain(text), and delassus(words, terminal, print), a promise of an
 * exit status; terminal: what it prints is shown. @return a promise */
async function shellRun(entries, shell) {
  const valueOf = (name) => (name === "?" ? String(shell.status) : shell.variables.get(name) ?? shellRefuse(`$${name}: it has no value here`));
  const expanded = (token) => {
    const words = [];
    let [word, quoted] = ["", false];
    const push = () => {
      words.push(...(word !== "" || quoted ? [word] : []));
      [word, quoted] = ["", false];
    };
    for (const part of token.parts) {
      const text = part.name ? valueOf(part.name) : part.text;
      if (part.quoted || !part.name) {
        word += text;
        quoted ||= part.quoted;
        continue;
      }
      if (/[?[*]/.test(text)) {
        shellRefuse(`$${part.name} without quotes: its value has ${text.match(/[?[*]/)[0]}`);
      }
      const pieces = text.split(/[ \t\n]+/);
      word += pieces[0];
      for (const piece of pieces.slice(1)) {
        push();
        word = piece;
      }
    }
    push();
    return words;
  };

  async function one(command, input, print, terminal) {
    for (const { name, parts } of command.assignments) {
      shell.variables.set(name, expanded({ parts: parts.map((part) => ({ ...part, quoted: true })) })[0]);
    }
    const program = plainWord(command.words[0]);
    if (program === "" || program === "export") {
      return 0;
    }
    const words = command.words.slice(1).flatMap(expanded);
    if (program === "delassus") {
      return shell.delassus(words, terminal, print);
    }
    const [options, rest] = shellCheck(program, words);
    try {
      print(shellPrograms[program].run(options, rest, input, shell.files));
      return 0;
    } catch (error) {
      if (error.status === undefined) {
        throw error;
      }
      print(error.output ?? "");
      shell.complain(error.message && `${program}: ${error.message}\n`);
      return error.status;
    }
  }

  async function pipe(commands) {
    let [text, status] = ["", 0];
    for (const [i, command] of commands.entries()) {
      const input = text;
      const shown = i + 1 === commands.length && command.to === null;
      const to = command.to && expanded({ parts: command.to.parts.map((part) => ({ ...part, quoted: true })) })[0];
      text = "";
      if (to !== null && (!shellIsFolder(shell.files, shellFolderOf(to)) || shellIsFolder(shell.files, to))) {
        shell.complain(`${to}: no such file\n`);
        status = 1;
        continue;
      }
      status = await one(command, input, shown ? shell.print : (more) => { text += more; }, shown);
      if (to !== null) {
        shell.files.set(to, new TextEncoder().encode(text));
        text = "";
      }
    }
    shell.status = status;
  }

  for (const entry of entries) {
    const skipped = (entry.when === "&&" && shell.status !== 0) || (entry.when === "||" && shell.status === 0);
    if (entry.kind === "pipe" && !skipped) {
      await pipe(entry.commands);
    } else if (!skipped) {
      const values = entry.words.flatMap(expanded);
      shell.status = 0;
      for (const value of values) {
        shell.variables.set(entry.name, value);
        await shellRun(entry.body, shell);
      }
    }
    shell.status = entry.background ? 0 : shell.status;
  }
}

/* The command blocks of a page, in their order: { entries, reason, setUp, needs }. reason: why the block does not run here, or "".
 * setUp: it only makes folders. needs: numbers of the blocks before it that it reads files or variables of, and those that these need.
 * @param given  files that are there before the first block */
function shellBlocks(texts, given) {
  const paths = texts.map((text) => text.match(/[\w.-]+\/[\w./-]+/g) ?? []);
  const made = paths.map((list) => list.filter((path) => !given.includes(path)));
  const under = (path, folder) => path === folder || path.startsWith(`${folder}/`);
  const folders = (i) => paths[i].map((path) => path.split("/")[0]);
  const usesVariable = (i, k) => [...texts[k].matchAll(/^(\w+)=/gm)].some(([, name]) => RegExp(`\\$${name}\\b`).test(texts[i]));
  const blocks = [];
  for (const [i, text] of texts.entries()) {
    const block = { entries: [], reason: "", setUp: false, needs: [] };
    blocks.push(block);
    try {
      block.entries = shellParse(text);
      block.setUp = block.entries.every(({ commands }) => commands?.every(({ words }) => ["export", "mkdir"].includes(plainWord(words[0]))));
    } catch (error) {
      block.reason = error.message;
      continue;
    }
    for (let k = 0; k < i; k++) {
      const shares = blocks[k].reason // files of programs that do not run here are in the folder of the program
        ? folders(k).some((folder) => folders(i).includes(folder))
        : made[k].some((one) => made[i].some((other) => under(one, other) || under(other, one)));
      if (!blocks[k].setUp && !shares && !usesVariable(i, k)) {
        continue;
      }
      if (blocks[k].reason) {
        block.reason = "reads files of a block above that does not run in a page";
      }
      block.needs.push(...blocks[k].needs, k);
    }
    block.needs = [...new Set(block.needs)].sort((a, b) => a - b);
  }
  return blocks;
}

/* A name for each block of a page, no two alike: the words of its first command of delassus, else of its first line. */
function shellNames(texts) {
  const MOST = 70; // letters
  const firsts = texts.map((text) => {
    const lines = text.replace(/\\\n/g, " ").split("\n").map((line) => line.replace(/\s+/g, " ").trim()).filter((line) => line !== "" && !line.startsWith("#"));
    const line = lines.find((one) => one.startsWith("delassus")) ?? lines[0] ?? "";
    return line.length > MOST ? `${line.slice(0, MOST)}…` : line;
  });
  return firsts.map((first, i) => {
    const before = firsts.slice(0, i).filter((other) => other === first).length;
    return before > 0 ? `${first} (${before + 1})` : first;
  });
}
