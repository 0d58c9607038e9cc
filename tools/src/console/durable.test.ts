import { describeSteps } from './testing/describe-steps.js';
import { describeWaits } from './testing/describe-waits.js';
import { describeWorkflows } from './testing/describe-workflows.js';
import { useConsole } from './testing/use-console.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
// one product and one browser for all: they take more of the processor to start than these tests
const app = useConsole({ env: { DUEWORK_KEYS: `k1:${KEY}` } });

describeSteps(app);
describeWaits(app, KEY);
describeWorkflows(app);
