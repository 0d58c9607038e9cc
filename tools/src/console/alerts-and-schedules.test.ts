import { describeAlerts } from './testing/describe-alerts.js';
import { describeLimited } from './testing/describe-limited.js';
import { describeSchedules } from './testing/describe-schedules.js';
import { useConsole } from './testing/use-console.js';

// one product and one browser for both: they take more of the processor to start than these tests
const app = useConsole();

describeAlerts(app);
describeLimited(app);
describeSchedules(app);
