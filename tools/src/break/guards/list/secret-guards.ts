import type { Guard, NamedTest } from '../guard.js';
import { core, cut, migration, schedules } from './places.js';

const contracts = (file: string): string => `packages/contracts/src/sensitive/${file}`;
const operate = (file: string): string => `packages/operate/src/reencrypt/${file}`;
const shown = 'packages/http/src/access/shown/show-values';
const marked = (title: string, of?: string): NamedTest => ({
  file: contracts('sensitive.test.ts'),
  title,
  ...(of === undefined ? {} : { of }),
});
const ofRuns = (title: string): NamedTest => ({ file: core('secrets/sealed-runs.test.ts'), title });
const ofTexts = (title: string, of?: string): NamedTest => ({
  file: core('secrets/clean-values.test.ts'),
  title,
  ...(of === undefined ? {} : { of }),
});
const ofViews = (title: string): NamedTest => ({ file: `${shown}.test.ts`, title });
const ofRotation = (title: string): NamedTest => ({ file: operate('reencrypt.test.ts'), title });

/** What keeps sensitive values to those whom they concern. */
export const secretGuards: readonly Guard[] = [
  {
    name: 'sensitive-exists',
    says: 'a sensitive path that protects nothing is refused',
    edits: [
      cut(
        contracts('check-sensitive.ts'),
        `if (nodes.length === 0)
        throw refuse(path, names.length === 0 ? 'there is nothing below it' : \`there is \${names.join(', ')}\`);`,
        'void [nodes, names];',
      ),
    ],
    tests: [marked('%s', 'misspelt')],
  },
  {
    name: 'sensitive-shown',
    says: 'where nobody knows what is sensitive, nothing is shown',
    edits: [
      cut(
        contracts('redact-payload.ts'),
        'return contract === undefined ? SENSITIVE : redact(payload, contract.sensitiveEver);',
        'return contract === undefined ? payload : redact(payload, contract.sensitiveEver);',
      ),
    ],
    tests: [marked('is hidden whole where no contract says what is sensitive')],
  },
  {
    name: 'plain-refused',
    says: 'what requires encryption is never stored in plain text',
    edits: [
      cut(
        core('secrets/seal-payload.ts'),
        "if (ring === null && encryption === 'required') throw new DueworkError('key_ring_missing', { type });",
        'void encryption;',
      ),
    ],
    tests: [ofRuns('cannot enqueue what requires encryption, and is told what to do')],
  },
  {
    name: 'sql-plain-refused',
    says: 'SQL does not store it in plain text either',
    edits: [
      cut(
        migration('20261120120200_enqueue'),
        `IF EXISTS (SELECT FROM duework.job_definitions d WHERE d.type = check_payload.type AND d.requires_encryption) THEN
          RAISE EXCEPTION 'A % requires encryption, and SQL has no keys.', type
            USING ERRCODE = '22W08', DETAIL = 'key_ring_missing',
              HINT = 'Enqueue it in TypeScript, in a process that has a key ring.';
        END IF;`,
      ),
    ],
    tests: [ofRuns('nor does SQL')],
  },
  {
    name: 'sealed-place',
    says: 'an encrypted value is of use in its place only',
    edits: [
      cut(
        core('secrets/sealed-place.ts'),
        "return JSON.stringify(['duework.payload', type, version, pointer]);",
        "void [type, version, pointer]; return '';",
      ),
    ],
    tests: [ofRuns('a value that was moved to another place of the payload, or to another type, is not decrypted')],
  },
  {
    name: 'sensitive-cleaned',
    says: 'no error that is kept quotes a sensitive value',
    edits: [
      cut(
        core('secrets/clean-values.ts'),
        'if (parts.length >= PART) hideParts(joined, parts, isHidden);',
        'if (parts.length >= PART) void [hideParts, joined];',
      ),
    ],
    tests: [
      ofTexts(
        'has no sensitive value, in whatever form or part: %s',
        'The IBAN DE89 3704 0044 0532 0130 00 is unknown',
      ),
    ],
  },
  {
    name: 'values-unknown',
    says: 'an error is not kept where nobody can tell what it may quote',
    edits: [
      cut(
        core('secrets/make-cleaner.ts'),
        "if (values === null) return isName ? 'unexpected_error' : NOT_SHOWN;",
        'values ??= []; void NOT_SHOWN;',
      ),
    ],
    tests: [
      ofTexts('is not shown at all where nobody can tell what is sensitive, because the payload cannot be decrypted'),
    ],
  },
  {
    name: 'issues-cleaned',
    says: 'the refusal of a payload quotes no sensitive value',
    edits: [
      cut(
        core('enqueue/encode-payload.ts'),
        'return issues.map(({ pointer, message }) => ({ pointer, message: cleanValues(message, values) }));',
        'void [values, cleanValues]; return issues;',
      ),
    ],
    tests: [ofRuns('is not quoted by the refusal of a payload')],
  },
  {
    name: 'left-later',
    says: 'a run whose key is missing is left for a while, and not claimed in circles',
    edits: [cut(core('sql/settle/leave-runs.ts'), "run_at = now() + i.delay_ms * interval '1 millisecond',")],
    tests: [ofRuns('leaves the run, uncharged and for a while, says which key is missing, and runs what it can read')],
  },
  {
    name: 'slot-left',
    says: 'a ticker without the key decides nothing about a slot',
    edits: [
      cut(
        schedules('tick/decide-batch.ts'),
        'if (lacksKey) return postpone(row, state, nowMs);',
        'void [lacksKey, postpone];',
      ),
    ],
    tests: [
      {
        file: schedules('sealed-schedules.test.ts'),
        title: 'a ticker without the key leaves the slot to another one and says so',
      },
    ],
  },
  {
    name: 'sensitive-scope',
    says: 'without its scope no answer has a sensitive value',
    edits: [cut(`${shown}.ts`, '} } ⟦return redactPayload(contract, payload);⟧', 'return payload;')],
    tests: [ofViews('a caller who may read payloads sees all of them but what is sensitive')],
  },
  {
    name: 'reencrypt-waiting',
    says: 'only its worker changes a run that runs',
    edits: [
      cut(
        operate('sql/stores.ts'),
        "runs: { ...payloads(sql`duework.job_runs`), isWritten: sql`t.status IN ('queued', 'failed')` },",
        'runs: payloads(sql`duework.job_runs`),',
      ),
    ],
    tests: [ofRotation('a run that runs is passed by, and the next call says what became of it')],
  },
  {
    name: 'reencrypt-unchanged',
    says: 'a payload that was edited meanwhile is not written back',
    edits: [cut(operate('sql/replace-payloads.ts'), 'AND t.${column} = i.before::jsonb')],
    tests: [ofRotation('an edit that comes between reading and writing is not undone')],
  },
];
