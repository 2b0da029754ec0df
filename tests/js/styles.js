// Lets Node read style sheets as the bundler does: as their text.
import {readFileSync} from "node:fs";
import {registerHooks} from "node:module";
import {fileURLToPath} from "node:url";

registerHooks({
  load(url, context, next) {
    if (!url.endsWith(".css")) return next(url, context);
    const text = readFileSync(fileURLToPath(url), "utf8");
    return {format: "module", source: `export default ${JSON.stringify(text)};`, shortCircuit: true};
  },
});
