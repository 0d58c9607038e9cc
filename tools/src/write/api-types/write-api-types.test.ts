import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { printType } from './print-type.js';
import { apiTypesFile, writeApiTypes } from './write-api-types.js';

test('the types that the console calls the API by are those of its document: npm run write -- api-types', async () => {
  expect(readFileSync(apiTypesFile, 'utf8')).toBe(await writeApiTypes());
});

describe('a schema is printed as a type:', () => {
  test.each([
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: ['object', 'null'], properties: { a: { type: 'string' } } }, '{\nreadonly "a"?: string;\n} | null'],
    [{ $ref: '#/components/schemas/Job' }, "Schemas['Job']"],
    [{ enum: ['a', 'b'] }, '"a" | "b"'],
    [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, 'readonly (string | null)[]'],
    [{}, 'unknown'],
  ])('%j', (schema, type) => {
    expect(printType(schema)).toBe(type);
  });
});
