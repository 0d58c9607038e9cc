import type { Guard, NamedTest } from '../guard.js';
import { cut } from './places.js';

const contracts = (file: string): string => `packages/contracts/src/${file}`;
const test = (title: string, of: string): NamedTest => ({ file: contracts('validators.test.ts'), title, of });
const noJson = '%s is refused, because it is no plain JSON';

export const contractGuards: readonly Guard[] = [
  {
    name: 'no-json-found',
    says: 'a schema whose values are no JSON is refused, whatever JSON Schema comes with it',
    edits: [
      cut(
        contracts('describe-schema.ts'),
        "if (found !== null) throw refuse(`${vendor}'s ${found} is not plain JSON, or changes when it is parsed again`);",
        'void found;',
      ),
    ],
    tests: [test(noJson, 'a transform of zod 3'), test(noJson, 'a Date of arktype')],
  },
  {
    name: 'async-schema-refused',
    says: 'a schema that answers with a promise is refused, and never taken for one that accepts',
    edits: [
      cut(
        contracts('parse-value.ts'),
        "if ('then' in result) throw refuseLater(standard.vendor, result);",
        "void refuseLater; if ('then' in result) return { success: true, data: value };",
      ),
    ],
    tests: [test('of %s, when the contract is defined', 'valibot')],
  },
  {
    name: 'value-not-told',
    says: 'the reason of a refusal names no value, whatever the validator says',
    edits: [
      cut(
        contracts('parse-value.ts'),
        `if (REPEATS_VALUE.has(issue.code)) return 'is none of the values or shapes that its schema lists';
      if (vendor !== 'zod' && vendor !== 'duework')
        return typeof issue.expected === 'string' ? \`expected \${issue.expected}\` : 'does not fit its schema';`,
        'void [REPEATS_VALUE, vendor];',
      ),
    ],
    tests: [test('what %s refuses is told without the value', 'valibot, a check')],
  },
];
