import { startApi } from '../../../kit/start-api.js';
import type { CallRate } from '../processes/call-for.js';
import type { HttpCall, HttpCallerVerbs } from '../processes/http-caller.js';
import { startBenchProcess } from '../processes/start-bench-process.js';
import type { Measure } from './measure.js';

const CONNECTIONS = 20;
const LIMIT_MS = 60_000;

const CALLS: readonly { readonly what: HttpCall; readonly title: string }[] = [
  { what: 'enqueue', title: `POST /v1/jobs, ${CONNECTIONS} connections` },
  { what: 'find', title: `GET /v1/jobs/{id}, ${CONNECTIONS} connections` },
  { what: 'livez', title: `GET /livez, which asks no database, ${CONNECTIONS} connections` },
];

/** The API as it is deployed, one process of it. */
export const http: Measure = {
  name: 'http',
  figures: CALLS.flatMap(({ what, title }) => [
    { key: what, title, unit: '1/s' },
    { key: `${what}P50`, title: '  p50', unit: 'ms', isLessBetter: true as const },
  ]),
  takes: ({ name }) => name === 'duework',
  async run({ place, size, name }) {
    const api = await startApi(place.url, { API_KEYS: 'off' });
    const caller = startBenchProcess<HttpCallerVerbs>({ main: 'http-caller', name });
    const values: Record<string, number> = {};
    try {
      await caller.ask('open', { port: Number(new URL(api.url).port), connections: CONNECTIONS });
      for (const { what } of CALLS) {
        const rate: CallRate = await caller.ask('call', { what, callers: CONNECTIONS, ms: size.httpMs }, LIMIT_MS);
        values[what] = rate.perSecond;
        values[`${what}P50`] = rate.p50Ms;
      }
      return values;
    } finally {
      await caller.end();
      await api.stop();
    }
  },
};
