import { migrations } from '@duework/database/migrate';
import { useTestDatabase } from '@duework/testing/fixtures';
import { expect, test } from '@jest/globals';
import { expectedSchema } from './generated/expected-schema.js';
import { describeSchema } from './sql/describe-schema.js';

const database = useTestDatabase();

test('what the doctor expects is read from the dump, and is what the migrations make', async () => {
  expect(expectedSchema.things).toEqual(await describeSchema(database.db));
  expect(expectedSchema.migrations).toEqual(migrations.map(({ name, checksum }) => ({ name, checksum })));
});
