/* run-here.js -- a button under each command block of a page: the tool as WebAssembly runs the block, in a worker, with files that only
 * this page has. shell.js says what runs; delassus-tool.js, which wasm/build.sh makes, is loaded at the first press.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

/* In the worker: one command, from its start to its end. It receives the compiled tool, words and files, and answers with texts as they are
 * printed, then with the exit status and the files. */
function toolWorker() {
  self.onmessage = ({ data: { code, words, files, terminal } }) => {
    const say = (kind, text) => self.postMessage({ kind, text });
    let tool = null;
    const path = (name) => `/home/${name}`;
    const collect = (folder, found) => {
      for (const name of tool.FS.readdir(path(folder)).filter((one) => one !== "." && one !== "..")) {
        const inside = folder + name;
        if (tool.FS.isDir(tool.FS.stat(path(inside)).mode)) {
          found.set(`${inside}/`, null);
          collect(`${inside}/`, found);
        } else {
          found.set(inside, tool.FS.readFile(path(inside)));
        }
      }
      return found;
    };
    const end = (status) => self.postMessage({ kind: "end", status, files: collect("", new Map()) });
    const fail = (error) => self.postMessage({ kind: "fault", text: error.message });
    createDelassus({
      arguments: words,
      printErr: (line) => say("message", `${line}\n`),
      gnuplot: gnuplotPicture,
      onExit: end,
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(code, imports).then((instance) => receive(instance, code)).catch(fail);
        return {};
      },
      preRun: [(module) => {
        tool = module;
        const { FS, ENV } = module;
        Object.assign(ENV, { PATH: "/bin", COLUMNS: "100", TERM: "dumb" });
        FS.mkdir("/bin");
        FS.writeFile("/bin/gnuplot", "");
        FS.chmod("/bin/gnuplot", 0o755);
        FS.mkdirTree("/home");
        FS.chdir("/home");
        for (const [name, bytes] of files) {
          FS.mkdirTree(path(name.replace(/[^/]*$/, "")));
          if (bytes) {
            FS.writeFile(path(name), bytes);
          }
        }
      }],
      onRuntimeInitialized() { // without the lines of emscripten's own terminal
        for (const [fd, kind] of [[1, "output"], [2, "message"]]) {
          const stream = tool.FS.streams[fd];
          const decoder = new TextDecoder();
          stream.tty = terminal && fd === 1 ? stream.tty : null;
          stream.stream_ops = {
            write(_, buffer, at, length) {
              say(kind, decoder.decode(buffer.slice(at, at + length), { stream: true }));
              return length;
            },
          };
        }
      },
    }).catch(fail);
  };
}

