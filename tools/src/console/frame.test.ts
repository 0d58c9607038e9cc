import { describeFrame } from './testing/describe-frame.js';
import { describeSpeed } from './testing/describe-speed.js';
import { useConsole } from './testing/use-console.js';

// one product and one browser for both: they take more of the processor to start than these tests
const app = useConsole();

describeSpeed(app);
describeFrame(app);
