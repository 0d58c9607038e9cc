/** `npm run check -- packages`: what users would install, installed into empty folders and used from there. */
import { checks } from './checks/list-checks.js';
import { runPackedChecks } from '../../kit/run-packed.js';

await runPackedChecks(
  'check packages',
  'Packs what is published, installs them into empty folders, and uses them from there as users would.',
  checks,
);
