/* gnuplot.js -- pictures without gnuplot: a script of gnuplot as delassus writes it (experiments/show/gnuplot_figure.c), as SVG. It draws
 * curves, points, areas, frames, labels and keys, not surfaces. The attribute data-left-out of the SVG has what of the script is not drawn.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

/* @return SVG; throws what it cannot draw */
function gnuplotPicture(script) {
  const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" })[c]);
  const unquoted = (text) => (text[0] === "'" ? text.slice(1, -1).replaceAll("''", "'") : text.slice(1, -1).replaceAll("\\n", "\n").replace(/\\(.)/g, "$1"));
  const string = "('(?:[^']|'')*'|\"(?:[^\"\\\\]|\\\\.)*\")";
  const stringIn = (text, after) => {
    const found = text.match(RegExp(`${after} ${string}`));
    return found ? unquoted(found[1]) : "";
  };
  const numberIn = (text, after, otherwise) => Number((text.match(RegExp(`${after} (-?[\\d.e+-]+)`)) || [0, otherwise])[1]);

  /* 10^{-3}, q_0, {/Symbol q}: what is raised or lowered is small */
  const marked = (text) => escaped(text).replace(/\{\/[^ }]*\s?([^{}]*)\}/g, "$1")
    .replace(/([\^_])(?:\{([^{}]*)\}|(\S))/g, (_, kind, group, one) => {
      const shift = kind === "^" ? -0.45 : 0.25;
      return `<tspan dy="${shift}em" font-size="75%">${group ?? one}</tspan><tspan dy="${-shift * 0.75}em">\u200b</tspan>`;
    }).replace(/&amp;\{[^}]*\}|[{}]/g, "");

  let [width, height, letters, line, points] = [0, 0, 0, 1, 1];
  const tables = new Map();
  const pieces = [];
  const leftOut = new Set();
  const panel = { labels: [], arrows: [], boxes: [], ticks: { x: [], y: [] }, range: { x: [0, 1], y: [0, 1] }, log: {}, names: {}, grid: true, border: true };

  function words(x, y, anchor, text, { size = letters, colour = "#000", turn = 0, plain = false } = {}) {
    text.split("\n").forEach((one, i) => {
      const place = `x="${x.toFixed(1)}" y="${(y + 1.25 * size * i).toFixed(1)}"`;
      pieces.push(`<text ${place} text-anchor="${anchor}" font-size="${size.toFixed(1)}" fill="${colour}"` +
        `${turn ? ` transform="rotate(${-turn} ${x.toFixed(1)} ${y.toFixed(1)})"` : ""}>${plain ? escaped(one) : marked(one)}</text>`);
    });
  }
  const path = (d, style) => pieces.push(`<path d="${d}" ${style}/>`);

  /* --- where things are --- */

  const partOf = (axis, value) => {
    const [low, high] = panel.range[axis];
    const scale = panel.log[axis] ? Math.log10 : (x) => x;
    return (scale(value) - scale(low)) / (scale(high) - scale(low));
  };
  const across = (part) => panel.left + part * (panel.right - panel.left);
  const up = (part) => panel.bottom + part * (panel.top - panel.bottom);
  const dot = (x, y) => [across(partOf("x", x)), up(partOf("y", y))];
  const place = (text) => { // "graph 0.1,graph 0.2" or "first 3,4"
    if (!/^((graph|first) ?)?[\d.e+-]+, ?((graph|first) ?)?[\d.e+-]+$/.test(text)) {
      throw Error(`the page does not draw at ${text}`);
    }
    const [x, y] = text.split(",").map((one) => [one.includes("graph"), Number(one.replace(/graph|first/, ""))]);
    return [across(x[0] ? x[1] : partOf("x", x[1])), up(y[0] ? y[1] : partOf("y", y[1]))];
  };
  const near = (x) => Math.max(-1e5, Math.min(1e5, x)).toFixed(1); // far outside of the frame

  /* --- series --- */

  /* Colour and opacity of '#RRGGBB', '#AARRGGBB' (AA: transparency) or a name, as gnuplot reads them. */
  function paintOf(text) {
    const [, clear, digits] = text.match(/^#([0-9A-Fa-f]{2})?([0-9A-Fa-f]{6})$/) || [];
    if (!digits && !/^[a-z]+$/.test(text)) {
      throw Error(`the page does not know the colour '${text}'`);
    }
    return [digits ? `#${digits}` : text, 1 - parseInt(clear ?? "0", 16) / 255];
  }
  const paintIn = (text, what) => paintOf((text.match(RegExp(`${what} rgb '([^']*)'`)) || ["", "#000000"])[1]);

  function styleOf(text) {
    const [colour, opacity] = paintIn(text, "linecolor");
    const thick = numberIn(text, "linewidth", 1) * line;
    const dashes = (text.match(/dashtype \(([^)]*)\)/) || ["", ""])[1];
    return {
      colour,
      opacity,
      thick,
      dash: dashes && ` stroke-dasharray="${dashes.split(",").map((d) => (d * thick * 0.35).toFixed(1)).join(" ")}"`,
      point: numberIn(text, "pointtype", 7),
      radius: 0.19 * letters * points * numberIn(text, "pointsize", 1),
    };
  }
  const stroke = (s) => `fill="none" stroke="${s.colour}" stroke-width="${s.thick.toFixed(2)}" stroke-opacity="${s.opacity}"${s.dash} stroke-linejoin="round"`;
  const fill = (s) => `fill="${s.colour}" fill-opacity="${s.opacity}"`;

  function mark(x, y, s) {
    const [r, kind] = [s.radius, s.point];
    const at = (...corners) => corners.map(([a, b], i) => `${i ? "L" : "M"}${near(x + a * r)} ${near(y + b * r)}`).join("");
    const forms = {
      1: at([-1, 0], [1, 0]) + at([0, -1], [0, 1]), 2: at([-1, -1], [1, 1]) + at([-1, 1], [1, -1]), 4: `${at([-1, -1], [1, -1], [1, 1], [-1, 1])}Z`,
      6: `${at([-1, 0])}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`, 8: `${at([0, -1.1], [1, 0.8], [-1, 0.8])}Z`,
      10: `${at([0, 1.1], [1, -0.8], [-1, -0.8])}Z`, 12: `${at([0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0])}Z`,
    };
    const filled = kind > 4 && kind % 2 === 1;
    const outline = kind === 3 ? forms[1] + forms[2] : forms[filled ? kind - 1 : kind] ?? forms[6];
    path(outline, filled ? fill(s) : `fill="none" stroke="${s.colour}" stroke-width="${line.toFixed(2)}"`);
  }

  function series(text) {
    const [, name, columns] = text.match(/^\s*\$(\w+) using ([\d:]+)/) || [];
    const kind = (text.match(/with (filledcurves closed|\w+)/) || [])[1];
    if (!name) { // a key without a curve, or a frame without one
      if (!/^\s*(NaN|keyentry)\b/.test(text)) {
        leftOut.add(text.trim());
      }
      return;
    }
    const rows = tables.get(name).map((row) => columns.split(":").map((k) => row[k - 1] ?? NaN));
    const s = styleOf(text);
    const joined = (corners) => {
      let begun = false;
      return corners.map(([x, y]) => {
        const good = Number.isFinite(x) && Number.isFinite(y);
        const piece = good ? `${begun ? "L" : "M"}${near(x)} ${near(y)}` : "";
        begun = good;
        return piece;
      }).join("");
    };
    const dots = rows.map(([x, y]) => dot(x, y));
    switch (kind) {
      case "lines":
      case "linespoints":
        path(joined(dots), stroke(s));
        break;
      case "steps":
        path(joined(dots.flatMap(([x, y], i) => (i > 0 ? [[x, dots[i - 1][1]], [x, y]] : [[x, y]]))), stroke(s));
        break;
      case "impulses":
        path(rows.map(([x, y]) => joined([dot(x, Math.max(0, panel.range.y[0])), dot(x, y)])).join(""), stroke(s));
        break;
      case "filledcurves closed":
        path(`${joined(dots)}Z`, `${fill(s)} stroke="#404040"`);
        break;
      case "filledcurves":
        path(`${joined([...dots, ...rows.map(([x, , y]) => dot(x, y)).reverse()])}Z`, fill(s));
        break;
      case "yerrorbars":
        path(rows.map(([x, , low, high]) => joined([dot(x, low), dot(x, high)])).join(""), stroke(s));
        break;
      case "vectors":
        path(rows.map(([x, y, dx, dy]) => joined([dot(x, y), dot(x + dx, y + dy)])).join(""), stroke(s));
        break;
      case "points":
        break;
      default:
        throw Error(`the page does not draw ${kind}`);
    }
    if (kind === "points" || kind === "linespoints") {
      dots.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y)).forEach(([x, y]) => mark(x, y, s));
    }
  }

  /* --- frame and key --- */

  function axes() {
    const light = "fill=\"none\" stroke=\"#D8D8D8\" stroke-width=\"0.75\"";
    const dark = "fill=\"none\" stroke=\"#404040\" stroke-width=\"1\"";
    const tick = 0.35 * letters;
    for (const [part, label, small] of panel.ticks.x.map(([at, ...rest]) => [partOf("x", at), ...rest])) {
      if (part > -1e-9 && part < 1 + 1e-9) {
        const x = across(part).toFixed(1);
        path(`M${x} ${panel.bottom}V${panel.top}`, small || !panel.grid ? "display=\"none\"" : light);
        path(`M${x} ${panel.bottom}v${-tick * (small ? 0.5 : 1)}`, dark);
        words(Number(x), panel.bottom + 1.3 * letters, "middle", label);
      }
    }
    for (const [part, label, small] of panel.ticks.y.map(([at, ...rest]) => [partOf("y", at), ...rest])) {
      if (part > -1e-9 && part < 1 + 1e-9) {
        const y = up(part).toFixed(1);
        path(`M${panel.left} ${y}H${panel.right}`, small || !panel.grid ? "display=\"none\"" : light);
        path(`M${panel.left} ${y}h${tick * (small ? 0.5 : 1)}`, dark);
        words(panel.left - 0.5 * letters, Number(y) + 0.35 * letters, "end", label);
      }
    }
    const zero = up(partOf("y", 0));
    if (panel.zero && zero < panel.bottom && zero > panel.top) {
      path(`M${panel.left} ${zero.toFixed(1)}H${panel.right}`, "stroke=\"#808080\"");
    }
    const { x, y } = panel.names;
    words((panel.left + panel.right) / 2, panel.bottom + (panel.ticks.x.some(([, label]) => label) ? 2.9 : 1.4) * letters, "middle", x || "");
    if (y) {
      words(panel.left - (1.5 + 1.25 * (y.split("\n").length - 1)) * letters - 0.55 * letters * Math.max(...panel.ticks.y.map(([, label]) => plainLength(label)), 1),
        (panel.top + panel.bottom) / 2, "middle", y, { turn: 90 });
    }
    return dark;
  }
  const plainLength = (label) => label.replace(/[{}^_]/g, "").length;

  function key(items) {
    const place = (panel.key || "").match(/screen ([\d.-]+),([\d.-]+)/);
    if (!place) {
      return;
    }
    const spacing = (panel.spacing || 1.25) * letters;
    const titles = items.map((item) => stringIn(item, "title"));
    const columns = /vertical/.test(panel.key) && /maxcols/.test(panel.key) ? 1 : Math.max(1, numberIn(panel.key, "maxcols", 1));
    const rows = numberIn(panel.key, "maxrows", Math.ceil(items.length / columns));
    const wide = letters * (3.5 + 0.6 * Math.max(...titles.map(plainLength), 1));
    const top = height * (1 - place[2]) + letters * (stringIn(panel.key, " title") ? 1.25 : 0);
    if (stringIn(panel.key, " title")) {
      words(width * place[1], top - 0.2 * letters, "start", stringIn(panel.key, " title"));
    }
    items.forEach((item, i) => {
      const [column, row] = columns > 1 ? [i % columns, Math.floor(i / columns)] : [Math.floor(i / rows), i % rows];
      const [x, y] = [width * place[1] + column * wide + 0.4 * letters, top + (row + 0.7) * spacing];
      const s = styleOf(item);
      const size = 2.2 * letters;
      if (/with (lines|steps|impulses|linespoints|vectors)/.test(item) && !/linetype -2/.test(item)) {
        path(`M${x.toFixed(1)} ${y.toFixed(1)}h${size}`, stroke(s));
      } else if (/filledcurves/.test(item)) {
        path(`M${x.toFixed(1)} ${(y - 0.3 * letters).toFixed(1)}h${size}v${0.6 * letters}h${-size}Z`, fill(s));
      }
      if (/points/.test(item)) {
        mark(x + size / 2, y, s);
      }
      words(x + size + 0.5 * letters, y + 0.35 * letters, "start", titles[i], { plain: /noenhanced/.test(panel.key) });
    });
  }

  function plot(text) {
    const items = text.replace(/^plot /, "").split(/,\s*\n\s*/);
    for (const d of panel.boxes) {
      const [a, b] = [place(d.from), place(d.to)];
      const [left, right] = [Math.max(a[0], panel.left), Math.min(b[0], panel.right)];
      path(`M${left} ${a[1]}H${right}V${b[1]}H${left}Z`, `fill="${d.colour}" fill-opacity="${d.pattern ? 0.3 : d.opacity}"`);
    }
    const dark = panel.border ? axes() : "";
    const clip = `p${pieces.length}`;
    if (panel.border) {
      pieces.push(`<clipPath id="${clip}"><path d="M${panel.left} ${panel.top}H${panel.right}V${panel.bottom}H${panel.left}Z"/></clipPath><g clip-path="url(#${clip})">`);
      items.forEach(series);
      pieces.push("</g>");
      path(`M${panel.left} ${panel.top}H${panel.right}V${panel.bottom}H${panel.left}Z`, dark);
    }
    for (const d of panel.arrows) {
      const [[a, b], [x, y]] = [place(d.from), place(d.to)];
      const along = Math.atan2(y - b, x - a);
      const wing = (turn) => `M${x} ${y}l${(letters * 0.7 * Math.cos(along + turn)).toFixed(1)} ${(letters * 0.7 * Math.sin(along + turn)).toFixed(1)}`;
      path(`M${a} ${b}L${x} ${y}${d.head ? wing(2.7) + wing(-2.7) : ""}`, `fill="none" stroke="${d.colour}" stroke-opacity="${d.opacity}" stroke-width="${2 * line}"`);
    }
    for (const d of panel.labels) {
      const [x, y] = place(d.at);
      words(x + d.offset[0] * 0.6 * letters, y - d.offset[1] * 1.25 * letters + (d.turn ? 0 : 0.35 * letters), d.anchor, d.text, d);
    }
    if (panel.title) {
      words((panel.left + panel.right) / 2, panel.top - (0.5 + 1.25 * (panel.title.split("\n").length - 1)) * letters, "middle", panel.title, { plain: true });
    }
    key(items.filter((item) => stringIn(item, "title") !== ""));
  }

  /* --- commands --- */

  const commands = [
    [/^set terminal (\w+)(.*)/, ([, terminal, rest]) => {
      if (!["pngcairo", "svg"].includes(terminal)) {
        throw Error(`the page does not write pictures by ${terminal}`);
      }
      [width, height] = rest.match(/size ([\d.]+),([\d.]+)/).slice(1).map(Number);
      const magnified = terminal === "svg" ? 1 : (numberIn(rest, "fontscale", 1) * 96) / 72;
      letters = Number(rest.match(/font '[^,]*,([\d.]+)'/)[1]) * magnified;
      [line, points] = [numberIn(rest, " linewidth", 1), numberIn(rest, "pointscale", 1) / (numberIn(rest, "fontscale", 1))];
    }],
    [/^set multiplot title (.*)/, ([all]) => words(width / 2, 1.4 * letters, "middle", stringIn(all, "title"), { plain: true })],
    [/^set ([lrbt])margin at screen ([\d.]+)/, ([, side, part]) => {
      const name = { l: "left", r: "right", b: "bottom", t: "top" }[side];
      panel[name] = Math.round(10 * ("lr".includes(side) ? width * part : height * (1 - part))) / 10;
    }],
    [/^set ([xy])range \[(\S+):(\S+)\]/, ([, axis, low, high]) => { panel.range[axis] = [Number(low), Number(high)]; }],
    [/^set logscale ([xy])/, ([, axis]) => { panel.log[axis] = true; }],
    [/^set unlogscale ([xy])|^unset logscale ?([xy]?)/, ([, one, other]) => { panel.log[one || other] = false; }],
    [/^set ([xy])tics \(/, ([all, axis], text) => {
      panel.ticks[axis] = [...text.slice(all.length - 1).matchAll(/'((?:[^']|'')*)' ([^\s,)]+)( 1)?/g)].map(([, label, at, small]) => [Number(at), label, Boolean(small)]);
    }],
    [/^set ([xy])label/, ([, axis], text) => { panel.names[axis] = stringIn(text, "label"); }],
    [/^unset ([xy])label/, ([, axis]) => { panel.names[axis] = ""; }],
    [/^set title/, (_, text) => { panel.title = stringIn(text, "title"); }],
    [/^set key spacing ([\d.]+)/, ([, spacing]) => { panel.spacing = Number(spacing); }],
    [/^set key at/, (_, text) => { panel.key = text; }],
    [/^set (xzeroaxis|grid)/, ([, what]) => { panel[what === "grid" ? "grid" : "zero"] = true; }],
    [/^set label .* at (\S+ ?[\d.e+-]*,(?:graph )?\S+) (left|right|center)/, ([, at, side], text) => panel.labels.push({
      text: stringIn(text, "label"), at, anchor: { left: "start", right: "end", center: "middle" }[side],
      offset: (text.match(/offset (\S+),(\S+)/) || [0, 0, 0]).slice(1).map(Number), turn: numberIn(text, "rotate by", 0),
      colour: paintIn(text, "textcolor")[0], size: /font ',/.test(text) ? (letters * text.match(/font ',([\d.]+)'/)[1]) / 13 : undefined,
      plain: /noenhanced/.test(text),
    })],
    [/^set arrow from (.*) to (.*) linecolor rgb/, ([, from, to], text) => {
      const [colour, opacity] = paintIn(text, "linecolor");
      panel.arrows.push({ from, to, colour, opacity, head: !text.includes("nohead") });
    }],
    [/^set object rectangle from (.*) to (.*) behind/, ([, from, to], text) => {
      const [colour, opacity] = paintIn(text, "fillcolor");
      panel.boxes.push({ from, to, pattern: text.includes("pattern"), colour, opacity });
    }],
    [/^unset (label|arrow|object)$/, ([, what]) => { panel[{ label: "labels", arrow: "arrows", object: "boxes" }[what]] = []; }],
    [/^unset (title|key|xzeroaxis|grid|border)$/, ([, what]) => { panel[what === "xzeroaxis" ? "zero" : what] = what === "grid" || what === "border" ? false : ""; }],
    [/^plot /, (_, text) => plot(text)],
    [/^(un)?set multiplot$|^set (encoding utf8|output output)$|^set border linecolor/, () => {}], // as the page has it anyway
    [/^unset tics$/, () => { panel.ticks = { x: [], y: [] }; }],
    [/^(#|$)/, () => {}],
  ];
  const named = [/^if \(!exists\('output'\)\) \{$/, /^\}$/]; // how the script finds the name of its picture
  const lines = script.split("\n");
  for (let i = 0; i < lines.length; i++) {
    const block = lines[i].match(/^\$(\w+) << EOD/);
    if (block) {
      const end = lines.indexOf("EOD", i);
      tables.set(block[1], lines.slice(i + 1, end).map((row) => (row === "" ? [] : row.split(" ").map(Number))));
      i = end;
      continue;
    }
    let text = lines[i];
    while (text.endsWith("\\") && !text.startsWith("#")) {
      text = `${text.slice(0, -1)}\n${lines[++i]}`;
    }
    if (named[0].test(text)) {
      i = lines.findIndex((one, k) => k > i && named[1].test(one));
      continue;
    }
    const [pattern, act] = commands.find(([one]) => one.test(text)) ?? [];
    if (act) {
      act(text.match(pattern), text);
    } else {
      leftOut.add(text.trim());
    }
  }
  const shortened = [...leftOut].map((text) => (text.length > 40 ? `${text.slice(0, 40)} ...` : text)).join("; ");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" data-drawn="page"${leftOut.size > 0 ? ` data-left-out="${escaped(shortened)}"` : ""} width="${width}" height="${height}" ` +
    `font-family="'DejaVu Sans',Verdana,sans-serif"><rect width="100%" height="100%" fill="#fff"/>\n${pieces.join("\n")}\n</svg>\n`;
}
