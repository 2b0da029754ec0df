// Builds the bundles that browsers get (lrbn_viz/bundles): each file of the package that no other one imports begins
// one, which holds all that it imports. They are committed, so that an install needs no Node.
//
//   npm run build                 writes them
//   npm run build -- --watch      and again whenever a source changes
//   npm run build:check           compares the committed ones, byte for byte, with those built anew
//   node js/build.js --package X  builds those of a copy of the package
//
// The page of a bundle may load further ones (PARTS): what both hold is in the first one alone, which hands it to them.
//
// A bundle's first line holds a hash of its sources, of this file and of esbuild's version; sources.json says which
// these are, so that Python knows of a bundle that is older than they are (tests/app/test_bundles.py).
import {createHash} from "node:crypto";
import {mkdir, readFile, readdir, rm, writeFile} from "node:fs/promises";
import {dirname, join, relative, resolve, sep} from "node:path";
import {fileURLToPath} from "node:url";
import {parseArgs} from "node:util";
import {build, context, transform, version} from "esbuild";

const SELF = fileURLToPath(import.meta.url),
  options = /** @type {const} */ ({
    check: {type: "boolean", default: false},
    watch: {type: "boolean", default: false},
    package: {type: "string", default: join(dirname(SELF), "..", "lrbn_viz")},
  }),
  {values: asked} = parseArgs({options}),
  PACKAGE = resolve(asked.package),
  BUNDLES = join(PACKAGE, "bundles");

/** @type {Record<string, string[]>} */
const PARTS = {"view/live/js/live.js": ["view/live/js/generate.js", "view/live/js/train.js"]}; // by the bundle before them
// What live pages carry, of one file each: short names save a seventh, and are in no other bundle, whose lines people can read.
const SHORT = [...Object.entries(PARTS).flat(2), "view/live/js/worker.js", "view/live/js/run_worker.js"];
const SHARED = "globalThis.lrbnModules"; // where it hands them over, by path

/** @param {{path: string}} file @returns {Promise<import("esbuild").OnLoadResult>} its text, without what people need to read it */
async function sheet({path}) {
  const {code} = await transform(await readFile(path, "utf8"), {
    loader: "css",
    charset: "utf8",
    minifyWhitespace: true,
  });
  return {contents: code, loader: "text"};
}

/** @type {import("esbuild").BuildOptions & {metafile: true, write: false}} */
const OPTIONS = {
  absWorkingDir: PACKAGE, // to which esbuild's paths are relative
  bundle: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  minifyWhitespace: true, // drops the comments, which take a tenth of a page's code; `spaced` brings the lines back
  outbase: PACKAGE,
  outdir: BUNDLES,
  plugins: [{name: "style sheets as text", setup: ({onLoad}) => onLoad({filter: /\.css$/}, sheet)}],
  outExtension: {".js": ".mjs"},
  target: "es2023",
  tsconfigRaw: {compilerOptions: {alwaysStrict: true}}, // scripts are as strict as modules are
  write: false,
};

/** @typedef {import("esbuild").Metafile["inputs"]} Inputs */

/** @returns {Promise<string[]>} the package's own JavaScript */
async function sources() {
  const found = await readdir(PACKAGE, {recursive: true});
  return found
    .map((path) => path.split(sep).join("/"))
    .filter((path) => path.endsWith(".js"))
    .sort();
}

/** @param {Inputs} inputs  throws where a file imports itself, by way of others or not, or one that is no part of it */
function refuse(inputs) {
  const known = new Set();
  /** @param {string} path @param {string[]} above */
  const visit = (path, above) => {
    if (above.includes(path))
      throw new Error(
        `modules import each other in a circle: ${[...above.slice(above.indexOf(path)), path].join(" > ")}. ` +
          "Move what both need into a file of its own.",
      );
    if (known.has(path)) return;
    for (const {path: other} of inputs[path].imports) visit(other, [...above, path]);
    known.add(path);
  };
  for (const path of Object.keys(inputs).sort()) visit(path, []);
  const outside = Object.keys(inputs).filter(
    (path) => path.startsWith("..") || path.includes("node_modules/"),
  );
  if (outside.length) throw new Error(`outside of the package: ${outside.join(", ")}.`);
}

