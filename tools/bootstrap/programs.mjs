/**
 * The programs of this repository, by what they are for: `npm run check -- imports` runs tools/src/check/imports/main.ts,
 * and `npm run check` lists what there is. A program of the folder `write` compares, instead of writing, under `check`.
 *
 * @typedef {object} Program
 * @property {string} does what it does, in a line
 * @property {string} [main] its folder below tools/src, where that is not <purpose>/<name>
 * @property {readonly string[]} [args] what it is always given
 * @property {readonly [string, ...string[]]} [bin] the installed command that it is, with its arguments
 */

/** @param {string} name @param {string} does @returns {Program} */
const compared = (name, does) => ({ does, main: `write/${name}`, args: ['--check'] });

/** @type {Readonly<Record<string, { does: string, programs: Readonly<Record<string, Program>> }>>} */
export const purposes = {
  check: {
    does: 'Says whether something is as it has to be; exit code 1 where it is not. Several at once: imports words format',
    programs: {
      imports: { does: 'who may import whom, and what belongs in which file' },
      words: { does: 'the words of docs/internals/words.md, in the names of code and of files' },
      lint: { does: 'oxlint, with types', bin: ['oxlint', '--type-aware'] },
      format: { does: 'oxfmt, over code and prose', bin: ['oxfmt', '--check'] },
      docs: { does: 'no page or cell is too long, every link leads somewhere, and lists of names are complete' },
      features: { does: 'what users of other job queues have is shown by a test each' },
      fences: { does: 'every fence of TypeScript or JavaScript in the documentation compiles' },
      site: { does: 'the documentation builds as a site; --serve shows it while you write' },
      figures: compared('figures', 'the tables of figures are those of docs/benchmark.json'),
      reference: compared(
        'reference',
        'docs: commands, options, functions, errors and the list of pages are what the code says',
      ),
      access: compared('access', 'docs/look-up/access.md is what the API answers each scope, for each route'),
      'api-types': compared('api-types', "the console's types are those of the API's document"),
      schema: compared('schema', 'prisma/schema.sql and what the doctor expects are what the migrations make'),
      costs: compared(
        'costs',
        'no verb costs more round trips, buffers, WAL or index entries than docs/costs.json says',
      ),
      'first-start': compared(
        'first-start',
        'npm start installs no more packages and builds no more files than docs/first-start.json says',
      ),
      surface: compared('surface', 'the public names and types are as reported in packages/…/etc'),
      contracts: { does: "the shop's contracts are those that were released, or new versions" },
      deploy: { does: 'the worker and the API run from folders of their own' },
      environments: {
        does: 'jobs of each kind, on databases and behind poolers as others have them; --quick for fewer',
      },
      monitoring: { does: 'the dashboard and the rules of deploy/, in a real Prometheus' },
      packages: { does: 'what users install, used from empty folders' },
      runtimes: {
        does: 'a queue and its worker on every line of Node, on Bun and on Deno',
        main: 'check/packages/runtimes',
      },
      examples: { does: 'the projects below examples/, as their READMEs say' },
      model: { does: 'leases and limits in every order of events (needs spin)' },
    },
  },
  write: {
    does: 'Writes what is generated and committed; `npm run check` compares it.',
    programs: {
      schema: { does: 'prisma/schema.sql and what the doctor expects, after a migration' },
      costs: { does: 'docs/costs.json, after a change that is worth its cost' },
      'first-start': { does: 'docs/first-start.json, when a start has to install or build more' },
      surface: { does: 'the reports of public names in packages/…/etc' },
      access: { does: 'docs/look-up/access.md: what each scope may do, by asking an API for each route' },
      'api-types': { does: "the types that the console calls the API by, out of the API's document" },
      reference: { does: 'docs: the commands, options, functions, errors and the list of pages, from the code' },
      figures: { does: 'the tables of figures in README.md and docs/, from docs/benchmark.json' },
      pictures: { does: 'pictures of every screen of the console, both themes, wide and on a phone' },
    },
  },
  measure: {
    does: 'Takes times and sizes on this machine. Take ratios from them, not absolute values.',
    programs: {
      bench: { does: 'Duework beside graphile-worker, pg-boss and BullMQ; --quick tries everything once, in small' },
      start: { does: 'a worker until its first job, beside others, and the command line' },
    },
  },
  break: {
    does: 'Breaks the product on purpose, and judges whether it kept its promises.',
    programs: {
      drill: { does: '100 receipts, a mail server that refuses, a deploy and a crash: each arrives once' },
      torture: { does: 'every fault, judged by an observer; --quick for each once, --minutes 10, --soak' },
      move: { does: 'jobs of other systems, moved here and back while mover and servers are killed; --quick' },
      incident: { does: 'the troubles of an on-call night, to practise on; --play, --clicks: it mends them itself' },
      alerts: { does: 'each alert begins and is over once, whoever is killed meanwhile; --minutes 60' },
      rehearse: { does: 'an incident: 20,000 jobs die of a provider that is down, and are brought back' },
      simulate: { does: 'the engine on a virtual clock with faults at every await, in thousands of worlds' },
      guards: { does: 'each guard taken out of a copy, one at a time: a named test goes red' },
      fuzz: { does: 'hostile input, for longer than the tests try it; --minutes 5' },
      'fuzz-api': { does: 'the API held against its own OpenAPI document' },
    },
  },
  release: {
    does: 'The steps of docs/internals/releasing.md.',
    programs: {
      dry: { does: 'what a release would publish, or what is in its way' },
      version: { does: 'the versions and changelogs that the changesets ask for' },
      dump: { does: 'what a release has in the database, for the test of upgrades: dump 0.2.0' },
    },
  },
};

/** What `npm start`, `npm test` and their like run, without a list: tools/src/develop. */
export const develop = ['start', 'test', 'test-postgres', 'migrate'];

/** Those of them that need no more than a start: nothing that is for tests, and no declarations. */
export const isStartEnough = (/** @type {string} */ purpose) => purpose === 'start' || purpose === 'migrate';

/**
 * The list of a purpose, as its --help shows it.
 *
 * @param {string} purpose
 */
export function listPrograms(purpose) {
  const { does, programs } = purposes[purpose] ?? { does: '', programs: {} };
  const width = Math.max(...Object.keys(programs).map((name) => name.length));
  const lines = Object.entries(programs).map(([name, program]) => `  ${name.padEnd(width)}  ${program.does}`);
  return `Usage: npm run ${purpose} -- <what> [options]\n${does}\n\n${lines.join('\n')}\n\nEach says more: npm run ${purpose} -- <what> --help\n`;
}
