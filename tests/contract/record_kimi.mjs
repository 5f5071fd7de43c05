// Run cases through Kimi Code's own functions. usage: node record_kimi.mjs MAIN.mjs ZOD < cases.json > runs.json
// MAIN.mjs is the bundle of @moonshot-ai/kimi-code; the parts of it that read and run hooks are taken by their region.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [bundle, zod] = process.argv.slice(2);
const text = readFileSync(bundle, "utf8");
const folder = "packages/agent-core-v2/src/features/externalHooks/";
const region = (name) => {
  const start = text.indexOf(`//#region ../../${folder}${name}.ts`);
  return text.slice(start, text.indexOf("//#endregion", start));
};
const names = ["internal/types", "configSection", "internal/runHook", "internal/matchHooks", "internal/userPrompt"];
const z = await import(pathToFileURL(zod).href);
const nothing = () => {};
const shims = {
  __esmMin: (init) => init, init_zod$1: nothing, init_configSectionContributions: nothing, init_toml: nothing,
  init_hostProcess: nothing, registerConfigSection: nothing, object: z.object, string: z.string, array: z.array,
  _enum: z.enum, number$1: z.number, preprocess: z.preprocess, looseObject: z.looseObject, unknown: z.unknown,
};
const made = new Function(
  ...Object.keys(shims),
  `${names.map(region).join("\n")}
  init_types$18(); init_configSection$10(); init_runHook(); init_matchHooks();
  return { HooksConfigSchema, indexHooks, runMatchedHooks, blockDecision, renderUserPromptHookResult, renderUserPromptHookBlockResult };`,
)(...Object.values(shims));

const host = {
  spawn: async (command, args, options) => {
    const child = spawn(command, args, { ...options, stdio: "pipe" });
    const ended = new Promise((done) => child.once("exit", (code) => done(code ?? -1)));
    return { stdin: child.stdin, stdout: child.stdout, stderr: child.stderr, wait: () => ended, dispose: nothing,
             kill: (signal) => child.kill(signal) };
  },
};
const camel = (key) => key.replaceAll(/_[a-z]/g, (two) => two[1].toUpperCase());

async function run(one, directory) {
  const entries = JSON.parse(JSON.stringify(one.entries).replaceAll("$W", directory));
  const parsed = made.HooksConfigSchema.safeParse(entries);
  if (!parsed.success) return { refused: true };
  const fields = { ...one.fields };
  let subject = one.subject === null ? undefined : fields[one.subject];
  if (typeof fields.prompt === "string") subject = fields.prompt = [{ type: "text", text: fields.prompt }];
  const inputData = Object.fromEntries(Object.entries(fields).map(([key, value]) => [camel(key), value]));
  const results = await made.runMatchedHooks(host, made.indexHooks(parsed.data), one.event,
    { matcherValue: subject, sessionId: "s1", cwd: directory, inputData });
  const isPrompt = one.event === "UserPromptSubmit";
  const block = one.heeded ? made.blockDecision(one.event, results) : undefined;
  const reason = isPrompt ? made.renderUserPromptHookBlockResult(results)?.message : block?.reason;
  const context = isPrompt && block === undefined ? made.renderUserPromptHookResult(results)?.message : undefined;
  const got = join(directory, "got");
  return { goes_on: block === undefined, reason: reason ?? null, context: context ?? null, hooks: results.length,
           got: existsSync(got) ? readFileSync(got, "utf8").replaceAll(directory, "$W") : null };
}

const runs = {};
for (const [name, one] of Object.entries(JSON.parse(readFileSync(0, "utf8")))) {
  const directory = mkdtempSync(join(tmpdir(), "kimi-"));
  runs[name] = await run(one, directory);
  rmSync(directory, { recursive: true });
}
console.log(JSON.stringify(runs));
process.exit(0);
