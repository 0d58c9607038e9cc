import type { Guard, NamedTest } from '../guard.js';
import { core, cut, migration, schedules, storeCase } from './places.js';

const contracts = (file: string): string => `packages/contracts/src/${file}`;
const command = (file: string): string => `packages/cli/src/contracts/${file}`;
const test = (file: string, title: string): NamedTest => ({ file, title });
const unserved = storeCase(
  'upkeep-cases',
  'what no worker that lives can read raises an alert, which names its type, version and queue',
);

export const versionGuards: readonly Guard[] = [
  {
    name: 'claim-version',
    says: 'a claim takes only what its worker can read',
    edits: [
      cut(
        core('sql/claim/claim-runs.ts'),
        'AND ((j.job_type, j.job_version) IN (SELECT type, version FROM open)) IS TRUE',
        'AND (${isReadable(readable)} OR j.job_type = ANY(${readable.types}::text[]))',
      ),
    ],
    tests: [
      storeCase(
        'claim-cases',
        'a worker takes only the versions it can read; the others wait, uncharged and as they are, and hold up nobody behind them',
      ),
      test(
        core('stop/rolling-deploy.test.ts'),
        'a deploy rolls forward, back and forward while both versions are enqueued: nothing is dead or lost, each run runs once, and gets the shape of its worker',
      ),
    ],
  },
  {
    name: 'listener-version',
    says: 'a wake-up chooses among workers that read the same versions',
    edits: [
      cut(
        core('worker/create-worker.ts'),
        'return Array.from(contractOf.values(), ({ type, oldestVersion, version }) => `${type} ${oldestVersion}-${version}`);',
        'return [...contractOf.keys()];',
      ),
    ],
    tests: [test(core('run/job-versions.test.ts'), 'wake-ups choose among workers that read the same versions')],
  },
  {
    name: 'lift-parsed',
    says: 'what a step returns is parsed by the schema of the next version',
    edits: [
      cut(
        contracts('read-payload.ts'),
        'reading = parse(past.get(step + 1)?.payload ?? payload, lifted, at);',
        'void payload; reading = { success: true, data: lifted };',
      ),
    ],
    tests: [
      {
        file: contracts('read-payload.test.ts'),
        title: 'that %s refuses is not read, and the reason names the version and the step',
        of: 'the schema after a step',
      },
      {
        file: core('run/job-versions.test.ts'),
        title: 'a run is dead where %s, and its error names the version and the step, and no value',
        of: 'today’s schema refuses what a step returns',
      },
    ],
  },
  {
    name: 'attempt-lifted',
    says: 'a handler gets today’s payload',
    edits: [
      cut(core('run/run-attempt.ts'), 'const payload = readPayload(contract, run.version, plain);', (text) =>
        text.replace('run.version', 'contract.version'),
      ),
    ],
    tests: [
      test(
        core('run/job-versions.test.ts'),
        'a handler gets today’s payload, whatever version the run was stored with; the run keeps what it was',
      ),
    ],
  },
  {
    name: 'tick-version',
    says: 'a ticker leaves a schedule to one that can read its payload',
    edits: [
      cut(
        schedules('sql/lock-due-schedules.ts'),
        '${isReadable(readableVersions(contracts))}',
        '${isReadable(readableVersions(contracts))} OR j.job_type = ANY(${[...contracts.keys()]}::text[])',
      ),
    ],
    tests: [
      test(
        schedules('tick/tick-schedules.test.ts'),
        'is left to a process that can read its version, and after five minutes reported',
      ),
    ],
  },
  {
    name: 'slot-lifted',
    says: 'a slot’s payload is lifted from the version that the schedule was saved with',
    edits: [
      cut(
        schedules('slots/slot-payload.ts'),
        `const reading = readPayload(contract, version, rendered);
      if (reading.success) return reading.data;
      throw new DueworkError('invalid_payload', { type, issues: [{ pointer: '', message: reading.why }] });`,
        'void readPayload; return rendered;',
      ),
    ],
    tests: [
      test(
        schedules('slots/slot-payload.test.ts'),
        'a schedule that was saved with an older version makes runs in today’s shape, with today’s key, by the clock and by hand',
      ),
    ],
  },
  {
    name: 'unserved-live',
    says: 'a worker that was not heard of for three minutes reads nothing',
    edits: [
      {
        file: migration('20261120120500_workers'),
        find: "AND w.seen_at > now() - interval '3 minutes'",
        replace: '',
      },
    ],
    tests: [unserved],
  },
  {
    name: 'unserved-forgotten',
    says: 'a worker that was found gone reads nothing',
    edits: [
      cut(
        core('sql/workers/forget-workers.ts'),
        'WHERE worker = ANY(ARRAY(SELECT name FROM forgotten))',
        'WHERE false AND worker = ANY(ARRAY(SELECT name FROM forgotten))',
      ),
    ],
    tests: [
      test(core('sql/upkeep/take-chores.test.ts'), 'forgets what it could run as well, and nothing of the others'),
    ],
  },
  {
    name: 'unserved-stopped',
    says: 'a worker that stops reads nothing any more',
    edits: [
      cut(
        core('worker/create-worker.ts'),
        'const withdrawn = engine.store.withdrawContracts(name).catch(() => {});',
        'const withdrawn = Promise.resolve();',
      ),
    ],
    tests: [
      test(
        core('run/job-versions.test.ts'),
        'what a worker can run is on record while it lives, and not when it has stopped',
      ),
    ],
  },
  {
    name: 'lock-changed-schema',
    says: 'a schema that was changed under its version is refused',
    edits: [
      cut(
        contracts('lock/compare-contracts.ts'),
        'if (!isSameSchema(old.schema, schema)) return [changedSchema(type, version, old.schema, schema)];',
        'void changedSchema; void isSameSchema;',
      ),
    ],
    tests: [
      test(
        contracts('lock/lock-contracts.test.ts'),
        'a changed schema under an unchanged version is refused, also in the past, and its values are not shown',
      ),
      test(
        command('contracts.test.ts'),
        'refuses a changed schema under an unchanged version, a past that lacks one and a type that is gone: a line for each',
      ),
    ],
  },
  {
    name: 'lock-missing-past',
    says: 'a past that lacks a version that was released is refused',
    edits: [
      cut(
        contracts('lock/compare-contracts.ts'),
        'if (schema === undefined) return old?.isRetired === true ? [] : [goneVersion(type, version, version > newest)];',
        'void goneVersion; void newest; if (schema === undefined) return [];',
      ),
    ],
    tests: [
      test(
        contracts('lock/lock-contracts.test.ts'),
        'a past that lacks a version, an older contract and a missing one are refused',
      ),
    ],
  },
  {
    name: 'lock-refused',
    says: 'a lock is not written over by another schema of the same version',
    edits: [
      cut(
        contracts('lock/lock-contracts.ts'),
        'if (old !== undefined && !isSameSchema(old.schema, schema)) throw changed(type, version);',
        'void old; void changed; void isSameSchema;',
      ),
    ],
    tests: [
      test(
        contracts('lock/lock-contracts.test.ts'),
        'refuses another schema under a version that was released, and takes other words for the same one',
      ),
    ],
  },
  {
    name: 'schema-unknown-keyword',
    says: 'a keyword that is not understood makes nothing safe',
    edits: [
      cut(
        contracts('compare/compare-schemas.ts'),
        'return unknown(pointer, `the keyword ${keyword} is not compared`);',
        'return YES;',
      ),
    ],
    tests: [
      {
        file: contracts('compare/compare-schemas.test.ts'),
        title: 'is unknown for %s',
        of: 'one that nobody knows',
      },
    ],
  },
  {
    name: 'push-changed',
    says: 'a deploy that changes a schema under its version is refused',
    edits: [
      cut(
        core('registry/registry.ts'),
        "if (changed.length > 0) throw new DueworkError('contract_changed', { changed });",
        'void changed; void DueworkError;',
      ),
    ],
    tests: [
      test(
        core('registry/registry.test.ts'),
        'that changes a schema under an unchanged version is refused, and nothing of it is written',
      ),
    ],
  },
  {
    name: 'registry-lost',
    says: 'the registry names no worker whose session has ended',
    edits: [
      cut(
        core('sql/registry/read-registry.ts'),
        'AND w.worker <> ALL(ARRAY(SELECT l.name FROM duework.lost_workers AS l))',
      ),
    ],
    tests: [
      test(
        core('registry/registry.test.ts'),
        'writes what it reads when it starts, and is named while it lives, with the defaults of its contract',
      ),
    ],
  },
  {
    name: 'registry-live',
    says: 'the registry names no worker that is gone',
    edits: [cut(core('sql/registry/read-registry.ts'), "AND w.seen_at > now() - interval '3 minutes'")],
    tests: [
      test(
        core('registry/registry.test.ts'),
        'writes what it reads when it starts, and is named while it lives, with the defaults of its contract',
      ),
    ],
  },
  {
    name: 'payload-values',
    says: 'a check of payloads shows none of their values',
    edits: [
      cut(
        core('registry/payload-check/payload-tally.ts'),
        'else this.#refuse(counts, hideValues(judged.why, judged.plain, names));',
        'else this.#refuse(counts, (void hideValues, void names, judged.why));',
      ),
    ],
    tests: [
      test(
        core('registry/check-queued-payloads.test.ts'),
        'and told by type, version and reason, which never names a value',
      ),
    ],
  },
];
