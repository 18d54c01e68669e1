"""Types of the library for TypeScript: python3 wasm/types.py experiments/delassus/flat.h >delassus.d.mts

Functions, constants and structs come from the header. Pointers, int, long and size_t have 4 bytes in WebAssembly, double has 8.
SPDX-License-Identifier: GPL-3.0-or-later"""

import re
import sys

HEAD = """\
// Types of the library: the functions of delassus/flat.h, whose comments say what they do. Made by wasm/types.py.
// SPDX-License-Identifier: GPL-3.0-or-later

/** An address in the memory of the module; 0 is NULL. */
export type Pointer<To extends string> = number;
/** Functions of JavaScript cannot be passed. */
export type NoCallback = 0;
"""
RUNTIME = """

export interface Delassus {
  HEAPU8: Uint8Array;
  HEAPU32: Uint32Array;
  HEAPF64: Float64Array;
  ccall(name: string, returns: "number" | "string" | null, types: ("number" | "string" | "array")[], values: unknown[]): any;
  cwrap(name: string, returns: "number" | "string" | null, types: ("number" | "string" | "array")[]): (...values: any[]) => any;
  getValue(at: Pointer<string>, type: "i8" | "i32" | "double" | "*"): number;
  setValue(at: Pointer<string>, value: number, type: "i8" | "i32" | "double" | "*"): void;
  UTF8ToString(at: Pointer<"char">, most?: number): string;
  stringToUTF8(text: string, at: Pointer<"char">, bytes: number): void;
  lengthBytesUTF8(text: string): number;
  _malloc(bytes: number): Pointer<string>;
  _free(at: Pointer<string>): void;
  /** Without this call, errors of GSL end the program. */
  _gsl_set_error_handler_off(): void;
"""
END = """}

/** Load the library. @param options  of emscripten: `print`, `printErr`, `wasmBinary`, ... */
export default function createDelassus(options?: Record<string, unknown>): Promise<Delassus>;
"""
SIZES = {"double": 8, "size_t": 4, "int": 4, "long": 4, "unsigned long": 4}


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def split(text):
    """Parts between commas that are in no parentheses."""
    return [part.strip() for part in re.split(r",(?![^()]*\))", text)]


def type_of(declaration, functions):
    """Name and type of a parameter; a function's name and type are those of its result."""
    callback = re.search(r"\(\*(\w+)\)", declaration)
    if callback:
        return callback[1], "NoCallback"
    words = re.sub(r"\b(const|struct)\b", "", declaration)
    name = re.search(r"(\w+)\s*(\[\w+\])?$", words)
    kind = " ".join(words[: name.start()].replace("*", " ").split())
    stars = words.count("*") + (name[2] is not None)
    if kind in functions:
        return name[1], "NoCallback"
    if stars:
        return name[1], f'Pointer<"{kind}{" " * (stars > 1)}{"*" * (stars - 1)}">'
    if kind not in SIZES and kind != "void":
        sys.exit(f"types.py: {declaration.strip()}: the type {kind} is not known; known are {', '.join(SIZES)} and pointers")
    return name[1], "void" if kind == "void" else "number"


def layout(body):
    """Offsets of the members of a struct, and its size."""
    offsets, at, largest = [], 0, 1
    for line in without_comments(body).split(";"):
        first, *others = split(line)
        if not first:
            continue
        kind = re.sub(r"\bconst\b", "", re.match(r"[\w\s]*?(?=\w+\s*$|\(|\*)", first)[0]).strip()
        for declaration in [first, *others]:
            if "*" not in declaration and kind not in SIZES:
                sys.exit(f"types.py: {declaration}: the size of {kind} is not known; known are those of {', '.join(SIZES)} and pointers")
            size = 4 if "*" in declaration else SIZES[kind]
            at += -at % size
            name = re.search(r"\(\*(\w+)\)", declaration) or re.search(r"(\w+)$", declaration)
            offsets.append(f"{name[1]}: {at}")
            at += size
            largest = max(largest, size)
    return "; ".join([*offsets, f"size: {at + -at % largest}"])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    print(HEAD)
    print("/** Values of the constants of delassus/flat.h. */\nexport interface Constants {")
    for name, value in re.findall(r"^#define (DLS_FLAT_\w+) (\d+)$", text, flags=re.M):
        print(f"  {name}: {value};")
    for body in re.findall(r"\benum \{(.*?)\};", text, flags=re.S):
        value = -1
        for item in filter(None, split(without_comments(body))):
            name, _, given = item.partition("=")
            value = int(given) if given else value + 1
            print(f"  {name.strip()}: {value};")
    print("}\n\n/** Offsets of the members of structs in bytes; `size` is that of the whole. */\nexport interface Layouts {")
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\} \1;", text, flags=re.S):
        print(f"  {name}: {{ {layout(body)} }};")
    print("}" + RUNTIME, end="")

    functions = set(re.findall(r"typedef \w+ (\w+)\(", text))
    text = re.sub(r"typedef struct \w+ \{.*?\} \w+;|typedef [^;{}]*;|\benum \{.*?\};", "", text, flags=re.S)
    prototype = r"(?:(/\*\*(?:(?!\*/).)*\*/)\n)?^((?:const )?\w[\w ]*[ *]+)(dls_flat_\w+)\(([^;]*)\);"
    for comment, result, name, parameters in re.findall(prototype, text, flags=re.M | re.S):
        if comment:
            print(re.sub(r"^", "  ", comment, flags=re.M))
        listed = [] if parameters == "void" else [": ".join(type_of(p, functions)) for p in split(parameters)]
        print(f"  _{name}({', '.join(listed)}): {type_of(result + ' ' + name, functions)[1]};")
    print(END, end="")


main()
