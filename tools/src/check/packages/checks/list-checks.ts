import type { Check } from '../../../kit/run-packed.js';
import { bullmq } from './bullmq.js';
import { bundlers } from './bundlers.js';
import { create } from './create.js';
import { declarations } from './declarations.js';
import { embedded } from './embedded.js';
import { firstSteps } from './first-steps.js';
import { client, http, otel } from './in-both.js';
import { install, load } from './install-checks.js';
import { job } from './job.js';
import { contents, publintCheck, resolution } from './manifest-checks.js';
import { sizes } from './sizes.js';
import { start } from './start.js';
import { jest, vitest } from './test-runners.js';
import { types } from './types.js';
import { workspaceImage } from './workspace-image.js';
import { workspace } from './workspace.js';

/** Every check, in the order in which they run: the cheap ones first. */
export const checks: readonly Check[] = [
  contents,
  sizes,
  start,
  publintCheck,
  resolution,
  install,
  load,
  types,
  declarations,
  bundlers,
  jest,
  vitest,
  job,
  embedded,
  firstSteps,
  http,
  otel,
  bullmq,
  client,
  create,
  workspace,
  workspaceImage,
];
