import { join } from 'node:path';
import { seededRandom } from '../../kit/seeded-random.js';
import { startProcess, type StartedProcess } from '../../kit/start-process.js';
import type { Cable } from './faults/fault.js';
import type { OnWarning } from './observer/warned.js';
import type { WriteEvent } from './processes/open-history.js';
import type { OperatorSettings } from './processes/operator.js';
import type { ProducerSettings } from './processes/producer.js';
import type { Options } from './read-options.js';
import { startProxy } from './servers/start-proxy.js';

/** The distance between the call numbers of two producers. */
const NUMBERS = 50_000_000;
const PRODUCERS = 2;
/** One call in fourteen enqueues five jobs, one in 120 a batch of 24, and a trip has a child. */
const JOBS_PER_CALL = 1.6;
/** How much of the output of a fallen process is kept. */
const LINES = 6;

export interface People {
  readonly cables: readonly Cable[];
  readonly producers: readonly StartedProcess[];
  readonly operator: StartedProcess;
}

export interface OpenPeopleOptions {
  readonly url: string;
  readonly port: number;
  readonly dir: string;
  readonly options: Options;
  readonly note: WriteEvent;
  readonly onWarning: OnWarning;
}

/**
 * Starts the producers, each with a cable of its own, and the operator. The fall of one is recorded, because the
 * product must end no process.
 */
export async function openPeople({ url, port, dir, options, note, onWarning }: OpenPeopleOptions): Promise<People> {
  const random = seededRandom(options.seed);
  const { sampleEvery } = options;
  function open(program: string, settings: ProducerSettings | OperatorSettings): StartedProcess {
    const { name } = settings;
    note('person.begun', { person: name });
    const main = `break/torture/processes/${program}.js`;
    const person = startProcess({
      main,
      name,
      args: [JSON.stringify(settings)],
      onWarning: (line) => onWarning({ by: name, line }),
    });
    void person.exited.then(({ code, signal }) => {
      if (!person.isTold) note('person.fell', { person: name, code, signal, said: person.said.slice(0, LINES) });
    });
    return person;
  }
  const cables: Cable[] = [];
  const producers: StartedProcess[] = [];
  for (let index = 0; index < PRODUCERS; index++) {
    const name = `p${index + 1}`;
    const proxy = await startProxy(port);
    const address = new URL(url);
    address.port = String(proxy.port);
    cables.push({ name, proxy });
    const history = join(dir, `history-${name}.jsonl`);
    const perSecond = options.perSecond / PRODUCERS / JOBS_PER_CALL;
    const firstN = index * NUMBERS;
    const settings = { url: address.toString(), name, history, seed: random.seed(), perSecond, sampleEvery, firstN };
    producers.push(open('producer', settings));
  }
  const history = join(dir, 'history-operator.jsonl');
  const operator = open('operator', { url, name: 'operator', history, seed: random.seed(), sampleEvery });
  return { cables, producers, operator };
}
