import { describeAlerts } from './testing/describe-alerts.js';
import { describeFlow } from './testing/describe-flow.js';
import { describeLimited } from './testing/describe-limited.js';
import { describeNow } from './testing/describe-now.js';
import { describeSchedules } from './testing/describe-schedules.js';
import { useConsole } from './testing/use-console.js';

// one product and one browser for all: they take more of the processor to start than these tests
const app = useConsole();

// nothing else waits in the queue that it pauses
describeNow(app);
describeAlerts(app);
describeLimited(app);
describeSchedules(app);
// in the end no rule is left
describeFlow(app);
