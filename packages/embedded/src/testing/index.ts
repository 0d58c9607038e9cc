export { startTestServer, type StartTestServerOptions, type TestServer } from './start-test-server.js';
