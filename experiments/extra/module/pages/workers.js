/* workers.js -- workers that hold the library, and what is asked of them: the latest question wins.
 * SPDX-License-Identifier: GPL-3.0-or-later */
"use strict";

const textOf = (id) => document.getElementById(id).textContent;

/* The bytes of a text in base 91, as module.c writes it: two digits are 13 bits, or 14 where these are at most 88. */
function fromBase91(text) {
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%()*+,./:;=?@[]^_`{|}~\"'-\\";
  const valueOf = new Uint8Array(128);
  [...digits].forEach((digit, value) => { valueOf[digit.charCodeAt(0)] = value; });
  const bytes = new Uint8Array(Math.ceil((text.length * 7) / 8));
  let [size, bits, count] = [0, 0, 0];
  for (let i = 0; i + 1 < text.length; i += 2) {
    const value = valueOf[text.charCodeAt(i)] + 91 * valueOf[text.charCodeAt(i + 1)];
    bits |= value << count;
    count += (value & 8191) > 88 ? 13 : 14;
    for (; count > 7; count -= 8) {
      bytes[size++] = bits & 255;
      bits >>>= 8;
    }
  }
  if (text.length % 2 === 1) {
    bytes[size++] = (bits | (valueOf[text.charCodeAt(text.length - 1)] << count)) & 255;
  }
  return bytes.subarray(0, size);
}

/* What a text in base 91 holds, unpackedText, with its type. */
const unpackedText = (id, type) => new Response(
  new Blob([fromBase91(textOf(id))]).stream().pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });

/* The code of the library, compiled once for all workers. */
const compiledCode = () => WebAssembly.compileStreaming(unpackedText("code", "application/wasm"));

const workerAddress = async () => URL.createObjectURL(
  new Blob([await unpackedText("library-source", "text/javascript").text(), "\n", textOf("worker-source")], { type: "text/javascript" }));

/* A worker that answers one question after the other. ask() returns a promise. A question of a topic drops those of the topic that
 * still wait: their promises never settle. One that runs for longer than `patience` is ended with its worker if another waits. */
function libraryWorker(address, code, patience) {
  let worker = null;
  let running = null;
  let timer = 0;
  const waiting = [];

  function start() {
    worker = new Worker(address);
    worker.postMessage({ code });
    worker.onmessage = ({ data: { answer, failure } }) => {
      if (failure && failure.trap) {
        end();
      }
      if (failure) {
        settle("reject", Object.assign(Error(failure.message), failure));
      } else {
        settle("resolve", answer);
      }
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end();
      settle("reject", Error(event.message || "the worker has ended"));
    };
  }

  /* The next question starts another one: a script that always fails must not start workers for ever. */
  function end() {
    worker.terminate();
    worker = null;
  }

  function settle(how, value) {
    const done = running;
    running = null;
    clearTimeout(timer);
    if (done) {
      done[how](value);
    }
    next();
  }

  function next() {
    if (running || waiting.length === 0) {
      return;
    }
    if (worker === null) {
      start();
    }
    running = waiting.shift();
    worker.postMessage({ question: running.question });
    watch();
  }

  /* Whoever waits for a question that is out of date does so for a limited time. */
  function watch() {
    clearTimeout(timer);
    if (running && waiting.some((other) => other.topic === running.topic)) {
      timer = setTimeout(() => {
        end();
        running = null;
        next();
      }, patience);
    }
  }

  start();
  return {
    ask(topic, question) {
      return new Promise((resolve, reject) => {
        for (let i = waiting.length - 1; i >= 0; i--) {
          if (waiting[i].topic === topic) {
            waiting.splice(i, 1);
          }
        }
        waiting.push({ topic, question, resolve, reject });
        next();
        watch();
      });
    },
  };
}
