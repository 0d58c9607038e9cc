/** `npm run dump:schema` writes prisma/schema.sql from a freshly migrated database; `--check` fails when it differs. */
import { checkNode } from './lib/check-node.mjs';

checkNode();

async function main() {
  const { existsSync, readFileSync, writeFileSync } = await import('node:fs');
  const { join } = await import('node:path');
  const { runMain } = await import('./lib/run-main.mjs');
  const { ensureInstalled } = await import('./lib/ensure-installed.mjs');
  const { runTurbo } = await import('./lib/run-turbo.mjs');
  const { root } = await import('./lib/paths.mjs');
  const { withFreshDatabase } = await import('./lib/with-fresh-database.mjs');
  const { dumpDatabase } = await import('./schema/dump-database.mjs');
  const { describeDifference } = await import('./schema/describe-difference.mjs');

  await runMain(async () => {
    const { pnpmDir } = await ensureInstalled();
    await runTurbo({ task: 'build', label: 'Building', pnpmDir, filter: '@duework/shop' });
    const name = 'prisma/schema.sql';
    const file = join(root, name);
    const { migrateShop } = await import(join(root, 'packages/shop/dist/migrate-shop.js'));
    const expected = await withFreshDatabase(async (url) => {
      await migrateShop({ url });
      return dumpDatabase(url);
    });
    if (!process.argv.includes('--check')) {
      writeFileSync(file, expected);
      process.stdout.write(`${name} written.\n`);
      return 0;
    }
    const actual = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (actual === expected) {
      process.stdout.write(`${name} is what the migrations make.\n`);
      return 0;
    }
    process.stderr.write(
      `${describeDifference(file, actual, expected)}\n${name} is not what the migrations make. Run: npm run dump:schema\n`,
    );
    return 1;
  });
}

void main();