/** @param {Inputs} inputs @param {string} entry @returns {string[]} what a file is made of, itself among it */
function reached(inputs, entry) {
  const found = new Set([entry]);
  for (const path of found) for (const {path: other} of inputs[path].imports) found.add(other);
  return [...found].sort();
}

/** @param {string} path  a file or not @returns {string} as esbuild names those of the package */
const named = (path) => relative(PACKAGE, path).split(sep).join("/");

/** @param {string[]} held  by the bundle before @returns {import("esbuild").Plugin}  of a part: takes these modules from that bundle */
const taken = (held) => ({
  name: "modules of the bundle before",
  setup: ({onResolve, onLoad}) => {
    onResolve({filter: /\.js$/}, ({path, resolveDir, kind}) => {
      const found = named(resolve(resolveDir, path));
      return kind === "import-statement" && held.includes(found) ? {path: found, namespace: "taken"} : null;
    });
    onLoad({filter: /./, namespace: "taken"}, ({path}) => ({
      contents: `module.exports = ${SHARED}[${JSON.stringify(path)}];`,
    }));
  },
});

/** @param {string} host @param {string[]} modules @returns {import("esbuild").Plugin}  of the bundle before: hands these to its parts */
const handed = (host, modules) => ({
  name: "modules for parts",
  setup: ({onLoad}) =>
    onLoad({filter: /\.js$/}, async ({path}) => {
      if (named(path) !== host) return null;
      const imports = modules.map((module, n) => {
        const from = relative(dirname(path), join(PACKAGE, module)).split(sep).join("/");
        return `import * as module${n} from ${JSON.stringify(from.startsWith(".") ? from : `./${from}`)};`;
      });
      const fields = modules.map((module, n) => `${JSON.stringify(module)}: module${n}`);
      return {
        contents: `${await readFile(path, "utf8")}\n${imports.join("\n")}\n${SHARED} = {${fields.join(", ")}};\n`,
      };
    }),
});

/** @param {Inputs} inputs @returns {Promise<import("esbuild").OutputFile[]>} the bundles of PARTS, and those before them */
async function inParts(inputs) {
  const made = [];
  for (const [host, parts] of Object.entries(PARTS).filter(([host]) => host in inputs)) {
    const held = reached(inputs, host).filter((path) => path.endsWith(".js")),
      own = {...OPTIONS, plugins: [...(OPTIONS.plugins ?? []), taken(held)], entryPoints: parts},
      {metafile, outputFiles} = await build({...own, format: "esm"}),
      modules = Object.keys(metafile.inputs)
        .filter((path) => path.startsWith("taken:"))
        .map((path) => path.slice("taken:".length))
        .sort(),
      plugins = [...(OPTIONS.plugins ?? []), handed(host, modules)];
    made.push(
      ...outputFiles,
      ...(await build({...OPTIONS, plugins, entryPoints: [host], format: "esm"})).outputFiles,
    );
  }
  return made;
}

/** @param {string} text @returns {Promise<string>} the same code on lines that people can read */
const spaced = async (text) => (await transform(text, {charset: "utf8", target: OPTIONS.target})).code;

/** @param {string} text @param {boolean} module @returns {Promise<string>} the same code, with short names and no spaces */
async function shortened(text, module) {
  const {code} = await transform(text, {
    charset: "utf8",
    target: OPTIONS.target,
    minify: true,
    ...(module && {format: "esm"}),
  });
  return code;
}

/** @param {string[]} inputs  of one bundle, sorted */
async function hashOf(inputs) {
  const hash = createHash("sha256")
    .update(`esbuild ${version}\n`)
    .update(await readFile(SELF));
  for (const path of inputs) hash.update(`\n${path}\n`).update(await readFile(join(PACKAGE, path)));
  return hash.digest("hex");
}

