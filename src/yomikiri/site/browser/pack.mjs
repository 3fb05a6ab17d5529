// Compile and pack the files for a browser, with the same Python that runs there: node pack.mjs RUNTIME FOLDER
//
// FOLDER contains pack.py, `files/app`, `files/numpy` and `library.zip`. The packs are written into it.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";

const [runtime, folder] = process.argv.slice(2).map((each) => path.resolve(each));
const { loadPyodide, version } = await import(pathToFileURL(path.join(runtime, "pyodide.mjs")));
// Bytecode is a fifth smaller without the columns of instructions, which only tracebacks show.
const env = { HOME: "/home/pyodide", PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" };
const python = await loadPyodide({ indexURL: runtime + path.sep, env });
python.mountNodeFS("/work", folder);
python.runPython(fs.readFileSync(path.join(folder, "pack.py"), "utf8"));
for (const name of ["app", "numpy", "python_stdlib.zip"]) {
  const packed = zlib.gzipSync(fs.readFileSync(path.join(folder, name)), { level: 9 });
  fs.writeFileSync(path.join(folder, `${name}.pack`), packed);
}
console.log(JSON.stringify({ pyodide: version, python: python.runPython("import sys; sys.version.split()[0]") }));
