import { describeJob } from './testing/describe-job.js';
import { describeJobs } from './testing/describe-jobs.js';
import { useConsole } from './testing/use-console.js';

// one product and one browser for both: they take more of the processor to start than these tests
const app = useConsole();

describeJobs(app);
describeJob(app);
