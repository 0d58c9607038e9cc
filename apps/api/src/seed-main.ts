/**
 * Prepares the example shop in the database of DATABASE_URL, which has to be migrated: makes the shop's tables, and
 * writes the demo data. With `--morning` orders have been paid already, and the worker has work. A second run changes
 * nothing.
 */
import { checkDatabase, connectPrisma, describeDatabaseError } from '@duework/database';
import { migrateShop } from '@duework/shop/migrate';
import { readEnv } from './env.js';
import { seedDemo } from './shop/seed-demo.js';
import { seedMorning } from './shop/seed-morning.js';

const reading = readEnv();
if (!reading.ok) {
  process.stderr.write(`${reading.lines.join('\n')}\n`);
  process.exit(2);
}
const { DATABASE_URL: url } = reading.env;
const db = connectPrisma({ url, poolSize: 1, applicationName: 'duework-seed' });
try {
  await checkDatabase(db, url);
  await migrateShop({ url });
  const { orderId, orderStatus } = await seedDemo(db);
  if (process.argv.includes('--morning')) await seedMorning(db);
  process.stdout.write(`Demo data is there: 2 users, order ${orderId} (${orderStatus}), 1 expired session.\n`);
} catch (error) {
  process.stderr.write(`${describeDatabaseError(error, url).message}\n`);
  process.exitCode = 1;
} finally {
  await db.$disconnect();
}