/** @returns {Promise<Map<string, string>>} content of all files in the folder of bundles, by path */
async function bundles() {
  const {inputs} = (await build({...OPTIONS, entryPoints: await sources(), format: "esm"})).metafile;
  refuse(inputs);
  const imported = new Set(Object.values(inputs).flatMap(({imports}) => imports.map(({path}) => path))),
    entries = Object.keys(inputs).filter((path) => path.endsWith(".js") && !imported.has(path));
  /** @type {Map<string, string>} */
  const files = new Map(),
    /** @type {Record<string, string[]>} */
    known = {};
  const modules = await build({...OPTIONS, entryPoints: entries, format: "esm"});
  const alone = Object.values(modules.metafile.outputs).flatMap(({entryPoint, exports}) =>
    entryPoint && !exports.length ? [entryPoint] : [],
  );
  // what exports nothing is a script, whose names are nobody else's
  const scripts = await build({...OPTIONS, entryPoints: alone, format: "iife"});
  const parted = new Map((await inParts(inputs)).map(({path, text}) => [path, text]));
  for (const {metafile, outputFiles} of [modules, scripts])
    for (const {path, text: whole} of outputFiles) {
      const {entryPoint} = metafile.outputs[named(path)],
        text = parted.get(path) ?? whole;
      if (!entryPoint) throw new Error(`esbuild wrote ${path}, which no file of the package begins.`);
      // what a bundle hands to its parts depends on them
      const made = [entryPoint, ...(PARTS[entryPoint] ?? [])].flatMap((entry) => reached(inputs, entry));
      known[entryPoint] = [...new Set(made)].sort();
      const written = SHORT.includes(entryPoint)
        ? await shortened(text, !alone.includes(entryPoint))
        : await spaced(text);
      files.set(relative(BUNDLES, path), `// ${await hashOf(known[entryPoint])}\n${written}`);
    }
  const sorted = Object.fromEntries(Object.entries(known).sort(([a], [b]) => (a < b ? -1 : 1)));
  files.set("sources.json", `${JSON.stringify({esbuild: version, bundles: sorted}, null, 1)}\n`);
  return files;
}

/** @returns {Promise<string[]>} paths of the files that stand in the folder of bundles */
async function standing() {
  const found = await readdir(BUNDLES, {recursive: true, withFileTypes: true}).catch(() => []);
  return found
    .filter((each) => each.isFile())
    .map((each) => relative(BUNDLES, join(each.parentPath, each.name)));
}

/** @param {string} path  its content, or null where there is no such file */
const read = (path) => readFile(join(BUNDLES, path), "utf8").catch(() => null);

async function write() {
  const files = await bundles();
  for (const path of await standing()) if (!files.has(path)) await rm(join(BUNDLES, path));
  for (const [path, text] of files) {
    if ((await read(path)) === text) continue; // its time stays
    await mkdir(dirname(join(BUNDLES, path)), {recursive: true});
    await writeFile(join(BUNDLES, path), text);
  }
}

async function check() {
  const files = await bundles(),
    wrong = (await standing()).filter((path) => !files.has(path)).map((path) => `${path}: nothing builds it`);
  for (const [path, text] of files) {
    const old = await read(path);
    if (old !== text) wrong.push(`${path}: ${old === null ? "missing" : "not what its sources give"}`);
  }
  if (!wrong.length) return;
  console.error(
    `lrbn_viz/bundles differs from what is built now; run npm run build:\n${wrong.sort().join("\n")}`,
  );
  process.exitCode = 1;
}

async function watch() {
  const notify = {
    name: "write",
    /** @param {import("esbuild").PluginBuild} all */
    setup: (all) =>
      all.onEnd(async ({errors}) => {
        if (errors.length) return;
        await write().then(
          () => console.log(`${new Date().toTimeString().slice(0, 8)} built`),
          console.error,
        );
      }),
  };
  await (
    await context({
      ...OPTIONS,
      entryPoints: await sources(),
      format: "esm",
      plugins: [...(OPTIONS.plugins ?? []), notify],
    })
  ).watch();
}

try {
  await (asked.check ? check() : asked.watch ? watch() : write());
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error.message); // esbuild's own, with the lines that it is about, stand above
  process.exitCode = 1;
}
