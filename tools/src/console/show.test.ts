import { createShopDatabase } from '@duework/shop/testing';
import { beforeAll, describe } from '@jest/globals';
import { makeTrouble, type Made } from '../write/pictures/make-trouble.js';
import { writeGates } from '../write/pictures/write-gates.js';
import { writePast } from '../write/pictures/write-past.js';
import { writeUnknownEffect } from '../write/pictures/write-unknown-effect.js';
import { describeJourney } from './testing/describe-journey.js';
import { describeReadOnly } from './testing/describe-read-only.js';
import { describeScreens } from './testing/describe-screens.js';
import { useConsole } from './testing/use-console.js';

// one product and one browser for all of it: they take longer to start than most of the tests
const app = useConsole({
  async createDatabase() {
    const database = await createShopDatabase();
    await writePast(database.url);
    return database;
  },
});

describeJourney(app);

describe('after a morning in which mails were refused', () => {
  let made: Made;
  beforeAll(async () => {
    const key = await app.createKey(['read', 'enqueue', 'operate', 'schedules']);
    made = await makeTrouble(app.url, key);
    await writeGates(app.databaseUrl);
    // the morning is over once these have failed for the last time
    for (const id of [made.dead, made.unknown])
      while ((await app.call<{ status: string }>('GET', `/v1/jobs/${id}?wait=30`)).status !== 'dead');
    await writeUnknownEffect(app.databaseUrl, made.unknown);
  });

  describeReadOnly(app, () => ({ job: made.dead, schedule: 'cleanup:berlin' }));
  describeScreens(app, () => made);
});
