/* shell.js -- the part of a shell that the command blocks of the Guide are written in: words with quotes and variables, pipes, > FILE,
 * && ||, & and wait, assignments, `for`, and a few programs that read and write text. Folders and files are those of a Map:
 * "a/b.csv" -> bytes, "a/" -> null.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

/* Tokens: { op } or { parts }, a word of parts { text } and { name }, each quoted or not. */
function shellTokens(text) {
  const tokens = [];
  let word = null;
  let at = 0;
  const end = () => {
    if (word) {
      tokens.push({ parts: word });
    }
    word = null;
  };
  const add = (part) => { (word = word || []).push(part); };
  const variable = (quoted) => {
    const [all, name] = text.slice(at).match(/^\$(\w+|\?)/) || [];
    if (!all) {
      throw Error(`the shell of the page does not know ${text.slice(at, at + 2)}`);
    }
    at += all.length;
    add({ name, quoted });
  };
  while (at < text.length) {
    const [op] = text.slice(at).match(/^(&&|\|\||[\n;|&>])/) || [];
    if (text.startsWith("\\\n", at)) {
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
            throw Error("the shell of the page does not know this text in quotes");
          }
          add({ text: plain, quoted: true });
          at += plain.length;
        }
      }
      at++;
    } else if (text[at] === "$") {
      variable(false);
    } else {
      const [plain] = text.slice(at).match(/^[^\s;|&><()`\\$'"*]+/) || [];
      if (!plain) {
        throw Error(`the shell of the page does not know ${text[at]}`);
      }
      add({ text: plain, quoted: false });
      at += plain.length;
    }
  }
  end();
  return tokens;
}

const plainWord = (token) => (token && token.parts && token.parts.length === 1 && !token.parts[0].quoted && token.parts[0].text) || "";

/* What a block of commands says: a list of { kind: "pipe", commands, when } and { kind: "for", name, words, body }. `when` is && or || to
 * the entry before. @return or throws why it cannot run */
function shellParse(text) {
  const tokens = shellTokens(text);
  let at = 0;
  const isOp = (...ops) => tokens[at] && ops.includes(tokens[at].op);

  function simple() {
    const command = { assignments: [], words: [], to: null };
    for (; tokens[at] && (tokens[at].parts || isOp(">")); at++) {
      const [, name, value] = (tokens[at].parts && !tokens[at].parts[0].quoted && (tokens[at].parts[0].text || "").match(/^(\w+)=(.*)$/s)) || [];
      if (isOp(">")) {
        if (/^\d$/.test(plainWord(command.words.at(-1))) || !tokens[at + 1]?.parts) {
          throw Error("the shell of the page does not know this redirection");
        }
        command.to = tokens[++at];
      } else if (name && command.words.length === 0) {
        command.assignments.push({ name, parts: [{ text: value, quoted: true }, ...tokens[at].parts.slice(1)] });
      } else {
        command.words.push(tokens[at]);
      }
    }
    const program = plainWord(command.words[0]);
    if (command.words.length > 0 && program !== "delassus" && !Object.hasOwn(shellPrograms, program)) {
      throw Error(`${program || "this"} does not run in a page`);
    }
    return command;
  }

  function list(until) {
    const entries = [];
    let when = "";
    while (at < tokens.length && (until === null || plainWord(tokens[at]) !== until)) {
      if (isOp("\n", ";", "&", "&&", "||")) {
        when = isOp("&&", "||") ? tokens[at].op : when;
        at++;
        continue;
      }
      if (plainWord(tokens[at]) === "for") {
        const name = plainWord(tokens[at + 1]);
        const words = [];
        for (at += 3; tokens[at] && !isOp("\n", ";"); at++) {
          words.push(tokens[at]);
        }
        at += 1 + (plainWord(tokens[at + 1]) === "do");
        entries.push({ kind: "for", name, words, body: list("done"), when });
        at++;
      } else {
        const commands = [simple()];
        while (isOp("|")) {
          at++;
          commands.push(simple());
        }
        entries.push({ kind: "pipe", commands, when });
      }
      when = "";
    }
    return entries;
  }
  return list(null);
}

const shellText = (bytes) => new TextDecoder().decode(bytes);

/* Programs: (words, input, files) -> text; or throws { message, status, output }. */
const shellPrograms = (() => {
  const fail = (message, status = 1) => { throw Object.assign(Error(message), { status }); };
  const read = (files, path) => files.get(path) || fail(`${path}: no such file`, 2);
  const lines = (text) => text.replace(/\n$/, "").split("\n");
  const joined = (list) => (list.length > 0 ? list.join("\n") + "\n" : "");
  const textOf = (paths, input, files) => (paths.length > 0 ? paths.map((path) => shellText(read(files, path))).join("") : input);
  const countOf = (word) => Number((word || "").match(/^-(\d+)$/)?.[1] ?? fail("a number of lines is missing", 2));
  return {
    export: () => "", // of paths, which a page does not have
    wait: () => "", // what stands before & has run
    echo: (words) => words.join(" ") + "\n",
    cat: (words, input, files) => textOf(words, input, files),
    head: ([count, ...paths], input, files) => joined(lines(textOf(paths, input, files)).slice(0, countOf(count))),
    tail: ([count, ...paths], input, files) => joined(lines(textOf(paths, input, files)).slice(-countOf(count))),
    mkdir(words, input, files) {
      for (const path of words.filter((word) => word !== "-p")) {
        path.split("/").forEach((_, i, names) => files.set(names.slice(0, i + 1).join("/") + "/", null));
      }
      return "";
    },
    cp([from, to], input, files) {
      files.set(to, read(files, from));
      return "";
    },
    cmp([a, b], input, files) {
      const [one, other] = [read(files, a), read(files, b)];
      const at = one.findIndex((byte, i) => byte !== other[i]);
      if (at < 0 && one.length === other.length) {
        return "";
      }
      const place = at < 0 ? Math.min(one.length, other.length) : at;
      throw Object.assign(Error(""), { status: 1, output: `${a} ${b} differ: byte ${place + 1}, line ${shellText(one.subarray(0, place)).split("\n").length}\n` });
    },
    grep(words, input, files) {
      const [pattern, ...paths] = words.filter((word) => word !== "-h");
      const named = paths.length > 1 && words[0] !== "-h";
      const found = (paths.length > 0 ? paths : [null]).flatMap((path) => lines(path === null ? input : shellText(read(files, path)))
        .filter((line) => RegExp(pattern).test(line)).map((line) => (named ? `${path}:${line}` : line)));
      return found.length > 0 ? joined(found) : fail("");
    },
    sed([command, ...paths], input, files) {
      const [, from, to] = command.match(/^s\/([^/]*)\/([^/]*)\/$/) || fail(`sed '${command}' does not run in a page`, 2);
      return joined(lines(textOf(paths, input, files)).map((line) => line.replace(RegExp(from), () => to)));
    },
  };
})();

/* Run a list. `shell` has variables, files, status, print(text), complain(text), and delassus(words, terminal, print), a promise of an
 * exit status; terminal: what it prints is shown. @return a promise */
async function shellRun(entries, shell) {
  const expanded = (token) => {
    const words = [];
    let word = null;
    for (const part of token.parts) {
      const text = part.name === "?" ? String(shell.status) : part.name ? shell.variables.get(part.name) ?? "" : part.text;
      if (part.quoted || !part.name) {
        word = (word ?? "") + text;
        continue;
      }
      const pieces = text.split(/\s+/);
      word = (word ?? "") + pieces[0];
      for (const piece of pieces.slice(1)) {
        words.push(word);
        word = piece;
      }
    }
    return [...words, ...(word === null || (word === "" && !token.parts.some((part) => part.quoted)) ? [] : [word])];
  };

  async function one(command, input, print, terminal) {
    for (const { name, parts } of command.assignments) {
      shell.variables.set(name, expanded({ parts: parts.map((part) => ({ ...part, quoted: true })) })[0]);
    }
    const [program, ...words] = command.words.flatMap(expanded);
    if (program === undefined) {
      return 0;
    }
    if (program === "delassus") {
      return shell.delassus(words, terminal, print);
    }
    try {
      print(shellPrograms[program](words, input, shell.files));
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
    let text = "";
    for (const [i, command] of commands.entries()) {
      const input = text;
      const shown = i + 1 === commands.length && command.to === null;
      text = "";
      shell.status = await one(command, input, shown ? shell.print : (more) => { text += more; }, shown);
      if (command.to !== null) {
        shell.files.set(expanded(command.to)[0], new TextEncoder().encode(text));
      }
    }
  }

  for (const entry of entries) {
    if ((entry.when === "&&" && shell.status !== 0) || (entry.when === "||" && shell.status === 0)) {
      continue;
    }
    if (entry.kind === "pipe") {
      await pipe(entry.commands);
    } else {
      for (const value of entry.words.flatMap(expanded)) {
        shell.variables.set(entry.name, value);
        await shellRun(entry.body, shell);
      }
    }
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
