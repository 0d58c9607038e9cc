/** `npm run write -- pictures`: pictures of every screen of the console, in both themes, wide and on a phone. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { migrateDatabase } from '@duework/database/migrate';
import { below, root, stateDir } from '../../../bootstrap/paths.mjs';
import { createProgram } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { withFreshDatabase } from '../../kit/with-fresh-database.js';
import { makeTrouble } from './make-trouble.js';
import { openBrowser } from '../../console/open-browser.js';
import { listScreens } from './screens.js';
import { startPickyMailServer } from '../../console/start-picky-mail-server.js';
import { startProduct } from '../../console/start-product.js';
import { writeGates } from './write-gates.js';
import { writePast } from './write-past.js';
import { writeUnknownEffect } from './write-unknown-effect.js';
import { takeDocsPictures, takePictures } from './take-pictures.js';

const WORK_MS = 12_000;
const dir = join(stateDir, 'console-screens');
const docsDir = join(root, 'docs/pictures');

const program = createProgram(
  'write pictures',
  `Starts a database, the API, a worker and a mail server that refuses some, lets a shop's morning happen, and writes a
picture of every screen to ${below(dir)}. Exit code 1: the browser complained about something.`,
)
  .option('--only <text>', 'only the screens that have it, or one of several (a,b), in their name')
  .option('--docs', `only the pictures of the documentation, to ${below(docsDir)}`)
  .option('--keep', 'leaves everything running afterwards, and prints the address, until Ctrl-C');

await runProgram(program, () =>
  withFreshDatabase(
    async (databaseUrl) => {
      const { only = '', keep, docs } = program.opts<{ only?: string; keep?: true; docs?: true }>();
      await migrateDatabase({ url: databaseUrl, onProgress: () => {} });
      await writePast(databaseUrl);
      const mail = await startPickyMailServer();
      const product = await startProduct({ databaseUrl, smtpUrl: mail.url, apiKeys: 'off' });
      const browser = await openBrowser();
      try {
        const made = await makeTrouble(product.url);
        await writeGates(databaseUrl);
        // most of the mails are sent, some wait for their second try
        await pause(WORK_MS);
        await writeUnknownEffect(databaseUrl, made.unknown);
        const screens = listScreens(made).filter(({ name }) => only.split(',').some((part) => name.includes(part)));
        const url = `${product.url}/console`;
        const complaints =
          docs === true
            ? await takeDocsPictures({ browser, url, screens, dir: docsDir })
            : await takePictures({ browser, url, screens, dir });
        for (const complaint of complaints) process.stderr.write(`${complaint}\n`);
        process.stdout.write(
          docs === true
            ? `${below(docsDir)} is written.\n`
            : `${below(dir)} has ${screens.length} screens in both themes and sizes.\n`,
        );
        if (keep === true) {
          process.stdout.write(`${product.url}/console/\n`);
          await new Promise((resolve) => process.once('SIGINT', resolve));
        }
        return complaints.length === 0 ? 0 : 1;
      } finally {
        await browser.close();
        await product.stop();
        await mail.stop();
      }
    },
    { isDurable: true },
  ),
);
