// Evaluates the attribution model: `npm run eval:attribution`. See docs/attribution-evaluation.md.
import { basename, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { buildOrExit } from '../packages/server/bin/build/ensure.js';
import { airlineWorld } from './airline.js';
import { BASELINES } from './baselines.js';
import { checkFolder, dataWorld } from './data.js';
import { goalsOf, goalsOfAll } from './goals.js';
import { measureWorld } from './measure.js';
import { publish } from './published.js';
import { toTables } from './report.js';
import { WORLDS } from './worlds/registry.js';

const USAGE = `usage: npm run eval:attribution -- [options]
  --world NAME[,NAME]   only these worlds: ${Object.keys(WORLDS).join(', ')}
  --method NAME[,NAME]  only these methods, and the join: product, last touch, same id, join,
                        service (the product through a running service; slow)
  --seeds N             how many seeds
  --size N              events of each world and seed; two thirds of them are measured
  --reviews N[,N]       numbers of reviewed events
  --data DIR[,DIR]      also decisions.ndjson, events.ndjson and truth.ndjson of these folders, as
                        worlds with the names of the folders
  --case-keys KEY[,KEY] keys of payloads whose values name the transaction of a decision, for data whose
                        decisions state no case_ref
  --smoke               one small run: fails only where a world falls clearly below the join
  --json                prints JSON instead of tables
  --write               renews docs/data/attribution-evaluation.csv for the worlds measured, and the
                        tables of docs/attribution-evaluation.md
`;
const DOCS = join(import.meta.dirname, '../docs');
const PUBLISHED = {
  page: join(DOCS, 'attribution-evaluation.md'),
  data: join(DOCS, 'data/attribution-evaluation.csv'),
};
/** Data of which each further seed is a variation; all other data is measured as given. */
const VARIED = { airline: airlineWorld };
const EXACT = 0;
/** Many reviews are measured on fewer seeds, for the time that they take. */
const MANY = { from: 600, seeds: 2 };
const SOME_WRONG = 0.1;
const FULL = { seeds: 5, size: 1800, reviews: [0, 60, 600], wrong: [EXACT, SOME_WRONG] };
const SMOKE = { seeds: 1, size: 120, reviews: [0, 30], wrong: [EXACT] };
/** The small run reviews events of one world in so many: to learn from them takes most of the time of a world. */
const SMOKE_REVIEWED = 4;

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const options = readOptions(args);
  if (options === undefined) return 2;
  await buildOrExit();
  const methods = await chooseMethods(options.method);
  const scale = scaleOf(options);
  const worlds = [];
  for (const [at, [name, create]] of Object.entries(chooseWorlds(options)).entries()) {
    worlds.push(await measureWorld(name, create, methods, scaleOf(options, at)));
  }
  for (const folder of foldersOf(options)) {
    const caseKeys = options['case-keys']?.split(',') ?? [];
    worlds.push(await measureData(folder, caseKeys, methods, scale));
  }
  const goals = [
    ...worlds.flatMap((world) => goalsOf(world, options.smoke)),
    ...(options.smoke ? [] : goalsOfAll(worlds)),
  ];
  const results = { scale, worlds, goals };
  if (options.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  else process.stdout.write(toTables(results));
  if (options.write) publish(results, PUBLISHED);
  return report(goals);
}

async function measureData(folder, caseKeys, methods, scale) {
  const name = basename(folder);
  const vary = VARIED[name];
  if (vary === undefined) {
    const asGiven = { ...scale, seeds: scale.seeds.slice(0, 1) };
    const world = await measureWorld(name, () => dataWorld(folder, caseKeys), methods, asGiven);
    return { ...world, block: 'traces' };
  }
  const world = await measureWorld(name, (seed) => vary(folder, seed, caseKeys), methods, scale);
  return { ...world, block: name };
}

/** @returns {number} the exit code */
function report(goals) {
  const missed = goals.filter(({ met }) => !met);
  for (const { world, title, reviews, value, limit } of missed) {
    process.stderr.write(
      `missed: ${world}, ${title}, reviews ${reviews}: ${value.toFixed(3)}, limit ${limit.toFixed(3)}\n`,
    );
  }
  return missed.length > 0 ? 1 : 0;
}

/** The rules of the product exist only after the build. */
async function chooseMethods(names) {
  const { product } = await import('./product.js');
  if (names === undefined) return [product, ...BASELINES];
  const { service } = await import('./service.js');
  const chosen = names.split(',');
  return [product, service, ...BASELINES].filter(
    ({ name }) => name === 'join' || chosen.includes(name),
  );
}

function isChosen({ world }, name) {
  return world === undefined || world.split(',').includes(name);
}

function foldersOf(options) {
  const folders = options.data?.split(',') ?? [];
  return folders.filter((folder) => isChosen(options, basename(folder)));
}

function chooseWorlds(options) {
  return Object.fromEntries(Object.entries(WORLDS).filter(([name]) => isChosen(options, name)));
}

/** @param {number} at place of the world among those of the run */
function scaleOf({ smoke, seeds, size, reviews }, at = 0) {
  const scale = smoke ? SMOKE : FULL;
  const isReviewed = !smoke || at % SMOKE_REVIEWED === 0;
  const numbers = reviews?.split(',').map(Number) ?? (isReviewed ? scale.reviews : [0]);
  return {
    seeds: Array.from({ length: Number(seeds ?? scale.seeds) }, (_, index) => index + 1),
    size: Number(size ?? scale.size),
    budgets: numbers.flatMap((count) =>
      (count === 0 ? [EXACT] : scale.wrong).map((wrong) => ({
        reviews: count,
        wrong,
        ...(count >= MANY.from ? { seeds: MANY.seeds } : {}),
      })),
    ),
  };
}

function readOptions(args) {
  const flag = { type: 'boolean', default: false };
  const text = { type: 'string' };
  const options = {
    world: text,
    method: text,
    seeds: text,
    size: text,
    reviews: text,
    data: text,
    'case-keys': text,
    smoke: flag,
    json: flag,
    write: flag,
  };
  try {
    const { values } = parseArgs({ args, options });
    if (values.smoke && values.write) throw new Error('--smoke measures too little for --write');
    const folders = values.data?.split(',') ?? [];
    folders.forEach(checkFolder);
    const data = folders.map((folder) => basename(folder));
    for (const name of data) {
      if (Object.hasOwn(WORLDS, name)) throw new Error(`rename the folder ${name}: it is a world`);
    }
    for (const name of values.world?.split(',') ?? []) {
      if (!data.includes(name) && !Object.hasOwn(WORLDS, name))
        throw new Error(`there is no world named ${name}`);
    }
    for (const name of ['seeds', 'size']) {
      if (values[name] !== undefined && !/^[1-9]\d{0,5}$/.test(values[name])) {
        throw new Error(`--${name} needs a whole number above 0`);
      }
    }
    return values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    return undefined;
  }
}
