// every entry that is named on the command line, by import and by require: the same names, and errors that either knows
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const OF_NODE = new Set(['default', 'module.exports', '__esModule']);
const namesOf = (module) =>
  Object.keys(module)
    .filter((name) => !OF_NODE.has(name))
    .sort();

for (const entry of process.argv.slice(2)) {
  const imported = await import(entry);
  const required = require(entry);
  assert.deepEqual(namesOf(required), namesOf(imported), entry);
  assert.ok(namesOf(imported).length > 0, `${entry} exports nothing`);
}

const imported = await import('duework');
const required = require('duework');
const { z } = await import('zod');

for (const [one, other] of [
  [imported, required],
  [required, imported],
]) {
  const contract = one.defineJob({ type: 'send_receipt', payload: z.object({ orderId: z.number() }) });
  const error = await other
    .enqueue({ $queryRaw: () => assert.fail('asked') }, contract, { orderId: 'x' })
    .catch((e) => e);
  assert.equal(error.code, 'invalid_payload');
  assert.ok(one.DueworkError.is(error, 'invalid_payload'), 'the error of the other copy is not known');
}

// a contract of the small package is one of the large package, too
const { defineJob } = await import('@duework/contracts');
const foreign = defineJob({ type: 'send_receipt', payload: z.object({ orderId: z.number() }) });
const refused = await imported
  .enqueue({ $queryRaw: () => assert.fail('asked') }, foreign, { orderId: 'x' })
  .catch((e) => e);
assert.equal(refused.code, 'invalid_payload');