(() => {
  const root = document.currentScript.dataset.root;
  const shell = { variables: new Map(), files: new Map(), status: 0, print() {}, complain() {}, delassus: null };
  let tool = null; // a promise: { code, address } of the worker
  let worker = null;
  let job = null; // { stopped, end() }, while a block runs whose button was pressed

  /* --- the tool --- */

  function loadTool() {
    if (typeof WebAssembly === "undefined" || typeof DecompressionStream === "undefined") {
      return Promise.reject(Error("the tool does not run in this browser: it has no WebAssembly, or no DecompressionStream"));
    }
    const unpacked = (text, type) => new Response(
      new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${root}delassus-tool.js`;
      script.onload = resolve;
      script.onerror = () => reject(Error("delassus-tool.js of this handbook is missing"));
      document.head.append(script);
    }).then(async () => {
      const code = await WebAssembly.compileStreaming(unpacked(delassusTool.wasm, "application/wasm"));
      const source = [await unpacked(delassusTool.js, "text/javascript").text(), gnuplotPicture, `(${toolWorker})()`].join("\n");
      return { code, address: URL.createObjectURL(new Blob([source], { type: "text/javascript" })) };
    });
  }

  function stop() {
    if (worker) {
      worker.terminate();
    }
    worker = null;
  }

  shell.delassus = async (words, terminal, print) => {
    const mine = job;
    tool = tool || loadTool();
    const { code, address } = await tool.catch((error) => {
      tool = null;
      throw error;
    });
    if (mine.stopped) {
      throw Error("stopped");
    }
    return new Promise((resolve, reject) => {
      worker = new Worker(address);
      mine.end = () => {
        stop();
        reject(Error("stopped"));
      };
      worker.onerror = (event) => {
        event.preventDefault();
        stop();
        reject(Error(event.message || "the worker has ended"));
      };
      worker.onmessage = ({ data }) => {
        if (data.kind === "output") {
          print(data.text);
        } else if (data.kind === "message") {
          shell.complain(data.text);
        } else if (data.kind === "fault") {
          stop();
          reject(Error(data.text));
        } else {
          stop();
          shell.files = data.files;
          resolve(data.status);
        }
      };
      worker.postMessage({ code, words, files: shell.files, terminal });
    });
  };

  /* --- what is shown --- */

  const element = (name, attributes, ...children) => {
    const made = Object.assign(document.createElement(name), attributes);
    made.append(...children);
    return made;
  };

  const sizeOf = (bytes) => (bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
  const MOST_ROWS = 12; // of a table that is shown at once
  const MOST_COLUMNS = 10;

  function tableOf(text) {
    const rows = text.trimEnd().split("\n").filter((line) => !line.startsWith("#")).map((line) => line.split(","));
    if (rows.length === 0 || text.includes("\"") || rows.length > MOST_ROWS || rows[0].length > MOST_COLUMNS || rows.some((row) => row.length !== rows[0].length)) {
      return null;
    }
    const line = (row, cell) => element("tr", {}, ...row.map((value) => element(cell, { textContent: value })));
    return element("div", { className: "box" }, element("table", {}, element("thead", {}, line(rows[0], "th")),
      element("tbody", {}, ...rows.slice(1).map((row) => line(row, "td")))));
  }

  /* A file as an entry of a list. gnuplot's pictures are SVG here, whatever their names end in. */
  function entryOf(name, bytes, addresses) {
    const start = shellText(bytes.subarray(0, 200));
    const isPicture = start.startsWith("<svg") || /^<\?xml[^]*<svg/.test(start);
    const isPage = name.endsWith(".html");
    const address = URL.createObjectURL(new Blob([bytes], { type: isPicture ? "image/svg+xml" : isPage ? "text/html" : "text/plain" }));
    addresses.push(address);
    const ours = isPicture && start.includes("data-drawn=\"page\"");
    const download = name.replace(/.*\//, "").replace(/\.\w+$/, (ending) => (ours ? ".svg" : ending));
    const entry = element("li", {}, element("code", { textContent: name }), ` ${sizeOf(bytes.length)} `,
      element("a", { href: address, download, textContent: "save", ariaLabel: `save ${name}` }));
    if (isPage) {
      entry.append(" ", element("a", { href: address, target: "_blank", textContent: "open", ariaLabel: `open ${name}` }));
    }
    if (isPicture) {
      const leftOut = ours ? new DOMParser().parseFromString(shellText(bytes), "image/svg+xml").documentElement.dataset.leftOut : "";
      const drawn = `Drawn by this page from the script for gnuplot${leftOut ? `, without ${leftOut}` : ""}, saved as SVG.`;
      entry.append(element("img", { src: address, alt: name }), ...(ours ? [element("small", { textContent: drawn })] : []));
    }
    const table = name.endsWith(".csv") && bytes.length < 4000 ? tableOf(shellText(bytes)) : null;
    if (table) {
      entry.append(table);
    }
    return entry;
  }

  function showFiles(view, before) {
    view.addresses.splice(0).forEach((address) => URL.revokeObjectURL(address));
    const isSame = (a, b) => a && a.length === b.length && a.every((byte, i) => byte === b[i]);
    const made = [...shell.files].filter(([name, bytes]) => bytes && !isSame(before.get(name), bytes)).sort(([a], [b]) => (a < b ? -1 : 1));
    view.files.replaceChildren(...made.map(([name, bytes]) => entryOf(name, bytes, view.addresses)));
    view.made = made.map(([name]) => name);
  }

  /* --- blocks --- */

  const listings = [...document.querySelectorAll("main pre")];
  const given = new Map([...document.querySelectorAll("main [data-file]")].map((one) => [one.dataset.file, new TextEncoder().encode(one.textContent.replace(/\n?$/, "\n"))]));
  const shown = listings.filter((pre) => pre.classList.contains("sh"));
  const commands = shown.map((pre) => pre.textContent);
  const blocks = shellBlocks(commands, [...given.keys()]);
  const names = shellNames(commands);
  const done = new Set();
  given.forEach((bytes, name) => shell.files.set(name, bytes));

  async function runBlock(i) {
    const { view, entries } = blocks[i];
    if (!view) { // folders
      await shellRun(entries, shell);
      done.add(i);
      return;
    }
    const append = (name) => (text) => view.output.append(name ? element("span", { className: name, textContent: text }) : text);
    view.made.forEach((name) => (view.before.has(name) ? shell.files.set(name, view.before.get(name)) : shell.files.delete(name)));
    view.before = new Map(shell.files);
    view.output.replaceChildren();
    view.result.hidden = false;
    Object.assign(shell, { print: append(""), complain: append("message"), status: 0 });
    const begin = performance.now();
    const seconds = () => `${((performance.now() - begin) / 1000).toFixed(1)} s`;
    const timer = setInterval(() => { view.clock.textContent = seconds(); }, 200);
    view.status.textContent = tool ? "running" : "loading the tool";
    try {
      await shellRun(entries, shell);
      view.status.textContent = `exit status ${shell.status}, ${seconds()}`;
      done.add(i);
    } catch (error) {
      view.status.textContent = error.message;
      throw error;
    } finally {
      clearInterval(timer);
      view.clock.textContent = "";
      view.output.hidden = view.output.textContent === "";
      showFiles(view, view.before);
    }
  }

  /* What the button of a block does; read aloud with its command. */
  function label(i, words) {
    Object.assign(blocks[i].view.button, { textContent: words, ariaLabel: `${words}: ${names[i]}` });
  }

  async function press(i) {
    if (job) { // the other buttons are disabled
      job.stopped = true;
      job.end?.();
      return;
    }
    job = { stopped: false, end: null };
    blocks.forEach(({ view }, k) => {
      if (view) {
        view.button.disabled = k !== i;
      }
    });
    label(i, "Stop");
    try {
      for (const k of blocks[i].needs.filter((need) => !done.has(need))) {
        blocks[i].view.status.textContent = "a block above comes first";
        await runBlock(k);
      }
      await runBlock(i);
    } catch (error) {
      blocks[i].view.status.textContent = error.message;
    } finally {
      job = null;
      blocks.forEach(({ view }) => {
        if (view) {
          view.button.disabled = false;
        }
      });
      label(i, "Run again");
    }
  }

  blocks.forEach((block, i) => {
    if (block.reason) {
      shown[i].after(element("p", { className: "elsewhere", textContent: `Not in the page: ${block.reason}.` }));
    } else if (!block.setUp) {
      const view = {
        button: element("button", { type: "button", onclick: () => press(i) }),
        status: element("span", { role: "status" }),
        clock: element("span", { ariaHidden: "true" }), // not read aloud: it changes all the time
        output: element("pre", { className: "output", tabIndex: 0, ariaLabel: "output" }),
        files: element("ul", { className: "files" }),
        addresses: [],
        made: [],
        before: new Map(),
      };
      view.result = element("div", { hidden: true }, view.output, view.files);
      const all = element("div", { className: "run" }, view.button, " ", view.status, " ", view.clock, view.result);
      all.dataset.block = i;
      shown[i].after(all);
      block.view = view;
      label(i, "Run here");
    }
  });
})();
