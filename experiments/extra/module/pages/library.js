/* library.js -- the functions of delassus/flat.h for scripts: texts, lists and arrays in the place of pointers, exceptions in the place
 * of messages. Trajectories, references and catalogues are to be freed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

const MESSAGE = 600; // bytes of a message
const OWN_LAW = "of the model"; // the choice of laws that sets none
const NAME = 200; // of a name, a unit, a remark

/* @param code  the compiled library */
async function openLibrary(code) {
  const c = await new Promise((resolve, reject) => {
    createDelassus({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(code, imports).then((instance) => receive(instance, code)).catch(reject);
        return {};
      },
    }).then(resolve, reject);
  });
  const read = (at) => (at === 0 ? null : c.UTF8ToString(at));
  const pointerAt = (at) => c.HEAPU32[at >> 2];
  const doublesAt = (at, count) => c.HEAPF64.slice(at >> 3, (at >> 3) + count);

  /* Memory for one call: a text, a list of texts, room for numbers; freed when `use` returns. */
  function withMemory(use) {
    const blocks = [];
    const room = (bytes) => {
      const at = c._malloc(Math.max(bytes, 8));
      if (at === 0) {
        throw Error("no memory left in the page");
      }
      blocks.push(at);
      return at;
    };
    const memory = {
      room,
      text(string) {
        const bytes = c.lengthBytesUTF8(string) + 1;
        const at = room(bytes);
        c.stringToUTF8(string, at, bytes);
        return at;
      },
      texts(list) {
        const items = list.map(memory.text);
        const at = room(4 * list.length);
        c.HEAPU32.set(items, at >> 2);
        return at;
      },
      doubles(values) {
        const at = room(8 * values.length);
        c.HEAPF64.set(values, at >> 3);
        return at;
      },
    };
    try {
      return use(memory);
    } finally {
      blocks.forEach(c._free);
    }
  }

  /* A call whose last arguments are the message and its size. @return its status, if it has not failed */
  function call(name, memory, ...given) {
    const message = memory.room(MESSAGE);
    c.HEAPU8[message] = 0;
    const status = c[`_dls_flat_${name}`](...given, message, MESSAGE);
    if (status < 0) {
      throw Error(read(message) || `${name}: status ${status}`);
    }
    return status;
  }

  /* A text that the caller of the library frees. */
  function takeText(at) {
    const text = read(pointerAt(at));
    c._dls_flat_text_free(pointerAt(at));
    return text;
  }

  /* Everything that `next` returns up to null. */
  function collect(next) {
    const list = [];
    for (let item = next(0); item !== null; item = next(list.length)) {
      list.push(item);
    }
    return list;
  }

  /* --- trajectories --- */

  const workNames = collect((i) => read(c._dls_flat_work_name(i)));
  const eventColumns = collect((i) => read(c._dls_flat_event_column(i, 0)));
  const eventKinds = collect((i) => read(c._dls_flat_event_kind(i)));

  /* @param at  of a dls_trajectory @param release  frees what it belongs to */
  function trajectory(at, release) {
    const rows = c._dls_flat_rows(at);
    const columns = collect((i) => read(c._dls_flat_column_name(at, i)));
    const indexOf = (name) => {
      const index = columns.indexOf(name);
      if (index < 0) {
        throw Error(`there is no column ${name}`);
      }
      return index;
    };
    const work = Object.fromEntries(workNames.map((name, i) => [name, c._dls_flat_work(at, i)]));
    return {
      at, rows, columns, release,
      complete: c._dls_flat_complete(at) !== 0,
      failure: c._dls_flat_complete(at) !== 0 ? "" : read(c._dls_flat_failure(at)),
      work: { steps: work.steps, evals: work.force_evals + work.lcp_solves + work.factorizations },
      column(name) {
        return withMemory((memory) => {
          const values = memory.room(8 * rows);
          c._dls_flat_column(at, indexOf(name), values);
          return doublesAt(values, rows);
        });
      },
      columnAt(name, side, times) {
        return withMemory((memory) => {
          const values = memory.room(8 * times.length);
          call("column_at", memory, at, indexOf(name), side, times.length, memory.doubles(times), values);
          return doublesAt(values, times.length);
        });
      },
      /* The filled-in graph of a column: times and values. */
      graph(of, most) {
        return withMemory((memory) => {
          const out = memory.room(4);
          call("graph", memory, at, memory.text(of), most, out);
          const line = trajectory(pointerAt(out), c._dls_flat_free);
          try {
            return [line.column(line.columns[0]), line.column(line.columns[1])];
          } finally {
            free(line);
          }
        });
      },
      warnings: () => collect((i) => read(c._dls_flat_warning(at, i))),
      events() {
        return withMemory((memory) => {
          const count = c._dls_flat_event_count(at);
          const wide = eventColumns.length;
          const values = memory.room(8 * count * wide);
          c._dls_flat_events(at, values);
          const numbers = doublesAt(values, count * wide);
          return Array.from({ length: count }, (_, i) => {
            const event = Object.fromEntries(eventColumns.map((name, k) => [name, numbers[i * wide + k]]));
            return { ...event, kind: eventKinds[event.kind] };
          });
        });
      },
    };
  }

  const free = (owner) => owner && owner.release(owner.owner || owner.at);

  /* --- names, models, runs --- */

  function optionsOf(catalogue, kind, entry) {
    return withMemory((memory) => {
      const [texts, values] = [memory.room(8), memory.room(8 * 5)];
      const [kindAt, entryAt] = [memory.text(kind), memory.text(entry)];
      return collect((i) => {
        const name = read(c._dls_flat_option(catalogue, kindAt, entryAt, i, texts, values));
        if (name === null) {
          return null;
        }
        const [initial, min, max, type, open] = doublesAt(values, 5);
        const choices = type === 2 ? collect((k) => read(c._dls_flat_option_word(catalogue, kindAt, entryAt, i, k))) : null;
        return { name, unit: read(pointerAt(texts)), help: read(pointerAt(texts + 4)), initial, min, max, choices,
          integer: type === 1, openMin: (open & 1) !== 0, openMax: (open & 2) !== 0 };
      });
    });
  }

  function namesOf(catalogue, kind) {
    return withMemory((memory) => {
      const at = memory.text(kind);
      return collect((i) => {
        const name = read(c._dls_flat_name(catalogue, at, i));
        return name === null ? null : { name, summary: read(c._dls_flat_summary(catalogue, at, i)) };
      });
    });
  }

  function withSystem(catalogue, model, set, use) {
    return withMemory((memory) => {
      const out = memory.room(4);
      call("system_create", memory, catalogue, memory.text(model), set.length, memory.texts(set), out);
      const system = pointerAt(out);
      try {
        return use(system, memory);
      } finally {
        c._dls_flat_system_free(system);
      }
    });
  }

  /* Name and units of a coordinate and its velocity. */
  function coordinateOf(system, memory, index) {
    const [words, unit, rate] = [memory.room(NAME), memory.room(NAME), memory.room(NAME)];
    const status = c._dls_flat_system_coordinate(system, index, 0, words, NAME, unit, NAME, rate, NAME);
    return status < 0 ? null : { words: read(words), unit: read(unit), rate: read(rate) };
  }

  /* A library of names, with the model of a text if there is one. @param own  { name, text, matrices }: of matrices, else of a mechanism */
  function openCatalogue(own) {
    const at = withMemory((memory) => {
      const out = memory.room(4);
      call("open", memory, out);
      return pointerAt(out);
    });
    const catalogue = {
      at,
      close: () => c._dls_flat_close(at),

      entries() {
        const exact = new Set(namesOf(at, "exact").map((entry) => entry.name));
        return {
          models: namesOf(at, "model").map((entry) => ({ ...entry, exact: exact.has(entry.name) })),
          schemes: namesOf(at, "scheme").map((entry) => {
            const options = optionsOf(at, "scheme", entry.name);
            const needsStep = withMemory((memory) => c._dls_flat_needs_step(at, memory.text(entry.name)) > 0);
            return { ...entry, options, needsStep, hasTol: options.some((option) => option.name === "tol") };
          }),
          norms: namesOf(at, "norm"),
        };
      },

      model(model, set) {
        const summary = (namesOf(at, "model").find((entry) => entry.name === model) || {}).summary;
        return withSystem(at, model, set, (system, memory) => {
          const sizes = memory.room(8 * 7);
          c._dls_flat_system_sizes(system, sizes);
          const coordinates = collect((i) => coordinateOf(system, memory, i));
          const treats = ({ name }) => {
            try {
              call("system_treats", memory, system, memory.text(name));
              return "";
            } catch (error) {
              return error.message;
            }
          };
          const [, contacts, , , , time] = doublesAt(sizes, 7);
          const law = { name: "law", unit: "", help: "law of contact", initial: 0, choices: [OWN_LAW, ...namesOf(at, "law").map((entry) => entry.name)] };
          return { summary, coordinates, parameters: [...optionsOf(at, "model", model), ...(contacts > 0 ? [law] : [])], time,
            reasons: Object.fromEntries(namesOf(at, "scheme").map((entry) => [entry.name, treats(entry)])) };
        });
      },

      run(model, set, scheme, step, end) {
        return withMemory((memory) => {
          const out = memory.room(4);
          c.HEAPU32[out >> 2] = 0;
          try {
            call("run", memory, at, memory.text(model), set.length, memory.texts(set), memory.text(scheme), step, end, 0, 0, out);
          } catch (error) {
            if (pointerAt(out) === 0) {
              throw error;
            }
          }
          return trajectory(pointerAt(out), c._dls_flat_free);
        });
      },

      reference(model, set, end) {
        return withMemory((memory) => {
          const out = memory.room(4);
          call("reference_create", memory, at, memory.text(model), set.length, memory.texts(set), end, 0, 0, 0, 0, 0, out);
          const owner = pointerAt(out);
          return { ...trajectory(c._dls_flat_reference_rows(owner), c._dls_flat_reference_free), owner,
            name: c._dls_flat_reference_exact(owner) ? "exact solution" : "event-driven reference", text: read(c._dls_flat_reference_text(owner)) };
        });
      },

      /* The energy ledger: total energy over time, and the table of the tool. */
      energy(model, set, scheme, step, end) {
        return withMemory((memory) => {
          const [rows, table] = [memory.room(4), memory.room(4)];
          call("energy", memory, at, memory.text(model), set.length, memory.texts(set), memory.text(scheme), step, end, 0, 0, rows, table);
          const ledger = trajectory(pointerAt(rows), c._dls_flat_free);
          try {
            return { t: ledger.column("t"), values: ledger.column("mechanical"), table: takeText(table) };
          } finally {
            free(ledger);
          }
        });
      },

      /* The command of the tool. @param options  [[name, value]] */
      command(command, model, options) {
        return withMemory((memory) => {
          const out = memory.room(4);
          call("command", memory, at, memory.text(command), memory.text(model), options.length, memory.texts(options.map(([name]) => name)),
            memory.texts(options.map(([, value]) => value)), out);
          return takeText(out);
        });
      },
    };
    if (own) {
      try {
        addOwn(at, own);
      } catch (error) {
        catalogue.close();
        throw error;
      }
    }
    return catalogue;
  }

  /* --- texts of the reader --- */

  const bytesOf = (text) => c.lengthBytesUTF8(text);

  /* The model of a text; throws what is wrong with line and column. */
  function addOwn(catalogue, { name, text, matrices }) {
    withMemory((memory) => {
      const place = memory.room(8);
      const given = [catalogue, memory.text(name), memory.text(text), bytesOf(text), place];
      c.HEAPU32.fill(0, place >> 2, (place >> 2) + 2);
      try {
        if (matrices) {
          call("matrices_text", memory, ...given);
        } else {
          call("mechanism", memory, ...given);
        }
      } catch (error) {
        const [line, column] = [pointerAt(place), pointerAt(place + 4)];
        const words = error.message.slice(error.message.indexOf(": ") + 2); // behind "NAME:LINE:COLUMN: "
        throw line > 0 ? Object.assign(Error(words), { line, column }) : error;
      }
    });
  }

  /* Everything that is wrong in a study file, or what its studies compute: tables and verdicts. */
  function runStudies(catalogue, text) {
    return withMemory((memory) => {
      const [out, place, texts, values] = [memory.room(4), memory.room(8), memory.room(16), memory.room(32)];
      let fault = "";
      c.HEAPU32[out >> 2] = 0;
      try {
        call("file_read", memory, catalogue.at, memory.text(text), bytesOf(text), out);
      } catch (error) {
        fault = error.message;
      }
      const file = pointerAt(out);
      const problems = file === 0 ? [] : collect((i) => {
        const problem = read(c._dls_flat_file_problem(file, i, place));
        return problem === null ? null : { line: pointerAt(place), column: pointerAt(place + 4), problem };
      });
      try {
        if (fault !== "" || problems.length > 0) {
          return { problems: problems.length > 0 ? problems : [{ line: 0, column: 0, problem: fault }], studies: [] };
        }
        const studies = collect((i) => {
          const kind = read(c._dls_flat_file_study(file, i, texts));
          return kind === null ? null : { kind, title: read(pointerAt(texts + 4)) };
        });
        studies.forEach((study, i) => {
          study.fault = "";
          try {
            call("file_run", memory, file, i, 0, 0);
          } catch (error) {
            study.fault = error.message.replace(/^(\d+):(\d+): /, "line $1, column $2: "); // of the first scheme that failed; the others have their tables
          }
          study.tables = collect((k) => {
            const name = read(c._dls_flat_file_table(file, i, k, texts));
            return name === null ? null : { name, text: read(pointerAt(texts)) };
          });
          study.verdicts = collect((k) => {
            const words = read(c._dls_flat_file_verdict(file, i, k, values, 0));
            return words === null ? null : { words, agrees: doublesAt(values, 4)[3] === 1 };
          });
        });
        return { problems: [], studies };
      } finally {
        c._dls_flat_file_free(file);
      }
    });
  }

  /* What the page of a lesson shows, at any values of its sliders. */
  function openLesson(name) {
    const at = withMemory((memory) => {
      const out = memory.room(4);
      call("lesson_create", memory, memory.text(name), out);
      return pointerAt(out);
    });
    return {
      run: (values) => withMemory((memory) => {
        const out = memory.room(4);
        call("lesson_run", memory, at, values.length, memory.texts(values), out);
        return JSON.parse(takeText(out));
      }),
    };
  }

  return {
    free,
    openCatalogue,
    openLesson,
    runStudies,

    distance(reference, run, norm, of) {
      return withMemory((memory) => {
        const values = memory.room(16);
        call("distance", memory, reference.owner, run.at, memory.text(norm), memory.text(of), values);
        return doublesAt(values, 2)[0];
      });
    },

    /* "max(s, m/s)" of such an error, or "". */
    distanceUnit(reference, norm, of) {
      return withMemory((memory) => {
        const unit = memory.room(NAME);
        call("distance_unit", memory, reference.owner, memory.text(norm), memory.text(of), unit, NAME);
        return read(unit);
      });
    },

    /* The line through points of one scheme, in the words of the tool. @param against  "step" or a measure of work */
    line(reference, scheme, norm, of, xs, errors, against) {
      return withMemory((memory) => {
        const [points, values, words] = [memory.room(20), memory.room(8 * 13), memory.room(NAME)];
        c.HEAPU32.set([xs.length, memory.doubles(xs), memory.doubles(errors), 0, memory.text(against)], points >> 2);
        call("line", memory, reference.owner, memory.text(scheme), memory.text(norm), memory.text(of), points, values, words, NAME);
        const [fitted, order, low, high, constant] = doublesAt(values, 5);
        return { fitted: fitted === 1, order, low, high, constant, decimals: doublesAt(values, 13)[12], words: read(words) };
      });
    },
  };
}
