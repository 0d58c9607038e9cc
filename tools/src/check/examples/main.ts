/** `npm run check -- examples`: the projects below examples/, used as their READMEs say, with the packed packages. */
import { runPackedChecks } from '../../kit/run-packed.js';
import { examples } from './examples.js';
import { proveExample } from './prove-example.js';

const SUMMARY = `Packs duework, copies each example into an empty folder, and does there what its README says: installs,
builds, migrates a fresh database, starts the app and the worker, and places an order over HTTP. Its job must be done; an
order that fails must leave neither a row nor a job. Those that come from another queue run both applications with the same
jobs, which must come to the same.`;

await runPackedChecks(
  'check examples',
  SUMMARY,
  examples.map((example) => ({ ...example, run: ({ dir, packed }) => proveExample(example, dir, packed) })),
);
